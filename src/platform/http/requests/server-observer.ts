import { contributedProvider } from '../../contributions/contributions.js';
import type { Pipelines } from '../connections/pipeline.js';
import type { CompletedRequest } from './prepare-requests.js';

/** What a module wants to know of the server of the app; nothing is measured for what is absent. */
export interface ServerObserver {
  /** Called after each request. */
  request?: ((request: CompletedRequest) => void) | undefined;
  /** Called once, with the open connections. */
  watch?(pipelines: Pipelines): void;
}

/** For a class that observes the server of the app. */
export const ServerObserver = contributedProvider<ServerObserver>();

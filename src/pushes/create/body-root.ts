import { SetMetadata } from '@nestjs/common';
import type { PushKind } from '../push-kind.js';

export const BODY_ROOT = Symbol('body root');

/** Under which key a route's body holds the push, and which kind it then is whatever it says. */
export interface BodyRootOptions {
  key: string;
  kind?: PushKind;
}

/** Names the key for a route; `push` where nothing is said. */
export const BodyRoot = (key: string, kind?: PushKind) =>
  SetMetadata(BODY_ROOT, { key, kind } satisfies BodyRootOptions);

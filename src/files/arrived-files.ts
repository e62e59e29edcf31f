import type { EntityManager } from 'typeorm';
import { contributedProvider } from '../platform/contributions/contributions.js';
import type { ArrivedFile } from './upload.js';

/** Files that arrived before their push. */
export interface ArrivedFiles {
  files: ArrivedFile[];
  /**
   * Takes them in the transaction of their push.
   * @throws InvalidFields when another push has taken one, or one has ended
   */
  takeWithin(manager: EntityManager): Promise<void>;
}

/** For the provider that keeps files until a push takes them. */
export const ArrivedFilesFinder = contributedProvider<{
  /**
   * The files with these names, in this order.
   * @param userId the account of who names them, if any
   * @throws InvalidFields when there is none of a name for this account, or it is incomplete
   */
  find(names: string[], userId: string | undefined, now: Date): Promise<ArrivedFiles>;
}>();

import type { EntityManager } from 'typeorm';
import { contributedMethod } from '../../platform/contributions/contributions.js';

type Remover = (manager: EntityManager, userId: string) => Promise<unknown>;

/**
 * On the method that deletes what a module stores about an account. It is called in the transaction that deletes the
 * account, before its row is deleted, and more than once if the transaction is repeated.
 */
export const OnAccountRemoval = contributedMethod<Remover>();

/** An account was deleted, with everything that belonged to it. */
export class AccountDeleted {
  static readonly eventName = 'account.deleted';
  readonly name = AccountDeleted.eventName;

  constructor(
    readonly userId: string,
    readonly at: Date,
  ) {}
}

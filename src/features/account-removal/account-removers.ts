import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Deletes what a module stores about an account. */
export interface AccountRemover {
  /**
   * Called in the transaction that deletes the account, before its row is deleted. May be called more than once, because
   * a transaction may be repeated.
   */
  removeWithin(manager: EntityManager, userId: string): Promise<void>;
}

/** What is done when an account is deleted, besides deleting its pushes and files. */
@Injectable()
export class AccountRemovers {
  private readonly removers: AccountRemover[] = [];

  /** A module adds its remover while it is created. */
  add(remover: AccountRemover): void {
    this.removers.push(remover);
  }

  async removeWithin(manager: EntityManager, userId: string): Promise<void> {
    for (const remover of this.removers) await remover.removeWithin(manager, userId);
  }
}

/** An account was deleted, with everything that belonged to it. */
export class AccountDeleted {
  static readonly eventName = 'account.deleted';
  readonly name = AccountDeleted.eventName;

  constructor(
    readonly userId: string,
    readonly at: Date,
  ) {}
}

import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { contributedMethod, Contributions } from '../../platform/contributions/contributions.js';

type Remover = (manager: EntityManager, userId: string) => Promise<unknown>;

/**
 * On the method that deletes what a module stores about an account. It is called in the transaction that deletes the
 * account, before its row is deleted, and more than once if the transaction is repeated.
 */
export const OnAccountRemoval = contributedMethod<Remover>();

/** What is done when an account is deleted, besides deleting its pushes and files. */
@Injectable()
export class AccountRemovers implements OnModuleInit {
  private removers: readonly Remover[] = [];

  constructor(private readonly contributions: Contributions) {}

  onModuleInit(): void {
    this.removers = this.contributions.methods(OnAccountRemoval).map(({ contributed }) => contributed);
  }

  async removeWithin(manager: EntityManager, userId: string): Promise<void> {
    for (const remove of this.removers) await remove(manager, userId);
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

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { contributedMethod, Contributions } from '../../platform/contributions/contributions.js';
import { ApiToken } from '../entities/api-token.entity.js';
import { KnownBrowser } from '../entities/known-browser.entity.js';
import { User } from '../entities/user.entity.js';
import { IdentitiesService } from '../sessions/identities.service.js';

type Revocation = (manager: EntityManager, userId: string) => Promise<unknown>;

/**
 * On the method that revokes what the person who signed up has set up. It is called in the transaction in which the
 * verified owner of the email address takes over the account.
 */
export const OnOwnershipVerified = contributedMethod<Revocation>();

/** What somebody who signed up with the email address of another may have set up, until its owner is verified. */
@Injectable()
export class UnverifiedAccess {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly contributions: Contributions,
  ) {}

  /** Nothing of it stays able to act for the account, or to watch it. The account is locked. */
  async revokeWithin(manager: EntityManager, user: User): Promise<void> {
    const { id } = user;
    await manager.update(User, { id }, { emailUnverified: false });
    await this.identities.removeWithin(manager, user);
    await manager.delete(ApiToken, { userId: id });
    await manager.delete(KnownBrowser, { userId: id });
    for (const revoke of this.contributions.all(OnOwnershipVerified)) await revoke(manager, id);
  }
}

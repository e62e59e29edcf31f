import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { Language } from '../../texts/languages.js';
import { Authenticator } from '../entities/authenticator.entity.js';
import { KnownNetwork } from '../entities/known-network.entity.js';
import { Passkey } from '../entities/passkey.entity.js';
import { Session } from '../entities/session.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountError } from '../errors/account-error.js';
import { SignInNeeded } from '../errors/sign-in-needed.js';
import { OnOwnershipVerified } from '../links/unverified-access.js';
import { AccountNotices } from '../notices/account-notices.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AuthenticatorApps, stepOf } from './authenticator-apps.js';
import type { ImportedRecoveryCodes } from './recovery-codes.js';
import { RecoveryCodes } from './recovery-codes.js';

/** Who changes something, from which session. */
export interface FactorChange {
  user: User;
  /** In which it is done: all others end. */
  session: Session;
  language?: Language;
  now?: Date;
}

/** A second factor of another service. */
export interface ImportedFactor {
  /** In base32. */
  secret: string;
  lastStep: number;
  recoveryCodes?: ImportedRecoveryCodes;
}

/** What an account has besides its password. */
export interface FactorsOfAccount {
  authenticator: Authenticator | undefined;
  recoveryCodes: number;
}

/**
 * Adds and removes second factors: authenticator apps and passkeys, and recovery codes for who has lost theirs.
 */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly apps: AuthenticatorApps,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly sessions: SessionsService,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  async of(user: User): Promise<FactorsOfAccount> {
    return {
      authenticator: await this.apps.of(user),
      recoveryCodes: await this.recoveryCodes.countOf(user),
    };
  }

  /**
   * Adds an app, which has shown this code for the secret. All other sessions end.
   * @returns ten recovery codes when the account had none
   * @throws AccountError when the code is wrong or the account has an app already
   */
  async addAuthenticator(secret: string, code: string, change: FactorChange): Promise<string[]> {
    const { user, now = new Date() } = change;
    const step = await stepOf(secret, code.replaceAll(/\s/g, ''), now);
    if (step === undefined) throw new AccountError(new Problem('code_wrong'));
    return this.add(change, (manager) => this.apps.addWithin(manager, user, { secret, lastStep: step }, now));
  }

  /**
   * Adds a second factor. All other sessions end.
   * @param insert adds its row; the account is locked
   * @returns ten recovery codes when the account had none
   */
  add(
    { user, session, language, now }: FactorChange,
    insert: (manager: EntityManager) => Promise<void>,
  ): Promise<string[]> {
    const { id: userId } = user;
    return this.unitOfWork.run(async (manager) => {
      await this.lockOwnerWithin(manager, session);
      await insert(manager);
      await manager.update(User, { id: userId }, { hasSecondFactor: true });
      await this.sessions.endOthersWithin(manager, userId, session);
      await this.notices.addWithin(manager, user, 'second_factor_added', language, now);
      await this.audit.recordWithin(manager, 'second_factor_added', { subject: user });
      return this.recoveryCodes.createMissingWithin(manager, user);
    });
  }

  removeAuthenticator(change: FactorChange): Promise<void> {
    return this.remove(change, Authenticator);
  }

  /** Removes a second factor; without any left, recovery codes end too. All other sessions end. */
  async remove(
    { user, session, language, now }: FactorChange,
    entity: typeof Authenticator | typeof Passkey,
    where: { id?: string } = {},
  ): Promise<void> {
    const { id: userId } = user;
    await this.unitOfWork.run(async (manager) => {
      await this.lockOwnerWithin(manager, session);
      const { affected } = await manager.delete(entity, { userId, ...where });
      if (affected !== 1) return;
      await this.refreshWithin(manager, userId);
      await this.sessions.endOthersWithin(manager, userId, session);
      await this.notices.addWithin(manager, user, 'second_factor_removed', language, now);
      await this.audit.recordWithin(manager, 'second_factor_removed', { subject: user });
    });
  }

  /**
   * Replaces the recovery codes. They are returned only here; the database has just their digests. All other sessions
   * end.
   */
  renewRecoveryCodes({ user, session, language, now }: FactorChange): Promise<string[]> {
    const { id: userId } = user;
    return this.unitOfWork.run(async (manager) => {
      const { hasSecondFactor } = await this.lockOwnerWithin(manager, session);
      if (!hasSecondFactor) return [];
      await this.recoveryCodes.deleteWithin(manager, userId);
      await this.sessions.endOthersWithin(manager, userId, session);
      await this.notices.addWithin(manager, user, 'recovery_codes_created', language, now);
      await this.audit.recordWithin(manager, 'recovery_codes_created', { subject: user });
      return this.recoveryCodes.createWithin(manager, user);
    });
  }

  /** Gives a new account the second factor that it had in another service. */
  async importWithin(
    manager: EntityManager,
    user: User,
    { recoveryCodes, ...app }: ImportedFactor,
    now: Date,
  ): Promise<void> {
    await this.apps.addWithin(manager, user, app, now);
    await manager.update(User, { id: user.id }, { hasSecondFactor: true });
    await this.audit.recordWithin(manager, 'second_factor_added', { subject: user });
    if (recoveryCodes) await this.recoveryCodes.importWithin(manager, user, recoveryCodes);
  }

  /**
   * For the operator and administrators: removes every second factor of an account, and ends its sessions.
   * @throws AccountError when it has none
   */
  async reset(user: User, language?: Language, now = new Date()): Promise<void> {
    const { id } = user;
    await this.unitOfWork.run(async (manager) => {
      const account = await this.unitOfWork.findForUpdate(manager, User, { id });
      if (!account?.hasSecondFactor) throw new AccountError(new Problem('no_second_factor'));
      await this.removeAllWithin(manager, id);
      await this.sessions.endAllWithin(manager, id);
      await this.notices.addWithin(manager, user, 'second_factor_removed', language, now);
      await this.audit.recordWithin(manager, 'second_factor_reset', { subject: user });
    });
  }

  @OnOwnershipVerified()
  async removeAllWithin(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(Authenticator, { userId });
    await manager.delete(Passkey, { userId });
    await this.refreshWithin(manager, userId);
  }

  /**
   * Locks the account of a session, which may have ended since the request began.
   * @throws SignInNeeded when it has, or the account was disabled
   */
  private async lockOwnerWithin(manager: EntityManager, { id, userId }: Session): Promise<User> {
    const owner = await this.unitOfWork.findForUpdate(manager, User, { id: userId });
    if (owner?.disabledAt !== null || !(await manager.existsBy(Session, { id }))) throw new SignInNeeded();
    return owner;
  }

  /** Whether the account still has a second factor; its row is locked. */
  private async refreshWithin(manager: EntityManager, userId: string): Promise<void> {
    const hasSecondFactor =
      (await manager.existsBy(Authenticator, { userId })) || (await manager.existsBy(Passkey, { userId }));
    await manager.update(User, { id: userId }, { hasSecondFactor });
    if (hasSecondFactor) return;
    await this.recoveryCodes.deleteWithin(manager, userId);
    await manager.update(KnownNetwork, { userId }, { withSecondFactor: false });
  }
}

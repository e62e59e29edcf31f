import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import { clientNetwork } from '../../platform/http/visitor.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newId, secureRandom, digestOf } from '../../platform/random/random.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import type { Language } from '../../texts/languages.js';
import { Authenticator, STEP_SECONDS } from '../entities/authenticator.entity.js';
import { KnownNetwork } from '../entities/known-network.entity.js';
import { Passkey } from '../entities/passkey.entity.js';
import { RecoveryCode } from '../entities/recovery-code.entity.js';
import { RecoveryKey } from '../entities/recovery-key.entity.js';
import { Session } from '../entities/session.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountError } from '../errors/account-error.js';
import { SignInNeeded } from '../errors/sign-in-needed.js';
import { OnOwnershipVerified } from '../links/unverified-access.js';
import { AccountNotices } from '../notices/account-notices.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { KnownNetworksService } from '../sign-in/known-networks.service.js';
import { SignInThrottle } from '../sign-in/sign-in-throttle.js';
import { AuthenticatorSeal, RecoveryKeySeal } from './account-secret-seals.js';
import { WrongCodes } from './wrong-codes.js';

const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 10;
const TOTP_CODE = /^\d{6}$/;
const RECOVERY_CODE = /^[0-9a-f]{20}$/;
const IMPORTED_RECOVERY_CODE = /^[0-9a-f]{10}$/;
/** Imported secrets may have 10 bytes, as RFC 4226 (section 4, R6) does not recommend any more; ours have 20. */
const MIN_SECRET_BYTES = 10;

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

/** Recovery codes that are known only by their digests: HMAC-SHA256 of `prefix` and the code, in hex. */
export interface ImportedRecoveryCodes {
  digests: string[];
  prefix: string;
  /** Of the HMAC, in hex. */
  key: string;
}

/** What an account has besides its password. */
export interface FactorsOfAccount {
  authenticator: Authenticator | undefined;
  recoveryCodes: number;
}

/**
 * Second factors: authenticator apps (TOTP, RFC 6238), recovery codes for who has lost theirs, and what they share with
 * passkeys. Each code is accepted once, also by several processes.
 */
@Injectable()
export class SecondFactorsService {
  constructor(
    @InjectRepository(Authenticator) private readonly authenticators: Repository<Authenticator>,
    @InjectRepository(RecoveryCode) private readonly recoveryCodes: Repository<RecoveryCode>,
    @InjectRepository(RecoveryKey) private readonly recoveryKeys: Repository<RecoveryKey>,
    private readonly seal: AuthenticatorSeal,
    private readonly recoveryKeySeal: RecoveryKeySeal,
    private readonly throttle: SignInThrottle,
    private readonly knownNetworks: KnownNetworksService,
    private readonly wrongCodes: WrongCodes,
    private readonly sessions: SessionsService,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  async of({ id: userId }: User): Promise<FactorsOfAccount> {
    const authenticator = await this.authenticators.findOneBy({ userId });
    return {
      authenticator: authenticator ?? undefined,
      recoveryCodes: await this.recoveryCodes.countBy({ userId }),
    };
  }

  /**
   * Whether this is a current code of the account's app, or one of its recovery codes. It is accepted only once.
   * @throws TooManyRequests
   */
  async verify(user: User, code: string, ip: string, now = new Date()): Promise<boolean> {
    const typed = code.replaceAll(/[\s-]/g, '').toLowerCase();
    return this.counted(user, ip, now, (isKnown) => this.useCode(user, typed, isKnown, now));
  }

  /**
   * What `check` finds about an attempt at the second factor of an account. Wrong ones are counted, and recorded.
   * @param check gets whether the owner has signed in from there before
   * @throws TooManyRequests
   */
  async counted(
    user: User,
    ip: string,
    now: Date,
    check: (isKnown: boolean) => Promise<boolean>,
  ): Promise<boolean> {
    const network = clientNetwork(ip);
    const isKnown = await this.knownNetworks.includesFor(user, network, now);
    const attempt = await this.throttle.recordSecondFactor(user, ip, isKnown, now);
    const isRight = await this.throttle.uncountOnError(attempt, () => check(isKnown));
    if (!isRight) {
      await this.audit.record('second_factor_failed', { subject: user });
      return false;
    }
    await this.throttle.deleteAttempt(attempt);
    await this.knownNetworks.tryToRecord(user, network, now);
    return true;
  }

  /** A secret for a new app, which is not stored before a code of the app has been entered. */
  async newSecret(): Promise<string> {
    const { generateSecret } = await import('otplib'); // only loaded when it is needed
    return generateSecret();
  }

  /** What an app reads from a QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
  async uriOf(secret: string, { email }: User, issuer: string): Promise<string> {
    const { generateURI } = await import('otplib');
    return generateURI({ secret, label: email, issuer: issuer.replaceAll(':', ' ') }); // the colon separates the two
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
    const { id: userId } = user;
    const id = newId();
    const row = { id, userId, ...this.seal.seal(secret, { id, userId }), lastStep: step, createdAt: now };
    return this.add(change, async (manager) => {
      await manager.insert(Authenticator, row).catch((error: unknown) => {
        throw isDuplicate(error) ? new AccountError(new Problem('authenticator_exists')) : error;
      });
    });
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
      return (await manager.existsBy(RecoveryCode, { userId })) ? [] : createCodesWithin(manager, userId);
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
      await deleteCodesWithin(manager, userId);
      await this.sessions.endOthersWithin(manager, userId, session);
      await this.notices.addWithin(manager, user, 'recovery_codes_created', language, now);
      await this.audit.recordWithin(manager, 'recovery_codes_created', { subject: user });
      return createCodesWithin(manager, userId);
    });
  }

  /** Gives a new account the second factor that it had in another service. */
  async importWithin(
    manager: EntityManager,
    user: User,
    { secret, lastStep, recoveryCodes }: ImportedFactor,
    now: Date,
  ): Promise<void> {
    const { id: userId } = user;
    const id = newId();
    const sealed = this.seal.seal(secret, { id, userId });
    await manager.insert(Authenticator, { id, userId, ...sealed, lastStep, createdAt: now });
    await manager.update(User, { id: userId }, { hasSecondFactor: true });
    await this.audit.recordWithin(manager, 'second_factor_added', { subject: user });
    if (!recoveryCodes) return;
    const { digests, prefix, key } = recoveryCodes;
    const keyId = newId();
    const sealedKey = this.recoveryKeySeal.seal(JSON.stringify({ prefix, key }), { id: keyId, userId });
    await manager.insert(RecoveryKey, { id: keyId, userId, ...sealedKey });
    await manager.insert(
      RecoveryCode,
      digests.map((digest) => ({ id: newId(), userId, digest })),
    );
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
    await deleteCodesWithin(manager, userId);
    await manager.update(KnownNetwork, { userId }, { withSecondFactor: false });
  }

  private useCode(user: User, code: string, isKnown: boolean, now: Date): Promise<boolean> {
    if (TOTP_CODE.test(code))
      return this.wrongCodes.counted(user, isKnown, now, () => this.useTotp(user, code, now));
    if (IMPORTED_RECOVERY_CODE.test(code)) return this.useImportedRecoveryCode(user, code, now);
    return RECOVERY_CODE.test(code)
      ? this.useRecoveryCode(user, digestOf(code), now)
      : Promise.resolve(false);
  }

  private async useImportedRecoveryCode(user: User, code: string, now: Date): Promise<boolean> {
    const found = await this.recoveryKeys.findOneBy({ userId: user.id });
    if (!found) return false;
    const { prefix, key } = JSON.parse(this.recoveryKeySeal.unseal(found)) as Omit<
      ImportedRecoveryCodes,
      'digests'
    >;
    const hmac = createHmac('sha256', Buffer.from(key, 'hex'));
    return this.useRecoveryCode(user, hmac.update(prefix + code).digest('hex'), now);
  }

  private async useTotp({ id: userId }: User, code: string, now: Date): Promise<boolean> {
    const authenticator = await this.authenticators.findOneBy({ userId });
    if (!authenticator) return false;
    const step = await stepOf(this.seal.unseal(authenticator), code, now);
    if (step === undefined || !authenticator.accepts(step, now)) return false;
    const { id, lastStep } = authenticator;
    const { affected } = await this.unitOfWork.run((manager) =>
      manager.update(Authenticator, { id, lastStep }, { lastStep: step }),
    );
    return affected === 1; // otherwise another request has just used a code
  }

  private useRecoveryCode(user: User, digest: string, now: Date): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      await this.unitOfWork.findForUpdate(manager, User, { id: user.id });
      const { affected } = await manager.delete(RecoveryCode, { userId: user.id, digest });
      if (affected !== 1) return false;
      await this.notices.addWithin(manager, user, 'recovery_code_used', user.language ?? undefined, now);
      await this.audit.recordWithin(manager, 'recovery_code_used', { subject: user, by: user });
      return true;
    });
  }
}

/** Whether this can be the secret of an authenticator app: base32 of a length that is accepted. */
export async function isSecret(secret: string): Promise<boolean> {
  return stepOf(secret, '000000', new Date()).then(
    () => true,
    () => false,
  );
}

/** The time step in which an app shows this code: the current one, or one before or after, because clocks differ. */
async function stepOf(secret: string, token: string, now: Date): Promise<number | undefined> {
  if (!TOTP_CODE.test(token)) return undefined;
  const epoch = Math.floor(now.getTime() / SECOND_MS);
  const { createGuardrails, verify } = await import('otplib');
  const guardrails = createGuardrails({ MIN_SECRET_BYTES });
  const result = await verify({ secret, token, epoch, epochTolerance: STEP_SECONDS, guardrails });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

async function createCodesWithin(manager: EntityManager, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    secureRandom(RECOVERY_CODE_BYTES).toString('hex'),
  );
  await manager.insert(
    RecoveryCode,
    codes.map((code) => ({ id: newId(), userId, digest: digestOf(code) })),
  );
  return codes.map((code) => code.replaceAll(/.{5}(?!$)/g, '$&-'));
}

async function deleteCodesWithin(manager: EntityManager, userId: string): Promise<void> {
  await manager.delete(RecoveryCode, { userId });
  await manager.delete(RecoveryKey, { userId });
}

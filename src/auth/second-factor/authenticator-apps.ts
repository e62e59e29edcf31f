import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { unlessDuplicate } from '../../platform/database/errors/database-error.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { newId } from '../../platform/random/random.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { Authenticator, STEP_SECONDS } from '../entities/authenticator.entity.js';
import type { User } from '../entities/user.entity.js';
import { AccountError } from '../errors/account-error.js';
import { AuthenticatorSeal } from './account-secret-seals.js';
import { WrongCodes } from './wrong-codes.js';

const TOTP_CODE = /^\d{6}$/;
/** Imported secrets may have 10 bytes, as RFC 4226 (section 4, R6) does not recommend any more; ours have 20. */
const MIN_SECRET_BYTES = 10;

/** Authenticator apps (TOTP, RFC 6238). Each code is accepted once, also by several processes. */
@Injectable()
export class AuthenticatorApps {
  constructor(
    @InjectRepository(Authenticator) private readonly authenticators: Repository<Authenticator>,
    private readonly seal: AuthenticatorSeal,
    private readonly wrongCodes: WrongCodes,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async of({ id: userId }: User): Promise<Authenticator | undefined> {
    return (await this.authenticators.findOneBy({ userId })) ?? undefined;
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

  /** @throws AccountError when the account has an app already */
  async addWithin(
    manager: EntityManager,
    { id: userId }: User,
    { secret, lastStep }: { secret: string; lastStep: number },
    now: Date,
  ): Promise<void> {
    const id = newId();
    const sealed = this.seal.seal(secret, { id, userId });
    await unlessDuplicate(
      manager.insert(Authenticator, { id, userId, ...sealed, lastStep, createdAt: now }),
      () => new AccountError(new Problem('authenticator_exists')),
    );
  }

  /**
   * Whether this is a current code of the account's app, which is then used.
   * @param isKnown whether the owner has signed in from there before
   * @throws TooManyRequests
   */
  use(user: User, code: string, isKnown: boolean, now: Date): Promise<boolean> {
    return this.wrongCodes.counted(user, isKnown, now, () => this.useUncounted(user, code, now));
  }

  private async useUncounted({ id: userId }: User, code: string, now: Date): Promise<boolean> {
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
}

/** Whether this has the form of a code of an app. */
export function isTotpCode(code: string): boolean {
  return TOTP_CODE.test(code);
}

/** Whether this can be the secret of an authenticator app: base32 of a length that is accepted. */
export async function isSecret(secret: string): Promise<boolean> {
  return stepOf(secret, '000000', new Date()).then(
    () => true,
    () => false,
  );
}

/** The time step in which an app shows this code: the current one, or one before or after, because clocks differ. */
export async function stepOf(secret: string, token: string, now: Date): Promise<number | undefined> {
  if (!TOTP_CODE.test(token)) return undefined;
  const epoch = Math.floor(now.getTime() / SECOND_MS);
  const { createGuardrails, verify } = await import('otplib');
  const guardrails = createGuardrails({ MIN_SECRET_BYTES });
  const result = await verify({ secret, token, epoch, epochTolerance: STEP_SECONDS, guardrails });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

import { Injectable } from '@nestjs/common';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { Problem } from '../../platform/errors/problem.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Session } from '../entities/session.entity.js';
import type { User } from '../entities/user.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CredentialsService } from '../sign-in/credentials.service.js';
import { PasskeysService } from './passkeys.service.js';
import { SecondFactorChecks } from './second-factor-checks.js';

/** How an account can prove who uses it, and whether its session has had a proof in the last ten minutes. */
export interface ProofState {
  /** One that it may sign in with. */
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Whether one of its second factors is a passkey. Known for one without a proof. */
  hasPasskey: boolean;
  isProven: boolean;
}

/** What a form must have besides its own fields. */
export interface NeededProof {
  password: boolean;
  code: boolean;
  /** In place of the code. */
  passkey: boolean;
  /** Before the form is sent, because it leads away from it. */
  signInAtProvider: boolean;
}

/** What a form has. */
export interface GivenProof {
  password?: string;
  /** Of an authenticator app, or a recovery code. */
  code?: string;
  /** What a passkey answered, in place of the code. */
  passkey?: string;
  passkey_state?: string;
}

/** Who gives it. */
export interface Prover {
  user: User;
  ip: string;
  /** The base URL of this installation. */
  baseUrl: string;
}

export function proofStateOf(user: User, session: Session, { PASSWORD_SIGN_IN }: Settings): ProofState {
  return {
    hasPassword: user.maySignInWithPassword(PASSWORD_SIGN_IN),
    hasSecondFactor: user.hasSecondFactor,
    hasPasskey: user.hasPasskey ?? false,
    isProven: session.isProven(new Date()),
  };
}

/**
 * What must prove that whoever uses a session owns its account: the second factor if it has one, otherwise the password,
 * or where it has none a sign-in at the provider, when nothing of it was given in this session in the last ten minutes.
 * @param alwaysPassword whether a password is needed in any case
 */
export function neededProof(
  { hasPassword, hasSecondFactor, hasPasskey, isProven }: ProofState,
  alwaysPassword: boolean,
): NeededProof {
  const needsFirst = !isProven && !hasSecondFactor;
  return {
    password: hasPassword && (alwaysPassword || needsFirst),
    code: !isProven && hasSecondFactor,
    passkey: !isProven && hasPasskey,
    signInAtProvider: !hasPassword && needsFirst,
  };
}

/** Checks who uses a session before what matters to its account is changed. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly checks: SecondFactorChecks,
    private readonly passkeys: PasskeysService,
    private readonly sessions: SessionsService,
    private readonly settings: Settings,
  ) {}

  /**
   * @throws InvalidFields when the password or the code is wrong, or absent, which is not counted
   * @throws TooManyRequests
   */
  async check(
    prover: Prover & { session: Session },
    proof: GivenProof,
    alwaysPassword: boolean,
  ): Promise<void> {
    const { user, session, ip } = prover;
    const { hasSecondFactor } = user;
    const needed = neededProof(proofStateOf(user, session, this.settings), alwaysPassword);
    const isAbsent =
      needed.signInAtProvider ||
      (needed.password && !alwaysPassword && proof.password === undefined) ||
      (needed.code && proof.code === undefined && proof.passkey === undefined);
    // a form that was shown without the fields, because the last proof was not too old yet
    if (isAbsent) throw new InvalidFields({ form: new Problem('proof_needed') });
    if (needed.password && !(await this.credentials.authenticate(user.email, proof.password ?? '', ip)))
      throw new InvalidFields({ password: new Problem('current_password_wrong') });
    if (needed.code) await this.checkSecondFactor(prover, proof);
    const isProof = needed.code || (needed.password && !hasSecondFactor);
    if (isProof) await this.sessions.recordProof(session);
  }

  /**
   * @throws InvalidFields when the code or the answer of the passkey is wrong
   * @throws TooManyRequests
   */
  async checkSecondFactor({ user, ip, baseUrl }: Prover, proof: GivenProof): Promise<void> {
    const { code = '', passkey = '', passkey_state: state = '' } = proof;
    const isRight =
      passkey === ''
        ? await this.checks.verify(user, code, ip)
        : (await this.passkeys.verify({ passkey, state, baseUrl }, ip, user)) !== undefined;
    if (!isRight)
      throw new InvalidFields({
        code: [new Problem(passkey === '' ? 'code_wrong' : 'passkey_wrong')],
      });
  }
}

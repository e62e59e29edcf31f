import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';
import type { Session } from '../entities/session.entity.js';
import type { User } from '../entities/user.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CredentialsService } from '../sign-in/credentials.service.js';
import { PasskeysService } from './passkeys.service.js';
import { SecondFactorsService } from './second-factors.service.js';

/** Whether the account has a second factor, and whether its session has had a proof in the last 15 minutes. */
export interface ProofState {
  hasSecondFactor: boolean;
  isProven: boolean;
}

/** What a form must have besides its own fields. */
export interface NeededProof {
  password: boolean;
  code: boolean;
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

/**
 * What must prove that whoever uses a session owns its account: the second factor if it has one, otherwise the password,
 * when neither was given in the last 15 minutes.
 * @param alwaysPassword whether the password is needed in any case
 */
export function neededProof({ hasSecondFactor, isProven }: ProofState, alwaysPassword: boolean): NeededProof {
  return {
    password: alwaysPassword || (!isProven && !hasSecondFactor),
    code: !isProven && hasSecondFactor,
  };
}

/** Checks who uses a session before what matters to its account is changed. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly passkeys: PasskeysService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * @throws UnprocessableEntityException when the password or the code is wrong
   * @throws TooManyRequests
   */
  async check(
    prover: Prover & { session: Session },
    proof: GivenProof,
    alwaysPassword: boolean,
  ): Promise<void> {
    const { user, session, ip } = prover;
    const { hasSecondFactor } = user;
    const needed = neededProof({ hasSecondFactor, isProven: session.isProven(new Date()) }, alwaysPassword);
    if (needed.password && !(await this.credentials.authenticate(user.email, proof.password ?? '', ip)))
      throw new UnprocessableEntityException({ password: [new Problem('current_password_wrong')] });
    if (needed.code) await this.checkSecondFactor(prover, proof);
    const isProof = needed.code || (needed.password && !hasSecondFactor);
    if (isProof) await this.sessions.recordProof(session);
  }

  /**
   * @throws UnprocessableEntityException when the code or the answer of the passkey is wrong
   * @throws TooManyRequests
   */
  async checkSecondFactor({ user, ip, baseUrl }: Prover, proof: GivenProof): Promise<void> {
    const { code = '', passkey = '', passkey_state: state = '' } = proof;
    const isRight =
      passkey === ''
        ? await this.secondFactors.verify(user, code, ip)
        : (await this.passkeys.verify({ passkey, state, baseUrl }, ip, user)) !== undefined;
    if (!isRight)
      throw new UnprocessableEntityException({
        code: [new Problem(passkey === '' ? 'code_wrong' : 'passkey_wrong')],
      });
  }
}

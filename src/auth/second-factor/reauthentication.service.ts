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

/** How the user of an account can authenticate once more, and whether that was done in the last ten minutes. */
export interface ReauthenticationState {
  /** One that it may sign in with. */
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Whether one of its second factors is a passkey. Known before anything is given. */
  hasPasskey: boolean;
  isProven: boolean;
  /** Since when and until when that is so; absent while it is not. */
  proven?: { at: Date; until: Date };
}

/** What a form must have besides its own fields. */
interface NeededCredentials {
  password: boolean;
  code: boolean;
  /** In place of the code. */
  passkey: boolean;
  /** Before the form is sent, because it leads away from it. */
  signInAtProvider: boolean;
}

/** What a form has. */
interface GivenCredentials {
  password?: string;
  /** Of an authenticator app, or a recovery code. */
  code?: string;
  /** What a passkey answered, in place of the code. */
  passkey?: string;
  passkey_state?: string;
}

/** Who gives them. */
interface Claimant {
  user: User;
  ip: string;
  /** The base URL of this installation. */
  baseUrl: string;
}

export function reauthenticationStateOf(
  user: User,
  session: Session,
  { PASSWORD_SIGN_IN }: Settings,
): ReauthenticationState {
  const proven = session.proven(new Date());
  return {
    hasPassword: user.maySignInWithPassword(PASSWORD_SIGN_IN),
    hasSecondFactor: user.hasSecondFactor,
    hasPasskey: user.hasPasskey ?? false,
    isProven: proven !== undefined,
    proven,
  };
}

/**
 * What must prove that whoever uses a session owns its account: the second factor if it has one, otherwise the password,
 * or where it has none a sign-in at the provider, when nothing of it was given in this session in the last ten minutes.
 * @param alwaysPassword whether a password is needed in any case
 */
export function neededCredentials(
  { hasPassword, hasSecondFactor, hasPasskey, isProven }: ReauthenticationState,
  alwaysPassword: boolean,
): NeededCredentials {
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
export class ReauthenticationService {
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
    claimant: Claimant & { session: Session },
    given: GivenCredentials,
    alwaysPassword: boolean,
  ): Promise<void> {
    const { user, session, ip } = claimant;
    const { hasSecondFactor } = user;
    const needed = neededCredentials(reauthenticationStateOf(user, session, this.settings), alwaysPassword);
    const isAbsent =
      needed.signInAtProvider ||
      (needed.password && !alwaysPassword && given.password === undefined) ||
      (needed.code && given.code === undefined && given.passkey === undefined);
    // a form that was shown without the fields, because the user had authenticated recently
    if (isAbsent) throw new InvalidFields({ form: new Problem('reauthentication_needed') });
    if (needed.password && !(await this.credentials.authenticate(user.email, given.password ?? '', ip)))
      throw new InvalidFields({ password: new Problem('current_password_wrong') });
    if (needed.code) await this.checkSecondFactor(claimant, given);
    const isReauthenticated = needed.code || (needed.password && !hasSecondFactor);
    if (isReauthenticated) await this.sessions.recordAuthentication(session);
  }

  /**
   * @throws InvalidFields when the code or the answer of the passkey is wrong
   * @throws TooManyRequests
   */
  async checkSecondFactor({ user, ip, baseUrl }: Claimant, given: GivenCredentials): Promise<void> {
    const { code = '', passkey = '', passkey_state: state = '' } = given;
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

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { LessThan, Repository } from 'typeorm';
import { unlessDuplicate } from '../../platform/database/errors/database-error.js';
import { capTimes } from '../../platform/database/cap-times.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { newId, digestOf, newToken } from '../../platform/random/random.js';
import { Settings } from '../../platform/settings/settings.js';
import { MINUTE_MS } from '../../platform/settings/units.js';
import { Passkey } from '../entities/passkey.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountError } from '../errors/account-error.js';
import { UsersService } from '../users/users.service.js';
import { SignInStates } from '../sign-in/sign-in-states.js';
import { SecondFactorChecks } from './second-factor-checks.js';
import type { FactorChange } from './second-factors.service.js';
import { SecondFactorsService } from './second-factors.service.js';

const MAX_PER_ACCOUNT = 20;
const CHALLENGE_ENDS_AFTER_MS = 10 * MINUTE_MS;
/** The kinds of state that hold a challenge. */
const [CREATE, GET] = ['new passkey', 'passkey'];

/** What the script of a page gives to the browser, and sends back with the browser's answer. */
export interface PasskeyRequest<Options> {
  options: Options;
  state: string;
}

/** What the browser answers, as JSON, and the state of the request. */
interface PasskeyResponse {
  passkey: string;
  state: string;
  /** The base URL of this installation. */
  baseUrl: string;
}

/** What has come of a new passkey. */
interface AddedPasskey {
  /** Ten recovery codes when the account had none. */
  codes: string[];
  /** Whether it signs in without a password: it has checked who uses it, and knows the account by itself. */
  worksAlone: boolean;
}

/**
 * Passkeys, as a second factor and to sign in without a password (Web Authentication Level 3, W3C). The library takes
 * 90 ms and 26 MB to load, so it is loaded when the first passkey is made or has answered: no stranger causes it.
 */
@Injectable()
export class PasskeysService {
  constructor(
    @InjectRepository(Passkey) private readonly passkeys: Repository<Passkey>,
    private readonly users: UsersService,
    private readonly secondFactors: SecondFactorsService,
    private readonly checks: SecondFactorChecks,
    private readonly states: SignInStates,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /** The passkeys of an account, oldest first. */
  listOf({ id: userId }: User): Promise<Passkey[]> {
    return this.passkeys.find({ where: { userId }, order: { id: 'ASC' } });
  }

  existFor({ id: userId }: User): Promise<boolean> {
    return this.passkeys.existsBy({ userId });
  }

  /** How a browser is asked to make a passkey. */
  async requestNew(
    user: User,
    baseUrl: string,
    now = new Date(),
  ): Promise<PasskeyRequest<PublicKeyCredentialCreationOptionsJSON>> {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: this.settings.OPERATOR_NAME ?? 'Sealpush',
      rpID: new URL(baseUrl).hostname,
      userName: user.email,
      userID: new Uint8Array(Buffer.from(user.id)),
      excludeCredentials: described(await this.listOf(user)),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    return { options, state: this.seal(CREATE, options.challenge, user.id, now) };
  }

  /**
   * Adds a passkey. All other sessions end.
   * @throws AccountError when the answer is wrong or too late, or the account has too many passkeys
   */
  async add(
    { passkey, state, baseUrl }: PasskeyResponse,
    name: string,
    change: FactorChange,
  ): Promise<AddedPasskey> {
    const { user, now = new Date() } = change;
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const asked = this.states.read(CREATE, state, now);
    const answer = parsed(passkey) as RegistrationResponseJSON | undefined;
    const verified = await ifValid(() =>
      verifyRegistrationResponse({
        response: answer as RegistrationResponseJSON,
        expectedChallenge: asked?.challenge ?? '',
        ...expectedAt(baseUrl),
        requireUserVerification: false,
      }),
    );
    if (asked?.userId !== user.id || !verified?.verified || isFramed(answer))
      throw new AccountError(new Problem('passkey_wrong'));
    const { credential, userVerified } = verified.registrationInfo;
    const row: Passkey = {
      id: newId(),
      userId: user.id,
      digest: digestOf(credential.id),
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: transportsOf(answer?.response.transports),
      name,
      createdAt: now,
      lastUsedAt: null,
      challengedAt: now,
    };
    const codes = await this.secondFactors.add(change, async (manager) => {
      if ((await manager.countBy(Passkey, { userId: user.id })) >= MAX_PER_ACCOUNT)
        throw new AccountError(new Problem('too_many_passkeys', { count: MAX_PER_ACCOUNT }));
      const refusal = () => new AccountError(new Problem('passkey_exists'));
      await unlessDuplicate(manager.insert(Passkey, row), refusal);
    });
    return { codes, worksAlone: userVerified && isDiscoverable(answer) };
  }

  /** Removes a passkey of this account; nothing happens when there is none. */
  remove(id: string, change: FactorChange): Promise<void> {
    return this.secondFactors.remove(change, Passkey, { id });
  }

  /** @param user whose passkeys are asked for; without one the browser offers those that it knows */
  async request(
    user: User | undefined,
    baseUrl: string,
    now = new Date(),
  ): Promise<PasskeyRequest<PublicKeyCredentialRequestOptionsJSON>> {
    const options: PublicKeyCredentialRequestOptionsJSON = {
      challenge: newToken(),
      rpId: new URL(baseUrl).hostname,
      timeout: MINUTE_MS,
      userVerification: user ? 'preferred' : 'required',
      ...(user && { allowCredentials: described(await this.listOf(user)) }),
    };
    return { options, state: this.seal(GET, options.challenge, user?.id ?? '', now) };
  }

  /**
   * The account whose passkey has answered, which is accepted once; undefined when the answer is wrong or too late.
   * Wrong answers count only for a passkey of an account: others would crowd out guesses at passwords.
   * @param user who must have answered; without one, whoever has it must have been verified by the authenticator
   * @throws AccountError when all is right but that
   * @throws TooManyRequests
   */
  async verify(
    { passkey, state, baseUrl }: PasskeyResponse,
    ip: string,
    user?: User,
    now = new Date(),
  ): Promise<User | undefined> {
    const asked = this.states.read(GET, state, now);
    const digest = digestIn(passkey);
    if (asked?.userId !== (user?.id ?? '') || digest === undefined) return undefined;
    const row = await this.passkeys.findOneBy({ digest });
    if (!row || (user && row.userId !== user.id)) return undefined;
    const owner = await this.users.findEnabled(row.userId);
    if (!owner) return undefined;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    let isUnverified = false as boolean; // TypeScript does not see that the callback sets it
    const isRight = await this.checks.counted(owner, ip, now, async () => {
      const verified = await ifValid(() =>
        verifyAuthenticationResponse({
          response: parsed(passkey) as AuthenticationResponseJSON,
          expectedChallenge: asked.challenge ?? '',
          ...expectedAt(baseUrl),
          credential: {
            id: row.credentialId.toString('base64url'),
            publicKey: new Uint8Array(row.publicKey),
            counter: row.counter,
          },
          requireUserVerification: false, // which is checked below, because people are told
        }),
      );
      if (!verified?.verified || isFramed(parsed(passkey))) return false;
      const { newCounter, userVerified } = verified.authenticationInfo;
      isUnverified = user === undefined && !userVerified;
      if (isUnverified) return false;
      return this.recordUse(row, newCounter, new Date(asked.at ?? ''), now);
    });
    if (isUnverified) throw new AccountError(new Problem('passkey_unverified'));
    return isRight ? owner : undefined;
  }

  /**
   * The account whose passkey has answered a request without an account.
   * @throws AccountError when the answer is wrong or too late
   * @throws TooManyRequests
   */
  async signIn(answer: PasskeyResponse, ip: string): Promise<User> {
    const user = await this.verify(answer, ip);
    if (user) return user;
    throw new AccountError(new Problem('passkey_wrong'));
  }

  /** False when the challenge, or a later one, has been answered before. */
  private async recordUse({ id }: Passkey, counter: number, challengedAt: Date, now: Date): Promise<boolean> {
    await capTimes(this.unitOfWork, this.passkeys, { id }, 'challengedAt', now);
    const unused = { id, challengedAt: LessThan(challengedAt) };
    const { affected } = await this.unitOfWork.run((manager) =>
      manager.update(Passkey, unused, { counter, challengedAt, lastUsedAt: now }),
    );
    return affected === 1;
  }

  private seal(kind: string, challenge: string, userId: string, now: Date): string {
    const endsAt = new Date(now.getTime() + CHALLENGE_ENDS_AFTER_MS);
    return this.states.seal(kind, { challenge, userId, at: now.toISOString() }, endsAt);
  }
}

/** That of the passkey that has answered; undefined for anything but an answer. */
export function digestIn(passkey: string): string | undefined {
  const { id } = (parsed(passkey) ?? {}) as { id?: unknown };
  return typeof id === 'string' ? digestOf(id) : undefined;
}

/** Where the browser must have been. */
function expectedAt(baseUrl: string): { expectedOrigin: string; expectedRPID: string } {
  const { origin, hostname } = new URL(baseUrl);
  return { expectedOrigin: origin, expectedRPID: hostname };
}

function described(passkeys: Passkey[]) {
  return passkeys.map(({ credentialId, transports }) => ({
    type: 'public-key' as const,
    id: credentialId.toString('base64url'),
    ...(transports !== '' && { transports: transports.split(',') }),
  }));
}

/** Whether it is found without the account; browsers that do not say are believed to have made it so, as they were asked. */
function isDiscoverable(answer?: { clientExtensionResults?: { credProps?: { rk?: unknown } } }): boolean {
  return answer?.clientExtensionResults?.credProps?.rk !== false;
}

/** Only those that are words, because the browser of a stranger sends them. */
function transportsOf(transports: unknown): string {
  if (!Array.isArray(transports)) return '';
  const words = transports.filter((word) => typeof word === 'string' && /^[a-z-]{1,15}$/.test(word));
  return words.slice(0, 6).join(',');
}

/** Whether a page of another site had ours in a frame, which the library accepts in some answers. Ours are in none. */
function isFramed(answer?: { response?: { clientDataJSON?: unknown } }): boolean {
  const data = Buffer.from(String(answer?.response?.clientDataJSON), 'base64url').toString();
  const { crossOrigin = false, topOrigin } = (parsed(data) ?? {}) as Record<string, unknown>;
  return crossOrigin !== false || topOrigin !== undefined;
}

/** Undefined for anything but an object. */
function parsed(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for an answer that the library refuses: it throws plain errors, with parts of the answer. */
async function ifValid<Verified>(verify: () => Promise<Verified>): Promise<Verified | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

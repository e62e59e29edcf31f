import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import type { OutageLog } from '../../platform/logging/log.js';
import { Log } from '../../platform/logging/log.js';
import { Proxies } from '../../platform/settings/proxies.js';
import type { OpenIdClient } from '../../platform/outbox/limited-fetch.js';
import {
  allowInsecure,
  codesOf,
  limitedFetch,
  ServerUnavailable,
} from '../../platform/outbox/limited-fetch.js';
import { Settings } from '../../platform/settings/settings.js';
import { OidcSettings } from './oidc.settings.js';
import { MINUTE_MS, SECOND_MS } from '../../platform/settings/units.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import { User } from '../../auth/entities/user.entity.js';
import type { ProviderLogout } from '../../auth/sessions/identities.service.js';
import { SignInThrottle, StateUsed } from '../../auth/sign-in/sign-in-throttle.js';
import { ClientAuthentication } from './client-authentication.js';
import {
  logoutRefusalIn,
  ProviderRefusals,
  ProviderResponseInvalid,
  ProviderUnavailable,
  signInRefusalIn,
} from './provider-refusals.js';
import type { ProviderRefusalReason } from './provider-refusals.js';

const METADATA_KEPT_MS = MINUTE_MS;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_TOKEN_LIFETIME_SECONDS = 300;
const MAX_GROUPS = 1000;

/** What a browser keeps while its user is at the provider. */
export interface AuthorizationRequest {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Whose browser has come back from the provider. */
interface ReturningClient {
  ip: string;
  /** Aborts when it has disconnected. */
  gone: AbortSignal;
}

/** Who has signed in at the provider. */
export interface ProviderUser {
  issuer: string;
  subject: string;
  /** Only one that the provider says is verified, as `User.normalizeEmail` returns it. */
  email?: string;
  /** Why there is none. */
  emailRefusal?: 'email_missing' | 'email_unverified';
  groups: string[];
  /** Whether the provider has said nothing about groups. */
  hasNoGroups?: boolean;
  /** The id of the provider's own session. */
  session?: string;
  /** What names that session to the provider when the person signs out there. */
  idToken?: string;
  /** When the person last gave the provider a password or the like, if it says so. */
  authenticatedAt?: Date;
}

type Claims = Record<string, unknown>;

/**
 * The provider of OpenID Connect that the settings name: the authorization code flow with PKCE, sign-out at the provider
 * (OpenID Connect RP-Initiated Logout 1.0), and the other way round (OpenID Connect Back-Channel Logout 1.0). Its keys
 * are fetched for each sign-in, and its metadata at most once a minute.
 */
@Injectable()
export class IdentityProvider {
  private metadata?: { promise: Promise<ServerMetadata>; until: number };
  /** Each returning browser takes one to four requests and up to 1 MiB. */
  private readonly queue = new FairQueue({ concurrency: 20, waitingOfOne: 20, waitingOfAll: 200 });
  private logoutKeys?: { from: string; keys: JWTVerifyGetKey };
  private readonly outage: OutageLog;

  constructor(
    private readonly settings: OidcSettings,
    private readonly serviceSettings: Settings,
    private readonly client: ClientAuthentication,
    private readonly refusals: ProviderRefusals,
    private readonly throttle: SignInThrottle,
    private readonly proxies: Proxies,
    log: Log,
  ) {
    this.outage = log.outage((error) => error instanceof ProviderUnavailable, {
      begins: 'The provider of OpenID Connect cannot be used',
      ends: 'The provider of OpenID Connect can be used again',
      reasonOf: (error) => (error as ProviderUnavailable).reason,
    });
  }

  get isConfigured(): boolean {
    return this.settings.OIDC_ISSUER !== undefined;
  }

  /**
   * Where a browser has to go to sign in, and what it must still know when it comes back.
   * @param slot is part of the state, and tells which of several sign-ins of the browser it is
   * @param fresh whether the provider must ask the person again, although they are signed in there
   * @throws ProviderUnavailable
   */
  async begin(slot: string, fresh: boolean): Promise<{ url: string; request: AuthorizationRequest }> {
    const oidc = await import('openid-client');
    const configuration = await this.configuration(oidc);
    const request = {
      state: `${slot}.${oidc.randomState()}`,
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.settings.OIDC_SCOPES,
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
      ...(fresh && { prompt: 'login', max_age: '0' }),
    });
    return { url: url.href, request };
  }

  /**
   * Who has come back from the provider. Few do at a time, each state once, and whoever brings many wrong ones waits.
   * @param query of the URL to which the provider has sent the browser
   * @throws ProviderUnavailable
   * @throws ProviderResponseInvalid also when the person did not sign in there
   * @throws TooManyRequests
   */
  async finish(
    query: string,
    request: AuthorizationRequest,
    { ip, gone }: ReturningClient,
  ): Promise<ProviderUser> {
    const timeout = AbortSignal.timeout(this.settings.OIDC_TIMEOUT * SECOND_MS);
    const signal = AbortSignal.any([timeout, gone]);
    try {
      const attempt = await this.throttle.recordProviderSignIn(request.state, ip);
      try {
        const exchange = () => this.exchange(query, request, signal);
        const person = await this.queue.run({ ip }, exchange, signal);
        await this.throttle.forgetClient(attempt);
        return person;
      } catch (error) {
        if (!isClientsFault(error)) await this.throttle.forgetClient(attempt);
        throw error;
      }
    } catch (error) {
      gone.throwIfAborted();
      const refusal = error instanceof StateUsed ? new ProviderResponseInvalid('state_used') : error;
      if (refusal instanceof ProviderResponseInvalid) await this.refusals.signIn(refusal.reason, refusal);
      throw refusal === timeout.reason ? new ProviderUnavailable('TIMEOUT') : refusal;
    }
  }

  /** Records that a browser has come back which has begun nothing here. */
  async refuseUnknown(ip: string): Promise<void> {
    await this.throttle.recordProviderSignIn(`unknown ${randomUUID()}`, ip);
    await this.refusals.signIn('state_unknown');
  }

  /**
   * Where a browser signs out of the provider; undefined if the provider has no such page.
   * @param idToken without it, the provider asks the person, and some cannot sign anybody out
   * @throws ProviderUnavailable
   */
  async signOutUrl(idToken?: string): Promise<string | undefined> {
    const oidc = await import('openid-client');
    const configuration = await this.configuration(oidc);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    const back = {
      post_logout_redirect_uri: `${this.serviceSettings.PUBLIC_URL}/users/sign_in`,
      ...(idToken !== undefined && { id_token_hint: idToken }),
    };
    return oidc.buildEndSessionUrl(configuration, back).href;
  }

  /**
   * What the provider says has ended (OpenID Connect Back-Channel Logout 1.0, section 2.6).
   * @throws ProviderUnavailable
   * @throws ProviderResponseInvalid
   */
  async logoutOf(token: string): Promise<ProviderLogout> {
    try {
      return await this.readLogout(token);
    } catch (error) {
      if (error instanceof ProviderResponseInvalid) await this.refusals.logout(error.reason, error);
      throw error;
    }
  }

  private async readLogout(token: string): Promise<ProviderLogout> {
    const [oidc, { createRemoteJWKSet, customFetch, jwtVerify, errors }] = await Promise.all([
      import('openid-client'),
      import('jose'),
    ]);
    const { issuer, jwks_uri: uri } = await this.discover(oidc);
    if (uri === undefined) throw new ProviderUnavailable('no jwks_uri');
    if (this.logoutKeys?.from !== uri) {
      // keeps the keys, so that what a stranger sends as a token causes at most one request in 30 seconds
      const keys = createRemoteJWKSet(new URL(uri), {
        timeoutDuration: this.requestMs,
        [customFetch]: this.fetch(),
      });
      this.logoutKeys = { from: uri, keys };
    }
    const { OIDC_CLIENT_ID: audience, OIDC_CLOCK_TOLERANCE: clockTolerance } = this.settings;
    try {
      const { payload } = await jwtVerify(token, this.logoutKeys.keys, {
        issuer,
        audience,
        algorithms: ASYMMETRIC,
        maxTokenAge: LOGOUT_TOKEN_LIFETIME_SECONDS,
        clockTolerance,
      });
      return logoutIn(payload, issuer, clockTolerance);
    } catch (error) {
      if (error instanceof ProviderResponseInvalid) throw error;
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
        throw logoutRefusalIn(error);
      const unavailable = unavailableIn(error) ?? new ProviderUnavailable(codesOf(error));
      this.outage.failed(unavailable);
      throw unavailable;
    }
  }

  private async exchange(
    query: string,
    request: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<ProviderUser> {
    const oidc = await import('openid-client');
    const metadata = await this.discover(oidc);
    const fetch = this.fetchWithin(metadata, signal);
    return this.explained(async () => {
      const { configuration, tokens } = await this.client.authenticate(metadata, async (auth) => {
        const configuration = this.configure(oidc, metadata, fetch, auth);
        const tokens = await oidc.authorizationCodeGrant(configuration, new URL(this.redirectUri + query), {
          expectedState: request.state,
          expectedNonce: request.nonce,
          pkceCodeVerifier: request.codeVerifier,
          idTokenExpected: true,
        });
        return { configuration, tokens };
      });
      const idToken = tokens.claims() ?? {};
      const sources: Claims[] = [idToken];
      if (!this.hasAll(idToken))
        sources.push(await this.userInfo(oidc, configuration, tokens.access_token, idToken));
      this.logoutKeys = undefined; // a new key may sign the token that tells of the end of this session
      return { ...this.userOf(sources), idToken: tokens.id_token };
    }, signal);
  }

  private get redirectUri(): string {
    return `${this.serviceSettings.PUBLIC_URL}/users/sign_in/provider/callback`;
  }

  /** For requests that need no authentication. */
  private async configuration(oidc: OpenIdClient): Promise<Configuration> {
    return this.configure(oidc, await this.discover(oidc), this.fetch(), oidc.None());
  }

  private get requestMs(): number {
    return (this.settings.OIDC_TIMEOUT / 2) * SECOND_MS;
  }

  private fetch(signal?: AbortSignal): CustomFetch {
    return limitedFetch({ proxies: this.proxies, timeoutMs: this.requestMs, signal });
  }

  /** Begins to fetch the keys of the provider at once, while the token is fetched that they are for. */
  private fetchWithin({ jwks_uri: uri }: ServerMetadata, signal: AbortSignal): CustomFetch {
    const fetch = this.fetch(signal);
    const href = uri === undefined ? undefined : URL.parse(uri)?.href;
    if (href === undefined) return fetch;
    const keys = fetch(href, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
    const fetched = keys.then((response) => {
      if (response.status === 200) return response;
      throw new ProviderUnavailable(`HTTP ${response.status}`);
    });
    fetched.catch(() => undefined); // who needs them is told
    return (url, options) =>
      url === href ? fetched.then((response) => response.clone()) : fetch(url, options);
  }

  /** Made anew each time: it keeps the keys of the provider, also when these have changed. */
  private configure(
    oidc: OpenIdClient,
    metadata: ServerMetadata,
    fetch: CustomFetch,
    auth: ClientAuth,
  ): Configuration {
    const { OIDC_CLIENT_ID = '', OIDC_CLOCK_TOLERANCE } = this.settings;
    const client = { [oidc.clockTolerance]: OIDC_CLOCK_TOLERANCE };
    const configuration = new oidc.Configuration(metadata, OIDC_CLIENT_ID, client, auth);
    configuration[oidc.customFetch] = fetch;
    if (this.isInsecure) allowInsecure(oidc)(configuration);
    oidc.enableNonRepudiationChecks(configuration); // checks the signatures of ID tokens, too
    return configuration;
  }

  /** The provider's metadata. Requests that need it at the same time share one request. */
  private discover(oidc: OpenIdClient): Promise<ServerMetadata> {
    if (!this.metadata || this.metadata.until < performance.now()) {
      const promise = this.fetchMetadata(oidc);
      this.metadata = { promise, until: performance.now() + METADATA_KEPT_MS };
      promise.catch(() => (this.metadata = undefined)); // only what was received is kept
    }
    return this.metadata.promise;
  }

  private fetchMetadata(oidc: OpenIdClient): Promise<ServerMetadata> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '' } = this.settings;
    return this.explained(async () => {
      try {
        const configuration = await oidc.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, {}, undefined, {
          [oidc.customFetch]: this.fetch(),
          execute: this.isInsecure ? [allowInsecure(oidc)] : [],
        });
        const metadata = { ...configuration.serverMetadata() };
        // the library accepts the issuer of Microsoft Entra ID for all tenants, which no token has
        if (URL.parse(metadata.issuer)?.href !== new URL(OIDC_ISSUER).href)
          throw new ProviderUnavailable('its issuer is another one');
        return metadata;
      } catch (error) {
        throw unavailableIn(error) ?? new ProviderUnavailable(codesOf(error)); // this is no provider
      }
    });
  }

  /** Only where the operator has written the issuer so. */
  private get isInsecure(): boolean {
    return this.settings.OIDC_ISSUER?.startsWith('http:') ?? false;
  }

  /** Some providers put into the ID token only the subject, whatever was asked for. */
  private hasAll(claims: Claims): boolean {
    const { OIDC_GROUPS_CLAIM, OIDC_ADMIN_GROUP, OIDC_ALLOWED_GROUPS } = this.settings;
    const needsGroups = OIDC_ADMIN_GROUP !== undefined || OIDC_ALLOWED_GROUPS.length > 0;
    const isVerificationKnown = (claims.email_verified ?? claims.xms_edov) !== undefined;
    const hasEmail = claims.email !== undefined && isVerificationKnown;
    return hasEmail && (!needsGroups || claims[OIDC_GROUPS_CLAIM] !== undefined);
  }

  private async userInfo(
    oidc: OpenIdClient,
    configuration: Configuration,
    accessToken: string,
    { sub }: Claims,
  ): Promise<Claims> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    try {
      return { ...(await oidc.fetchUserInfo(configuration, accessToken, String(sub))) };
    } catch (error) {
      throw (
        unavailableIn(error) ?? new ProviderResponseInvalid('userinfo_refused', undefined, codesOf(error))
      );
    }
  }

  /** @param sources of claims, of which the first ones count more */
  private userOf(sources: Claims[]): ProviderUser {
    const claims = Object.assign({}, ...sources.toReversed()) as Claims;
    const { iss, sub, sid, email, auth_time: time } = claims;
    const groups = claims[this.settings.OIDC_GROUPS_CLAIM];
    return {
      issuer: String(iss),
      subject: String(sub),
      email: verifiedEmailIn(sources),
      emailRefusal: typeof email === 'string' ? 'email_unverified' : 'email_missing',
      groups: textsIn(groups).slice(0, MAX_GROUPS),
      hasNoGroups: groups === undefined,
      session: typeof sid === 'string' ? sid : undefined,
      authenticatedAt: typeof time === 'number' ? momentOf(time) : undefined,
    };
  }

  /**
   * Turns the errors of the library into ours. Their messages and causes can contain tokens, so only what kind of error
   * it is gets into the log.
   */
  private async explained<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      const result = await work();
      this.outage.worked();
      return result;
    } catch (error) {
      const unavailable = unavailableIn(error);
      if (!unavailable) throw error instanceof ProviderResponseInvalid ? error : signInRefusalIn(error);
      if (!isGone(signal)) this.outage.failed(unavailable);
      throw unavailable;
    }
  }
}

/** Whether the client has disconnected: then the provider has not failed. */
function isGone(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && (signal.reason as Error).name !== 'TimeoutError';
}

/** What somebody could send again and again; the rest is the provider's or the operator's. */
const CLIENTS_FAULTS: ProviderRefusalReason[] = [
  'code_refused',
  'token_refused',
  'provider_error',
  'issuer_differs',
  'response_invalid',
];

function isClientsFault(error: unknown): boolean {
  return error instanceof ProviderResponseInvalid && CLIENTS_FAULTS.includes(error.reason);
}

/** Signatures that whoever knows the client's secret cannot make. */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** What the library has wrapped into its own errors. */
function unavailableIn(error: unknown): ProviderUnavailable | undefined {
  if (error instanceof ProviderUnavailable) return error;
  if (error instanceof ServerUnavailable) return new ProviderUnavailable(error.message);
  return error instanceof Error ? unavailableIn(error.cause) : undefined;
}

function logoutIn(
  payload: JWTPayload & { events?: unknown; nonce?: unknown; sid?: unknown },
  issuer: string,
  clockTolerance: number,
): ProviderLogout {
  const { events, nonce, sub, sid, iat, jti } = payload;
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const session = typeof sid === 'string' ? sid : undefined;
  // one with a nonce is an ID token
  if (!isLogout || nonce !== undefined || iat === undefined || (sub === undefined && session === undefined))
    throw new ProviderResponseInvalid('no_logout');
  const id = typeof jti === 'string' ? jti : JSON.stringify(payload);
  return { id, issuer, subject: sub, session, issuedAt: new Date((iat + clockTolerance) * SECOND_MS) };
}

/** Not after now, so that a wrong one cannot be stored or count for longer. */
function momentOf(seconds: number): Date {
  return new Date(Math.max(0, Math.min(seconds * SECOND_MS, Date.now())));
}

/**
 * An email address and that it is verified must come from the same source, and no source may say that it is not.
 * Microsoft Entra ID has no `email_verified`, but says with `xms_edov` whether the owner of the domain vouches for it.
 */
function verifiedEmailIn(sources: Claims[]): string | undefined {
  const says = ({ email_verified: first, xms_edov: second }: Claims, answers: unknown[]) =>
    [first, second].some((it) => answers.includes(it));
  if (sources.some((claims) => says(claims, [false, 'false', 0, '0']))) return undefined;
  const found = sources.find(
    (claims) => typeof claims.email === 'string' && says(claims, [true, 'true', 1, '1']),
  );
  return found && User.normalizeEmail(found.email as string);
}

function textsIn(claim: unknown): string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((it): it is string => typeof it === 'string');
}

import { createPrivateKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import type { ClientAuth, Configuration } from 'openid-client';
import type { OpenIdClient } from '../outbox/limited-fetch.js';
import { allowInsecure, codesOf, limitedFetch, ServerUnavailable } from '../outbox/limited-fetch.js';
import { Proxies } from '../settings/proxies.js';
import { Settings } from '../settings/settings.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../settings/units.js';

/** Less than a step of SMTP may take: a mail server that has refused a token waits for the next one. */
const TIMEOUT_MS = 8 * SECOND_MS;
/** Of a token that is kept, whatever the authorization server says. */
const MAX_LIFETIME_MS = DAY_MS;
/** When it says nothing. */
const UNKNOWN_LIFETIME_MS = 5 * MINUTE_MS;
/** How long before its end a token is replaced, at most: it has to last for a mail. */
const MAX_MARGIN_MS = 5 * MINUTE_MS;
const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const NOT_ACCEPTED = 535;

/** There is no access token for the mail server. The message has the words of the authorization server. */
export class MailTokenError extends Error {
  constructor(
    readonly failure: 'OAUTH_REFUSED' | 'OAUTH_UNAVAILABLE',
    words: string,
  ) {
    super(`The token URL ${failure === 'OAUTH_REFUSED' ? 'refuses' : 'cannot be used'}: ${words}`);
  }
}

/**
 * Access tokens for the mail server, from the token URL of the settings: by client credentials (RFC 6749, section 4.4),
 * or by an assertion that the key of a service account signs (RFC 7523, section 2.1). A token is kept until shortly
 * before its end.
 */
@Injectable()
export class MailTokens {
  private token?: { value: string; until: number };

  constructor(
    private readonly settings: Settings,
    private readonly proxies: Proxies,
  ) {}

  get isConfigured(): boolean {
    return this.settings.MAIL_OAUTH_TOKEN_URL !== undefined;
  }

  /** How nodemailer signs in with them (SASL XOAUTH2): it asks for a token at each mail, and for a new one if it is refused. */
  get auth(): SMTPTransportOptions['auth'] {
    const alwaysAsk = 1; // milliseconds since 1970 at which nodemailer takes the token to end
    return {
      type: 'OAuth2',
      user: this.user,
      provisionCallback: (_user, isRefused, done) => {
        if (isRefused) this.token = undefined;
        this.current().then((token) => {
          done(null, token, alwaysAsk);
        }, done);
      },
    };
  }

  /** What a mail server must not be shown to repeat. */
  get secrets(): string[] {
    return [this.settings.MAIL_OAUTH_CLIENT_SECRET, this.token?.value].filter((text) => text !== undefined);
  }

  /**
   * Does what needs a token: once more with a new one if the server does not accept one that was kept.
   * @throws MailTokenError
   */
  async use<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const kept = this.token?.value;
    await this.current(signal);
    try {
      return await work();
    } catch (error) {
      const isRefused = (error as NodemailerError).responseCode === NOT_ACCEPTED;
      if (!isRefused || kept === undefined || this.token?.value !== kept) throw error;
      this.token = undefined;
      await this.current(signal);
      return work();
    }
  }

  /**
   * @param now milliseconds of a clock that never goes back
   * @throws MailTokenError
   */
  async current(signal?: AbortSignal, now = performance.now()): Promise<string> {
    if (!this.token || this.token.until <= now) {
      const { value, lifetime } = await this.request(signal);
      this.token = { value, until: now + lifetime - Math.min(MAX_MARGIN_MS, lifetime / 10) };
    }
    return this.token.value;
  }

  private get user(): string {
    return this.settings.MAIL_OAUTH_USER ?? this.settings.MAIL_FROM?.address ?? '';
  }

  private async request(signal?: AbortSignal): Promise<{ value: string; lifetime: number }> {
    const { MAIL_OAUTH_CLIENT_SECRET: secret = '', MAIL_OAUTH_PRIVATE_KEY: key } = this.settings;
    const oidc = await import('openid-client'); // only loaded when it is needed
    try {
      const { access_token: value, expires_in: seconds } = await (key === undefined
        ? oidc.clientCredentialsGrant(
            this.configure(oidc, oidc.ClientSecretPost(secret), signal),
            this.requested,
          )
        : oidc.genericGrantRequest(this.configure(oidc, NO_CLIENT, signal), ASSERTION_GRANT, {
            assertion: await this.assertion(key),
          }));
      const lifetime = seconds === undefined ? UNKNOWN_LIFETIME_MS : seconds * SECOND_MS;
      return { value, lifetime: Math.min(lifetime, MAX_LIFETIME_MS) };
    } catch (error) {
      throw tokenErrorOf(error);
    }
  }

  private configure(oidc: OpenIdClient, auth: ClientAuth, signal?: AbortSignal): Configuration {
    const { MAIL_OAUTH_TOKEN_URL: url = '', MAIL_OAUTH_CLIENT_ID: id = '' } = this.settings;
    const server = { issuer: new URL(url).origin, token_endpoint: url };
    const configuration = new oidc.Configuration(server, id, undefined, auth);
    configuration[oidc.customFetch] = limitedFetch({
      proxies: this.proxies,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    if (url.startsWith('http:')) allowInsecure(oidc)(configuration);
    return configuration;
  }

  private get requested(): { scope?: string } {
    const { MAIL_OAUTH_SCOPE: scope } = this.settings;
    return scope === undefined ? {} : { scope };
  }

  private async assertion(key: string): Promise<string> {
    const { SignJWT } = await import('jose');
    const { MAIL_OAUTH_CLIENT_ID: id = '', MAIL_OAUTH_TOKEN_URL: url = '' } = this.settings;
    return new SignJWT(this.requested)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(id)
      .setSubject(this.user)
      .setAudience(url)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(createPrivateKey(key));
  }
}

/** The assertion says who asks. */
const NO_CLIENT: ClientAuth = () => undefined;

function tokenErrorOf(error: unknown): MailTokenError {
  const { error: refusal, error_description: description, status } = error as Record<string, unknown>;
  if (typeof refusal === 'string') {
    const words = typeof description === 'string' ? `${refusal}: ${description}` : refusal;
    return new MailTokenError('OAUTH_REFUSED', words);
  }
  const { cause } = error as Error;
  if (cause instanceof ServerUnavailable) return new MailTokenError('OAUTH_UNAVAILABLE', cause.message);
  const answered = cause instanceof Response && cause.status !== 200 ? cause.status : status;
  const words = typeof answered === 'number' ? `HTTP ${answered}` : codesOf(error);
  return new MailTokenError('OAUTH_UNAVAILABLE', words);
}

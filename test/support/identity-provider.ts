import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CryptoKey, JWK, JWTPayload } from 'jose';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ClientResponse } from './client.js';
import type { PageClient } from './page-client.js';

export const CLIENT_ID = 'sealpush';
export const CLIENT_SECRET = 'seven green rivers at the provider';
/** Nothing listens there: tests take from URLs what comes after it. */
export const PUBLIC_URL = 'http://sealpush.example';

/** Who is signed in at the provider. */
export interface Person {
  sub: string;
  email: string;
  email_verified?: boolean;
  groups?: string[];
  [claim: string]: unknown;
}

/** A code that was given to a browser, and what it was asked for with. */
interface Grant {
  person: Person;
  query: URLSearchParams;
}

/** In the body, or with Basic, which is form-decoded as RFC 6749 says, or compared as it is. */
type ClientAuth = 'post' | 'basic' | 'basic_raw' | 'none';

/** What the provider does differently from what it should. */
export interface Lies {
  /** Claims of the ID token that replace the right ones; undefined leaves one out. */
  claims?: Record<string, unknown>;
  /** Parameters of the redirect that replace the right ones. */
  redirect?: Record<string, string>;
  /** Turns the ID token into another one. */
  token?: (claims: JWTPayload) => string | Promise<string>;
  /** Claims only the userinfo endpoint tells. */
  userinfo?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  /** How the client must authenticate, and how what it sends is compared; by default `basic`. */
  clientAuth?: ClientAuth;
  /** The response to a client that does not. */
  refusal?: (response: ServerResponse) => void;
  /** What a request for a path waits for. */
  before?: (path: string) => Promise<unknown> | undefined;
  /** Handles a request in place of the provider; returns whether it did. */
  handle?: (path: string, response: ServerResponse) => boolean;
}

/**
 * A provider of OpenID Connect where `person` is signed in and agrees to everything, and which can lie. It checks the
 * client's secret, its code verifier and that each code is used once.
 */
export class TestIdentityProvider {
  person: Person;
  lies: Lies = {};
  client = { id: CLIENT_ID, secret: CLIENT_SECRET };
  /** Where it is reached, if not directly. */
  address?: string;
  /** The paths of requests that it got, in order. */
  readonly requests: string[] = [];
  private readonly grants = new Map<string, Grant>();
  private readonly people = new Map<string, Person>();
  private readonly server = createServer((request, response) => {
    void this.handle(request, response);
  });
  private key: { private: CryptoKey; public: JWK };

  static async start(): Promise<TestIdentityProvider> {
    const provider = new TestIdentityProvider();
    await provider.rotateKey();
    await new Promise<void>((listening) => provider.server.listen(0, '127.0.0.1', listening));
    return provider;
  }

  get issuer(): string {
    return this.address ?? `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of an installation that uses it. */
  get env(): Record<string, string> {
    return {
      PUBLIC_URL,
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: this.client.id,
      OIDC_CLIENT_SECRET: this.client.secret,
      OIDC_NAME: 'Example Login',
    };
  }

  /** Signs in somebody new, whom everybody else has forgotten. */
  newPerson(more: Partial<Person> = {}): Person {
    const id = randomUUID();
    this.person = { sub: `subject ${id}`, email: `${id}@example.org`, email_verified: true, ...more };
    this.lies = {};
    return this.person;
  }

  async rotateKey(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = randomUUID();
    this.key = {
      private: privateKey,
      public: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
    };
  }

  /** Signs claims as a token; with another type it is a token of another kind. */
  sign(claims: JWTPayload, typ = 'JWT', key = this.key.private): Promise<string> {
    const header = { alg: 'RS256', kid: String(this.key.public.kid), typ };
    return new SignJWT(claims).setProtectedHeader(header).sign(key);
  }

  /** The token that tells that somebody has signed out here. */
  logoutToken(claims: JWTPayload, typ = 'logout+jwt'): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return this.sign(
      {
        iss: this.issuer,
        aud: this.client.id,
        iat: now,
        exp: now + 120,
        jti: randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      },
      typ,
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    this.requests.push(url.pathname);
    if (this.lies.handle?.(url.pathname, response)) return;
    await this.lies.before?.(url.pathname);
    if (url.pathname === '/.well-known/openid-configuration')
      json(response, 200, { ...this.metadata(), ...this.lies.metadata });
    else if (url.pathname === '/keys') json(response, 200, { keys: [this.key.public] });
    else if (url.pathname === '/authorize') this.authorize(url.searchParams, response);
    else if (url.pathname === '/token') await this.exchange(request, response);
    else if (url.pathname === '/userinfo') this.describe(request, response);
    else json(response, 404, {});
  }

  private describe({ headers }: IncomingMessage, response: ServerResponse): void {
    const person = this.people.get(headers.authorization?.replace('Bearer ', '') ?? '');
    json(response, person ? 200 : 401, { ...person, ...this.lies.userinfo });
  }

  private metadata(): object {
    const at = (path: string) => `${this.issuer}/${path}`;
    return {
      issuer: this.issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      userinfo_endpoint: at('userinfo'),
      jwks_uri: at('keys'),
      end_session_endpoint: at('end'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    this.grants.set(code, { person: this.person, query });
    const back = new URL(query.get('redirect_uri') ?? '');
    const answer = { code, state: query.get('state') ?? '', iss: this.issuer, ...this.lies.redirect };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    response.writeHead(303, { Location: back.href }).end();
  }

  private async exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    if (!this.isClient(form, request)) {
      if (this.lies.refusal) this.lies.refusal(response);
      else json(response, 401, { error: 'invalid_client' });
      return;
    }
    const code = form.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.query.get('code_challenge') !== challenge) {
      json(response, 400, { error: 'invalid_grant' });
      return;
    }
    const access = randomUUID();
    this.people.set(access, grant.person);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...grant.person,
      iss: this.issuer,
      aud: this.client.id,
      iat: now,
      exp: now + 300,
      nonce: grant.query.get('nonce') ?? undefined,
      ...this.lies.claims,
    };
    const idToken = await (this.lies.token ?? ((right: JWTPayload) => this.sign(right)))(claims);
    json(response, 200, {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: idToken,
    });
  }

  private isClient(form: URLSearchParams, { headers }: IncomingMessage): boolean {
    const { clientAuth = 'basic' } = this.lies;
    const { id, secret } = this.client;
    const inHeader = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    const inBody = [form.get('client_id'), form.get('client_secret')];
    if (clientAuth === 'basic_raw') return inHeader === `${id}:${secret}`;
    if (clientAuth === 'basic') {
      const [name, password] = inHeader.split(':').map((part) => new URLSearchParams(`=${part}`).get(''));
      return name === id && password === secret && inBody.every((sent) => sent === null);
    }
    const expected = clientAuth === 'none' ? [id, null] : [id, secret];
    return headers.authorization === undefined && inBody.join('\n') === expected.join('\n');
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Goes to the provider from one of our links, and returns the path to which the provider sends the browser back. */
export async function pathBack(from: ClientResponse<string>): Promise<string> {
  const toProvider = from.headers.get('location') ?? '';
  const response = await fetch(toProvider, { redirect: 'manual' });
  return (response.headers.get('location') ?? '').slice(PUBLIC_URL.length);
}

/** The status of a redirect, and where it leads to below PUBLIC_URL. */
export function leadsTo({
  status,
  headers,
}: {
  status: number;
  headers: Headers;
}): [number, string | undefined] {
  return [status, headers.get('location')?.replace(PUBLIC_URL, '')];
}

/** Signs in at the provider, and returns our response to it. */
export async function signInAtProvider(
  pageClient: PageClient,
  next?: string,
): Promise<ClientResponse<string>> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  return pageClient.get(await pathBack(await pageClient.get(`/users/sign_in/provider${query}`)));
}

import { Injectable } from '@nestjs/common';
import type { ClientAuth, ServerMetadata } from 'openid-client';
import type { ClientAuthMethod } from './oidc.settings.js';
import { OidcSettings } from './oidc.settings.js';

const REFUSALS: unknown[] = ['invalid_client', 'unauthorized_client'];

/**
 * Authenticates this installation at the provider: in the body where its metadata names that, otherwise with Basic as
 * RFC 6749 says. Some providers name what a client may not use, and some compare Basic without decoding it: if the first
 * method is refused, another one is tried once, and the one that worked comes first from then on.
 */
@Injectable()
export class ClientAuthentication {
  private worked?: ClientAuthMethod;

  constructor(private readonly settings: OidcSettings) {}

  /** What `request` returns, which gets the authentication to use, and is called at most twice. */
  async authenticate<T>(metadata: ServerMetadata, request: (auth: ClientAuth) => Promise<T>): Promise<T> {
    const [first = 'none', second] = this.methodsFor(metadata);
    try {
      return await this.attempt(first, request);
    } catch (error) {
      if (second === undefined || !isClientRefused(error)) throw error;
      return await this.attempt(second, request);
    }
  }

  private async attempt<T>(method: ClientAuthMethod, request: (auth: ClientAuth) => Promise<T>): Promise<T> {
    const result = await request(clientAuth(method, this.settings.OIDC_CLIENT_SECRET ?? ''));
    this.worked = method;
    return result;
  }

  /** At most two, without one that would send the same as another. */
  private methodsFor(metadata: ServerMetadata): ClientAuthMethod[] {
    const { OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret, OIDC_CLIENT_AUTH: chosen } = this.settings;
    if (chosen !== undefined) return [chosen];
    if (secret === undefined) return ['none'];
    const names = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPostFirst = names.includes('client_secret_post') || !names.includes('client_secret_basic');
    const isSameRaw = formEncoded(id) === id && formEncoded(secret) === secret;
    const methods: ClientAuthMethod[] = isPostFirst
      ? ['post', 'basic']
      : isSameRaw
        ? ['basic']
        : ['basic', 'basic_raw'];
    return this.worked === methods[1] ? methods.toReversed() : methods;
  }
}

function clientAuth(method: ClientAuthMethod, secret: string): ClientAuth {
  return (_server, { client_id: id }, body, headers) => {
    if (method === 'post' || method === 'none') body.set('client_id', id);
    if (method === 'post') body.set('client_secret', secret);
    if (method === 'basic') headers.set('authorization', basic(formEncoded(id), formEncoded(secret)));
    if (method === 'basic_raw') headers.set('authorization', basic(id, secret));
  };
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

/** RFC 6749, section 2.3.1. The library also encodes `-`, `_` and `.`, which need not be. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** With 401 or, from some providers, another status and one of these codes. The authorization code is not used up. */
export function isClientRefused(error: unknown): boolean {
  const { status, error: code, cause } = error as { status?: unknown; error?: unknown; cause?: unknown };
  const isUnauthorized = status === 401 || (cause instanceof Response && cause.status === 401);
  return isUnauthorized || REFUSALS.includes(code);
}

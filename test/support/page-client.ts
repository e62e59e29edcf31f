import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { UsersService } from '../../src/auth/users/users.service.js';
import type { ClientResponse } from './client.js';
import { Client } from './client.js';
import type { RunningApp } from './start-app.js';

export const PASSWORD = 'seven wide green rivers';

/** Its hash at the lowest cost: what accounts cost to create and to sign in to is tested elsewhere. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$4DuSTUeu2NerPzw6Jsbc0Q$wsioDovhmHEw9oe7SD3QtHikfcHginyq3z6shi4pH0M';

/** How a page shows what is data: browsers do not translate it. */
export const asData = (text: string) => `<bdi translate="no">${text}</bdi>`;

/** Acts like a browser on our pages: posts forms as same-origin requests, and keeps cookies. */
export class PageClient {
  private readonly jar = new Map<string, string>();
  private readonly client: Client;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.client = new Client(url, { 'Sec-Fetch-Site': 'same-origin', ...headers });
  }

  /** The cookies as the browser would send them, or a thief who has stolen them. */
  get cookies(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async get(path: string): Promise<ClientResponse<string>> {
    return this.keep(await this.client.with(this.cookieHeader).get(path));
  }

  /** Gets a page with another `Host` header. */
  async getAs(host: string, path: string): Promise<{ headers: Headers }> {
    const { headers } = await request(this.client.url).get(path).set('Host', host);
    return { headers: new Headers(headers) };
  }

  /** Posts a form. Headers can make it come from another site. */
  async post(
    path: string,
    fields: Record<string, string> | FormData = {},
    headers: Record<string, string> = {},
  ): Promise<ClientResponse<string>> {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
    return this.keep(await this.client.with({ ...this.cookieHeader, ...headers }).send('POST', path, body));
  }

  signIn(email: string, password = PASSWORD): Promise<ClientResponse<string>> {
    return this.post('/users/sign_in', { email, password });
  }

  /** Whether pages for signed-in users are shown. */
  async isSignedIn(): Promise<boolean> {
    return (await this.get('/users/edit')).status === 200;
  }

  private get cookieHeader(): Record<string, string> {
    return this.jar.size === 0 ? {} : { Cookie: this.cookies };
  }

  private keep(response: ClientResponse<string>): ClientResponse<string> {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return response;
  }
}

export interface SignedInUser {
  id: string;
  email: string;
  pageClient: PageClient;
}

/** Creates an account with a password and signs in. */
export async function newSignedInUser({ app, url }: RunningApp): Promise<SignedInUser> {
  const email = `${randomUUID()}@example.org`;
  const account = { email, passwordHash: PASSWORD_HASH, emailUnverified: true };
  const { user } = await app.get(UsersService).create(account);
  const pageClient = new PageClient(url);
  await pageClient.signIn(email);
  return { id: user.id, email, pageClient };
}

/** A page without what depends on its path: where the choice of a language leads back to, and the digest of a link. */
export function withoutOwnPath(body: string): string {
  return body.replace(/(name="next" value="|data-link=")[^"]*/g, '$1');
}

/** The token of the link that a page shows first. */
export const tokenIn = (page: string): string => /\/p\/([\w-]{43})/.exec(page)?.[1] ?? '';

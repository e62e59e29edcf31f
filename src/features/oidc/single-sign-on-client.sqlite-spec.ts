import type { ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folder.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import type { Lies } from '../../../test/support/identity-provider.js';
import { leadsTo, signInAtProvider, TestIdentityProvider } from '../../../test/support/identity-provider.js';
import { PageClient } from '../../../test/support/page-client.js';
import type { RunningApp } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

const PRINTABLE = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index)).trim();
const SIGNED_IN = [303, '/pushes'];
const FAILED = [303, '/users/sign_in?failed=provider_sign_in_failed'];

const announced = (...methods: string[]) => ({ token_endpoint_auth_methods_supported: methods });
const BOTH = announced('client_secret_basic', 'client_secret_post');

const refusal =
  (status: number, body: object, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** What providers announce, what they want from this client, and how they refuse it otherwise. */
const PROVIDERS: [string, Lies][] = [
  ['announces nothing, and decodes', { clientAuth: 'basic' }],
  ['announces nothing, and compares as it is', { clientAuth: 'basic_raw' }],
  ['announces Basic, and decodes', { clientAuth: 'basic', metadata: announced('client_secret_basic') }],
  [
    'announces Basic, and compares as it is',
    { clientAuth: 'basic_raw', metadata: announced('client_secret_basic') },
  ],
  ['announces the body', { clientAuth: 'post', metadata: announced('client_secret_post') }],
  ['announces both, and wants the body', { clientAuth: 'post', metadata: BOTH }],
  ['announces both, and wants Basic', { clientAuth: 'basic', metadata: BOTH }],
];
const REFUSALS: [string, Lies['refusal']][] = [
  ['401 and a code', refusal(401, { error: 'invalid_client' })],
  ['a challenge', refusal(401, { error: 'invalid_client' }, { 'WWW-Authenticate': 'Basic realm="x"' })],
  ['401 without a body', (response) => response.writeHead(401).end()],
  ['400 and a code', refusal(400, { error: 'invalid_client' })],
  ['403 and another code', refusal(403, { error: 'unauthorized_client' })],
];

describe('A provider that', () => {
  const provider = forEachTest(() => TestIdentityProvider.start());

  beforeEach(() => {
    provider.newPerson();
  });

  const start = (env: Record<string, string> = {}) => forThisTest(startApp({ ...provider.env, ...env }));
  const signIn = async ({ url }: RunningApp) => leadsTo(await signInAtProvider(new PageClient(url)));
  const tokenRequests = () => provider.requests.filter((path) => path === '/token').length;

  describe.each(PROVIDERS)('%s', (_, lies) => {
    it.each([
      [PRINTABLE, PRINTABLE],
      ['sealpush', 'café %41+%2B 鍵'],
    ])('signs in with the id %j and the secret %j', async (id, secret) => {
      provider.client = { id, secret };
      provider.lies = lies;
      const app = await start();

      expect(await signIn(app)).toEqual(SIGNED_IN);
      const first = tokenRequests();
      expect(first).toBeLessThanOrEqual(2);
      expect(await signIn(app)).toEqual(SIGNED_IN); // the method that worked comes first
      expect(tokenRequests()).toBe(first + 1);
    });
  });

  it.each(REFUSALS)('refuses the first method with %s gets the other one', async (_, respond) => {
    provider.client.secret = 'with a space';
    provider.lies = { clientAuth: 'basic_raw', refusal: respond };
    expect(await signIn(await start())).toEqual(SIGNED_IN);
    expect(tokenRequests()).toBe(2);
  });

  it('changes what it wants gets that, without a restart', async () => {
    provider.lies = { metadata: BOTH, clientAuth: 'basic' };
    const app = await start();
    for (const clientAuth of ['basic', 'post', 'basic'] as const) {
      provider.lies = { metadata: BOTH, clientAuth };
      expect(await signIn(app)).toEqual(SIGNED_IN);
    }
  });

  it.each([
    ['with a wrong secret, is asked twice at most', { OIDC_CLIENT_SECRET: 'wrong secret' }, 2],
    ['with a secret that has one form only, is asked once', { OIDC_CLIENT_SECRET: 'wrong' }, 1],
    [
      'with a chosen method, is asked once',
      { OIDC_CLIENT_SECRET: 'wrong one', OIDC_CLIENT_AUTH: 'basic' },
      1,
    ],
  ] as [string, Record<string, string>, number][])('refuses every method: %s', async (_, env, requests) => {
    expect(await signIn(await start(env))).toEqual(FAILED);
    expect(tokenRequests()).toBe(requests);
  });

  it('refuses the code, and not the client, is not asked again', async () => {
    provider.client.secret = 'with a space';
    provider.lies = { redirect: { code: 'another' } };
    expect(await signIn(await start())).toEqual(FAILED);
    expect(tokenRequests()).toBe(1);
  });

  it.each(['post', 'basic', 'basic_raw'] as const)('wants what OIDC_CLIENT_AUTH=%s sends', async (method) => {
    provider.client = { id: 'a.b~c', secret: PRINTABLE };
    provider.lies = { clientAuth: method, metadata: announced('private_key_jwt') };
    expect(await signIn(await start({ OIDC_CLIENT_AUTH: method }))).toEqual(SIGNED_IN);
    expect(tokenRequests()).toBe(1);
  });

  it('knows the client without a secret', async () => {
    const { OIDC_CLIENT_SECRET: _, ...env } = provider.env;
    provider.lies = { clientAuth: 'none' };
    expect(await signIn(await forThisTest(startApp(env)))).toEqual(SIGNED_IN);
  });

  it.each(['', '\n', '\r\n'])('gets the secret of a file that ends with %j', async (end) => {
    const OIDC_CLIENT_SECRET_FILE = join((await forThisTest(makeFolder())).path, 'secret');
    const { OIDC_CLIENT_SECRET: _, ...env } = provider.env;
    provider.client.secret = PRINTABLE;
    writeFileSync(OIDC_CLIENT_SECRET_FILE, PRINTABLE + end);
    const app = await forThisTest(startApp({ ...env, OIDC_CLIENT_SECRET_FILE }));
    expect(await signIn(app)).toEqual(SIGNED_IN);
  });
});

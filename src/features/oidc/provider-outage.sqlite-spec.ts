import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { flood } from '../../../test/support/hostile-peer.js';
import { freePort } from '../../../test/support/free-port.js';
import type { Lies } from '../../../test/support/identity-provider.js';
import {
  leadsTo,
  pathBack,
  signInAtProvider,
  TestIdentityProvider,
} from '../../../test/support/identity-provider.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const START = '/users/sign_in/provider';
const UNAVAILABLE = [303, '/users/sign_in?failed=provider_unavailable'];

/** Responds in this way to requests for one of the provider's paths. */
const at = (path: string, respond: (response: ServerResponse) => unknown): Lies => ({
  handle: (requested, response) => {
    if (requested !== path) return false;
    respond(response);
    return true;
  },
});

/** Sends without an end. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write('['.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

/** Sends 103 after 103. */
function endlessInterim({ socket }: ServerResponse): void {
  if (socket) flood('HTTP/1.1 103 Early Hints\r\n\r\n')(socket);
}

const REPLIES: [string, (response: ServerResponse) => unknown][] = [
  ['does not respond', () => undefined],
  ['stops in the middle', (response) => response.writeHead(200).write('{')],
  ['closes the connection', (response) => response.destroy()],
  ['has failed', (response) => response.writeHead(500).end()],
  ['is behind a proxy that has no upstream', (response) => response.writeHead(502).end('<html>')],
  ['sends without an end', endless],
  ['sends interim responses without an end', endlessInterim],
  ['sends what is not HTTP', (response) => response.socket?.end('hello\r\n\r\n')],
];

describe('A provider that cannot be used', () => {
  const provider = forEachTest(() => TestIdentityProvider.start());
  /** Each test has its own app, which has seen nothing of the provider yet. */
  const running = forEachTest(() => startApp({ ...provider.env, OIDC_TIMEOUT: '2' }));

  beforeEach(() => {
    provider.newPerson();
  });

  const browser = () => new PageClient(running.url);

  it.each([
    ...REPLIES,
    ['redirects', (response: ServerResponse) => response.writeHead(302, { Location: '/elsewhere' }).end()],
    ['is no provider', (response: ServerResponse) => response.end('<html>hello</html>')],
  ] as typeof REPLIES)('because it %s, when people want to sign in', async (_, respond) => {
    provider.lies = at('/.well-known/openid-configuration', respond);
    const pageClient = browser();
    expect(leadsTo(await pageClient.get(START))).toEqual(UNAVAILABLE);
    const { body } = await pageClient.get('/users/sign_in?failed=provider_unavailable');
    expect(body).toContain('The sign-in provider cannot be reached at the moment. Try again later.');

    provider.lies = {};
    await signInAtProvider(pageClient);
    expect(await pageClient.isSignedIn()).toBe(true);
  });

  it.each(
    ['/token', '/keys'].flatMap((path) => REPLIES.map(([name, respond]) => [name, path, respond] as const)),
  )('because it %s at %s, when they come back (M6)', async (_, path, respond) => {
    const pageClient = browser();
    const back = await pathBack(await pageClient.get(START));
    provider.lies = at(path, respond);
    expect(leadsTo(await pageClient.get(back))).toEqual(UNAVAILABLE);
    expect(await pageClient.isSignedIn()).toBe(false);

    provider.lies = {};
    await signInAtProvider(pageClient);
    expect(await pageClient.isSignedIn()).toBe(true);
  });

  it('is asked once for all who wait for it', async () => {
    provider.lies = at('/.well-known/openid-configuration', () => undefined);
    const answers = Array.from({ length: 20 }, () => browser().get(START));
    for (const answer of await Promise.all(answers)) expect(leadsTo(answer)).toEqual(UNAVAILABLE);
    expect(provider.requests).toHaveLength(1);
  });

  it('has metadata of another issuer', async () => {
    for (const issuer of ['https://evil.example', `${provider.issuer}/`.replace('127', '{tenant}')]) {
      provider.lies = { metadata: { issuer } };
      expect(leadsTo(await browser().get(START))).toEqual(UNAVAILABLE);
    }
  });
});

describe('A provider that is slow', () => {
  const provider = forEachTest(() => TestIdentityProvider.start());
  const running = forEachTest(() => startApp(provider.env));

  beforeEach(() => {
    provider.newPerson();
  });

  it('signs people in when each of four responses takes its time', async () => {
    const seconds: Record<string, number> = {
      '/.well-known/openid-configuration': 0.5,
      '/token': 2,
      '/keys': 1,
      '/userinfo': 1.5,
    };
    provider.lies = {
      claims: { email: undefined },
      before: (path) => sleep((seconds[path] ?? 0) * 1000),
    };
    expect(leadsTo(await signInAtProvider(new PageClient(running.url)))).toEqual([303, '/pushes']);
  });

  it('is asked for its keys while it makes the token', async () => {
    let keysAreWanted: () => void = () => undefined;
    const keys = new Promise<void>((resolve) => (keysAreWanted = resolve));
    provider.lies = {
      before: (path) => {
        if (path === '/keys') keysAreWanted();
        return path === '/token' ? keys : undefined;
      },
    };
    expect(leadsTo(await signInAtProvider(new PageClient(running.url)))).toEqual([303, '/pushes']);
    expect(provider.requests.filter((path) => path === '/keys')).toHaveLength(1);
  });
});

describe('Without the provider', () => {
  it('recipients, tokens, signed-in people and passwords go on', async () => {
    const env = { OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`, OIDC_CLIENT_ID: 'sealpush' };
    const running = await forThisTest(startApp({ ...env, PUBLIC_URL: 'http://sealpush.example' }));
    const { pageClient, email } = await newSignedInUser(running);
    expect(leadsTo(await new PageClient(running.url).get(START))).toEqual(UNAVAILABLE);

    const { client } = await running.newUser();
    const { url_token } = (await client.push({ payload: 'still works' })) as { url_token: string };
    const stranger = new PageClient(running.url);
    expect((await stranger.get(`/p/${url_token}`)).status).toBe(200);
    expect(await pageClient.isSignedIn()).toBe(true);
    expect((await new PageClient(running.url).signIn(email)).status).toBe(303);
    const { body } = await stranger.get('/users/sign_in');
    expect(body).toContain('Sign in with <bdi translate="no">127.0.0.1');
  });

  it('in the settings, its pages do not exist', async () => {
    const running = await forThisTest(startApp());
    const pageClient = new PageClient(running.url);
    for (const path of [
      START,
      `${START}/callback?code=1&state=0.1`,
      '/users/sign_in/join',
      '/users/sign_out/provider',
    ])
      expect((await pageClient.get(path)).status).toBe(404);
    expect((await pageClient.post(`${START}/logout`, { logout_token: 'x' })).status).toBe(404);
    expect((await pageClient.get('/users/sign_in')).body).not.toContain('/users/sign_in/provider');
  });
});

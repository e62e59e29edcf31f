import type { InstanceAuditKind } from '../../platform/instance-audit/instance-audit-kinds.js';
import { SignInAttempt } from '../../auth/entities/sign-in-attempt.entity.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { eventually } from '../../../test/support/eventually.js';
import { forEachTest } from '../../../test/support/for-tests.js';
import {
  leadsTo,
  pathBack,
  signInAtProvider,
  TestIdentityProvider,
} from '../../../test/support/identity-provider.js';
import { PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const START = '/users/sign_in/provider';
const ENDED = [303, '/users/sign_in?failed=provider_sign_in_ended'];

describe('The way back from the provider', () => {
  const provider = forEachTest(() => TestIdentityProvider.start());
  const running = forEachTest(() =>
    startApp({ ...provider.env, TRUSTED_PROXIES: '127.0.0.1', OIDC_TIMEOUT: '2' }),
  );

  beforeEach(() => {
    provider.newPerson();
  });

  const from = (ip: string) => new PageClient(running.url, { 'X-Forwarded-For': ip });
  const tokenRequests = () => provider.requests.filter((path) => path === '/token').length;
  const returning = async (ip: string) => {
    const pageClient = from(ip);
    return { pageClient, path: await pathBack(await pageClient.get(START)) };
  };

  it('works once for each state, however often it is sent with its cookie (N4)', async () => {
    const { pageClient, path } = await returning('192.0.2.1');
    const headers = { Cookie: pageClient.cookies, 'X-Forwarded-For': '192.0.2.1' };
    const send = async () => leadsTo(await fetch(running.url + path, { headers, redirect: 'manual' }));
    await send();
    expect(tokenRequests()).toBe(1);
    for (const answer of await Promise.all(Array.from({ length: 20 }, send))) expect(answer).toEqual(ENDED);
    expect(tokenRequests()).toBe(1);
    const reasons = await running.dataSource.manager.findBy(InstanceAuditEntry, {
      kind: 'provider_sign_in_refused' as InstanceAuditKind,
    });
    expect(new Set(reasons.map(({ details }) => details.reason))).toEqual(new Set(['state_used']));
  });

  it('works at most once for a state that is sent many times at once (N4)', async () => {
    const { pageClient, path } = await returning('192.0.2.1');
    const headers = { Cookie: pageClient.cookies, 'X-Forwarded-For': '192.0.2.1' };
    await Promise.all(
      Array.from({ length: 20 }, () => fetch(running.url + path, { headers, redirect: 'manual' })),
    );
    expect(tokenRequests()).toBeLessThanOrEqual(1);
  });

  it('is closed to a network after many wrong codes, and to no other (N4)', async () => {
    provider.lies = { redirect: { code: 'wrong' } };
    const statuses: number[] = [];
    for (let times = 0; times < 62; times += 1) {
      const { pageClient, path } = await returning('192.0.2.1');
      statuses.push((await pageClient.get(path)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 303), 429, 429]);
    expect(tokenRequests()).toBe(60);

    provider.lies = {};
    expect(leadsTo(await signInAtProvider(from('198.51.100.7')))).toEqual([303, '/pushes']);
  });

  it('does not count who signs in, nor the faults of the provider', async () => {
    const counted = () => running.dataSource.manager.countBy(SignInAttempt, { network: '192.0.2.1' });
    await signInAtProvider(from('192.0.2.1'));
    expect(await counted()).toBe(0);
    provider.lies = { claims: { exp: 1 } };
    await signInAtProvider(from('192.0.2.1'));
    expect(await counted()).toBe(0);
    provider.lies = {
      handle: (path, response) => path === '/token' && Boolean(response.writeHead(500).end()),
    };
    await signInAtProvider(from('192.0.2.1'));
    expect(await counted()).toBe(0);
  });

  it('counts browsers that have begun nothing', async () => {
    const stranger = from('192.0.2.1');
    expect(leadsTo(await stranger.get(`${START}/callback?code=1&state=0.x`))).toEqual(ENDED);
    expect(await running.dataSource.manager.countBy(SignInAttempt, { network: '192.0.2.1' })).toBe(1);
  });

  it('leads few browsers at a time to a provider that does not respond, and tells all (M6)', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, (_, index) => returning(`192.0.2.${index}`)));
    let open = 0;
    let most = 0;
    provider.lies = {
      handle: (path, response) => {
        if (path !== '/token') return false;
        most = Math.max(most, (open += 1));
        response.once('close', () => (open -= 1));
        return true;
      },
    };
    const answers = await Promise.all(all.map(async ({ pageClient, path }) => pageClient.get(path)));
    for (const answer of answers)
      expect(leadsTo(answer)).toEqual([303, '/users/sign_in?failed=provider_unavailable']);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(20);
  });

  it('ends its requests to the provider when the browser has gone', async () => {
    const { pageClient, path } = await returning('192.0.2.1');
    let closed = false;
    const gone = new AbortController();
    provider.lies = {
      handle: (requested, response) => {
        if (requested !== '/token') return false;
        response.once('close', () => (closed = true));
        gone.abort();
        return true;
      },
    };
    const headers = { Cookie: pageClient.cookies };
    await fetch(running.url + path, { headers, redirect: 'manual', signal: gone.signal }).catch(
      () => undefined,
    );
    await eventually(() => Promise.resolve(closed));
  });
});

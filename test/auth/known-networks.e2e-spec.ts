import { randomUUID } from 'node:crypto';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { KnownNetwork } from '../../src/auth/entities/known-network.entity.js';
import { CredentialsService } from '../../src/auth/sign-in/credentials.service.js';
import { HashingQueues } from '../../src/platform/limits/hashing-queues.js';
import { DAY_MS, MINUTE_MS } from '../../src/platform/settings/units.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { after } from '../support/new-pushes.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const STRANGERS = 40;
const HOME = '198.51.100.7';

describe('The networks from which an account was signed in to', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  let email: string;

  beforeEach(async () => ({ email } = await newSignedInUser(running)));
  afterEach(() => jest.restoreAllMocks());

  const authenticate = (ip: string, password = PASSWORD, now = new Date()) =>
    running.app.get(CredentialsService).authenticate(email, password, ip, now);
  const from = (ip: string) => new PageClient(running.url, { 'X-Forwarded-For': ip });
  /** The clients of the hashes in the order in which their hashes were asked for, and in which they began. */
  const observeHashes = () => {
    const queues = running.app.get(HashingQueues);
    const run = queues.run.bind(queues);
    const seen = { asked: [] as string[], begun: [] as string[], known: [] as boolean[] };
    jest.spyOn(queues, 'run').mockImplementation((purpose, client, hash) => {
      seen.asked.push(client.ip);
      seen.known.push(client.isKnown ?? false);
      return run(purpose, client, () => {
        seen.begun.push(client.ip);
        return hash();
      });
    });
    return seen;
  };
  const isKnown = async (ip: string, now = new Date()) => {
    const seen = observeHashes();
    await authenticate(ip, 'wrong', now);
    jest.restoreAllMocks();
    return seen.known;
  };

  it('are served before a flood of sign-ins from others (L9)', async () => {
    await authenticate(HOME);
    const seen = observeHashes();
    const flood = allAtOnce(STRANGERS, (caller) =>
      from(`2001:db8:${caller.toString(16)}::1`).signIn(`${randomUUID()}@example.org`, 'wrong'),
    );
    await eventually(() => seen.asked.length >= STRANGERS / 2);
    const signIn = from(HOME).signIn(email);
    await eventually(() => seen.asked.includes(HOME));
    const begunBefore = seen.begun.length;
    const { status } = await signIn;
    await flood;

    expect(status).toBe(303);
    expect(seen.begun.indexOf(HOME) - begunBefore).toBeLessThanOrEqual(2);
  });

  it('are known whatever account is tried, so that the time tells nothing about accounts (D7)', async () => {
    await authenticate(HOME);
    email = `${randomUUID()}@example.org`;

    expect(await isKnown(HOME)).toEqual([true]);
  });

  it('do not include those of wrong passwords', async () => {
    await authenticate('203.0.113.9', 'wrong');

    expect(await isKnown('203.0.113.9')).toEqual([false]);
  });

  it('are the last ten of an account, so that one account cannot make a whole flood known (L9)', async () => {
    const start = new Date();
    const addresses = Array.from({ length: 11 }, (_, index) => `192.0.2.${index + 1}`);
    for (const [index, ip] of addresses.entries())
      await authenticate(ip, PASSWORD, after(start, index * MINUTE_MS));

    expect(await isKnown('192.0.2.1')).toEqual([false]);
    expect(await isKnown('192.0.2.2')).toEqual([true]);
  });

  it('are forgotten after 90 days without a sign-in from there (H7)', async () => {
    const now = new Date();
    await authenticate('203.0.113.20', PASSWORD, after(now, -91 * DAY_MS));
    await authenticate('203.0.113.21', PASSWORD, after(now, -89 * DAY_MS));

    expect(await isKnown('203.0.113.20', now)).toEqual([false]);
    await running.app.get(Jobs).run('auth cleanup', now);
    const rows = await running.dataSource.manager.find(KnownNetwork);
    const networks = rows.map(({ network }) => network);
    expect(networks).toContain('203.0.113.21');
    expect(networks).not.toContain('203.0.113.20');
  });
});

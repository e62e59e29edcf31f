import { randomUUID } from 'node:crypto';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { PASSWORD } from '../support/page-client.js';
import { amount } from './support/amount.js';
import { Connections } from './support/connections.js';
import { filled } from './support/costly-bodies.js';
import type { CostlyRequest } from './support/costly-request.js';
import { bytesOf } from './support/costly-request.js';
import { exchange } from './support/exchange.js';
import type { Fixtures } from './support/fixtures.js';
import { makeFixtures } from './support/fixtures.js';
import { leastCost, LONGEST_MS, TRIES } from './support/least-cost.js';
import { startMeasured } from './support/measured-server.js';
import { paceOf } from './support/pace.js';
import { logFigures } from './support/log-figures.js';
import { MIB } from '../../src/platform/settings/units.js';

/** Five hashes at a time take 19 MiB each. */
const MAX_GROWTH = 5 * 19 * MIB + 64 * MIB;
const MAX_DESCRIPTORS_LEFT = 12;
/** Short runs are concurrent with other specs, on machines that may be slow. */
const LONGEST_OF_OTHERS_MS = amount({ full: 2000, short: 6000 });

const CONNECTIONS = 20;
const PAGES = amount({ full: 1000, short: 100 });
const SIGN_UPS = amount({ full: 250, short: 60 });
const SIGN_INS = amount({ full: 300, short: 40 });
const GUESSES = amount({ full: 320, short: 100 });
const MAX_GUESSES = 50;
const UPLOADS = amount({ full: 40, short: 10 });
const FILE = '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a"\r\n\r\n';

describe('A flood', () => {
  const server = forAllTests(() => startMeasured({ UPLOAD_BYTES_PER_DAY: '1' }));
  let fixtures: Fixtures;
  let networks = 0;

  beforeAll(async () => (fixtures = await makeFixtures(server, server.instance)));

  /** An IPv6 /48 that no request has come from before. */
  const newNetwork = () => {
    networks += 1;
    return `2001:db8:${networks.toString(16)}`;
  };
  const newAddress = () => `${newNetwork()}::1`;
  /** Sends it over its own connection. */
  const ask = async (request: CostlyRequest, address = newAddress()) => {
    const answer = await exchange(server.url, bytesOf(request, fixtures, address), true);
    return answer?.status;
  };
  const page: CostlyRequest = { name: 'a page', line: 'GET /p/$open' };
  const retrieval = (passphrase: string): CostlyRequest => ({
    name: 'a retrieval',
    line: `GET /api/v2/pushes/$protected?passphrase=${passphrase}`,
  });
  const form = (line: string, fields: Record<string, string>): CostlyRequest => ({
    name: 'a form',
    line,
    headers: ['Content-Type: application/x-www-form-urlencoded'],
    body: () => Buffer.from(new URLSearchParams(fields).toString()),
  });

  /** The server is not blocked, uses little memory, and responds soon to another client throughout the flood. */
  async function expectBounded(flood: () => Promise<unknown>, other = retrieval('right')): Promise<void> {
    const descriptors = server.openDescriptors();
    let longestOfOther = Infinity;
    const cost = await leastCost(server, MAX_GROWTH, async () => {
      let isOver = false;
      const flooding = flood().finally(() => (isOver = true));
      const times = await paceOf(
        async () => {
          expect(await ask(other)).toBe(200);
        },
        () => isOver,
      );
      await flooding;
      longestOfOther = Math.min(longestOfOther, Math.max(...times));
    });
    logFigures({ ...cost, longestOfOther });

    expect(cost.longestWait).toBeLessThan(LONGEST_MS);
    expect(cost.growth).toBeLessThan(MAX_GROWTH);
    expect(longestOfOther).toBeLessThan(LONGEST_OF_OTHERS_MS);
    await eventually(() => server.openDescriptors() <= descriptors + MAX_DESCRIPTORS_LEFT);
  }

  it('of page requests, on a few connections, does not delay other page requests (L8)', async () => {
    const flood = async () => {
      const bytes = bytesOf(page, fixtures, newAddress(), false).toString().repeat(PAGES);
      const sent = Array.from({ length: CONNECTIONS }, () => ({ bytes, isRead: true }));
      const connections = await Connections.open(server.url, sent);
      await connections.haveComeToRest();
      connections.leave();
    };

    await expectBounded(flood, page);
  });

  it('of bodies in chunks of a byte does not delay others (L6)', async () => {
    const body: CostlyRequest = {
      name: 'a body in chunks of a byte',
      line: 'POST /api/v2/pushes',
      headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      body: () => filled('1\r\na\r\n', '', '', MIB),
    };
    const flood = async () => {
      const sent = Array.from({ length: CONNECTIONS }, () => ({
        bytes: bytesOf(body, fixtures, newAddress()).toString(),
        isRead: true,
      }));
      const connections = await Connections.open(server.url, sent);
      await connections.haveComeToRest();
      connections.leave();
    };

    await expectBounded(flood, page);
  });

  it('of sign-ups does not delay retrievals with a passphrase (L9)', async () => {
    const signUp = () =>
      ask(form('POST /users/sign_up', { email: `${randomUUID()}@example.org`, password: PASSWORD }));

    await expectBounded(() => allAtOnce(SIGN_UPS, signUp));
  });

  it('of sign-ins to an account lets its owner sign in, even after tries that were rejected during the flood (L10)', async () => {
    const signIn = (password: string) => form('POST /users/sign_in', { email: fixtures.email, password });
    const address = newAddress();
    const owner = () => ask(signIn(PASSWORD), address);
    const flood = async () => {
      const strangers = allAtOnce(SIGN_INS, () => ask(signIn('wrong')));
      for (let i = 0; i < 3; i++) await allAtOnce(4, owner);
      await strangers;
    };

    await expectBounded(flood);
    expect(await owner()).toBe(303);
  });

  it('of passphrase guesses from the networks of one site gets few tries (L11)', async () => {
    const site = newNetwork();
    const statuses: unknown[] = [];
    const flood = () =>
      allAtOnce(GUESSES, async (index) => {
        statuses.push(await ask(retrieval('wrong'), `${site}:${index.toString(16)}::1`));
      });

    await expectBounded(flood);
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(MAX_GUESSES * TRIES);
  });

  it('of uploads above the daily limit of an account does not delay others (L16)', async () => {
    const upload: CostlyRequest = {
      name: 'an upload',
      headers: ['Content-Type: multipart/form-data; boundary=b'],
      body: () => filled('a', FILE, '', 5 * MIB),
      withToken: true,
    };
    const statuses = new Set<unknown>();
    const flood = () => allAtOnce(UPLOADS, async () => statuses.add(await ask(upload)));

    await expectBounded(flood);
    expect([...statuses]).toEqual([429]);
  });
});

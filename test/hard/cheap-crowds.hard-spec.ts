import { setTimeout } from 'node:timers/promises';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { cli } from '../support/spawn-server.js';
import { amount, oneOf } from './support/amount.js';
import type { CostlyCrowd } from './support/costly-crowds.js';
import {
  OF_ONE_ACCOUNT,
  UNFINISHED,
  UNREAD_DOWNLOADS,
  UNREAD_FILES,
  UNREAD_PAGES,
  UNREAD_PAYLOADS,
} from './support/costly-crowds.js';
import type { Fixtures } from './support/fixtures.js';
import { makeFixtures } from './support/fixtures.js';
import { leastCost, LONGEST_MS } from './support/least-cost.js';
import { startMeasured } from './support/measured-server.js';
import { bestLook, maxAllowed, paceOf, percentile } from './support/pace.js';
import { within } from './support/retrieval-times.js';
import { logFigures } from './support/log-figures.js';
import { MIB, MINUTE_MS } from '../../src/platform/settings/units.js';
import { Connections } from './support/connections.js';
import { bytesOf } from './support/costly-request.js';

let crowds = 0;

/** Opens the connections of a crowd, with addresses that were not used before, and sends its requests. */
function openCrowd(
  url: string,
  fixtures: Fixtures,
  { isOneClient, size, times = 1, isRead, ...request }: CostlyCrowd,
): Promise<Connections> {
  crowds += 1;
  const body = request.body?.();
  const clients = Array.from({ length: size }, (_, index) => {
    const address = `10.${crowds >> 8}.${crowds & 255}.${isOneClient ? 1 : index}`;
    const bytes = bytesOf({ ...request, body: body && (() => body) }, fixtures, address, false);
    return { bytes: Buffer.concat(Array<Buffer>(times).fill(bytes)), isRead };
  });
  return Connections.open(url, clients);
}

const LEEWAY = 24 * MIB;
const MAX_KEPT = 8 * MIB;
const MAX_DESCRIPTORS_LEFT = 12;
/** The connection itself, and a file that it uploads or downloads. */
const DESCRIPTORS_OF_CLIENT = 2;

const LOOK_MS = 500;
const LOOKS = 10;
/** Freed buffers between others that are in use, which glibc keeps: up to 137 MB were measured, see docs/operating/memory.md. */
const MAX_RESIDENT_LATER = 150 * MIB;
const BURSTS = 3;
const PUSHES = 1200;
const SERVED_MS = 2000;
const isFull = amount({ full: true, short: false });

describe('Many concurrent clients', () => {
  const server = forAllTests(startMeasured);
  let fixtures: Fixtures;

  beforeAll(async () => (fixtures = await makeFixtures(server, server.instance)));

  /**
   * Memory in use, as much again that is not garbage collected yet, and what the allocator keeps: up to 290 MB in all
   * for ten payloads on a connection, if nothing is kept of an earlier try.
   */
  const maxGrowth = ({ maxHeld }: CostlyCrowd) => 2 * maxHeld + 8 * LEEWAY;

  /** They delay no other client, stay within a fixed memory budget together, and leave nothing behind. */
  async function expectBounded(crowd: CostlyCrowd): Promise<void> {
    const inUse = await server.memoryInUse();
    const descriptors = server.openDescriptors();
    let connections: Connections | undefined;
    const cost = await leastCost(server, maxGrowth(crowd), async () => {
      connections?.leave();
      connections = await openCrowd(server.url, fixtures, crowd);
      await connections.haveComeToRest();
    });
    let held = 0;
    // More than once, because a response that has just been rejected may not be collected yet.
    await eventually(async () => {
      held = (await server.memoryInUse()) - inUse;
      return held < crowd.maxHeld + LEEWAY;
    });
    connections?.leave();
    logFigures({ name: crowd.name, held, ...cost });

    expect(cost.longestWait).toBeLessThan(LONGEST_MS);
    expect(cost.growth).toBeLessThan(maxGrowth(crowd));
    expect(cost.opened).toBeLessThanOrEqual(crowd.size * DESCRIPTORS_OF_CLIENT + MAX_DESCRIPTORS_LEFT);
    await eventually(async () => (await server.memoryInUse()) < inUse + MAX_KEPT);
    await eventually(() => server.openDescriptors() <= descriptors + MAX_DESCRIPTORS_LEFT);
  }

  it.each(oneOf(2, UNFINISHED))('that begin to send $name stay within bounds (L3)', expectBounded);
  it.each(oneOf(2, UNREAD_FILES))('that do not read $name stay within bounds (L6, L7)', expectBounded);
  it.each(oneOf(2, UNREAD_PAGES))('that do not read $name stay within bounds (L7, L8)', expectBounded);
  it.each(UNREAD_PAYLOADS)('that do not read $name stay within bounds (L7)', expectBounded);

  it('that do not read downloads stay within bounds, even before all buffers are full (L7, M5)', async () => {
    const inUse = await server.memoryInUse();
    const connections = await openCrowd(server.url, fixtures, UNREAD_DOWNLOADS);
    let held = 0;
    for (let looks = 0; looks < LOOKS; looks++) {
      await setTimeout(LOOK_MS);
      held = Math.max(held, (await server.memoryInUse()) - inUse);
    }
    connections.leave();
    let kept = held;
    for (const end = performance.now() + MINUTE_MS; kept >= LEEWAY && performance.now() < end;) {
      await setTimeout(LOOK_MS);
      kept = (await server.memoryInUse()) - inUse;
    }
    logFigures({ name: UNREAD_DOWNLOADS.name, held, kept });

    expect(held).toBeLessThan(UNREAD_DOWNLOADS.maxHeld + LEEWAY);
    expect(kept).toBeLessThan(LEEWAY);
  });
});

describe('After bursts of responses that are not read', () => {
  const server = forAllTests(startMeasured);

  it('resident memory is back to its earlier level within a minute (L7, M5)', async () => {
    const fixtures = await makeFixtures(server, server.instance);
    const crowds = [...UNREAD_FILES, ...UNREAD_PAGES];
    for (const { name } of crowds) await server.anonymous.get(name); // so that files are in memory
    crowds.push(UNREAD_DOWNLOADS);
    const before = server.residentMemory();
    const isBack = () => server.residentMemory() < before + MAX_RESIDENT_LATER;

    for (let bursts = 0; bursts < BURSTS; bursts++) {
      const burst = await Promise.all(crowds.map((crowd) => openCrowd(server.url, fixtures, crowd)));
      for (const connections of burst) await connections.haveComeToRest();
      const max = server.residentMemory();
      for (const connections of burst) connections.leave();
      const end = performance.now() + MINUTE_MS;
      while (performance.now() < end && (isFull || !isBack())) await setTimeout(LOOK_MS);
      logFigures({ before, max, later: server.residentMemory() });
      expect(isBack()).toBe(true);
    }
  });
});

describe('A hundred requests of one account', () => {
  const server = forAllTests(() => startMeasured({ REQUESTS_PER_MINUTE: '0' }));
  let fixtures: Fixtures;

  beforeAll(async () => {
    const made = await makeFixtures(server, server.instance);
    const { stdout } = await cli(server.instance, 'token:create', '--existing', made.email);
    const { token: ownToken } = JSON.parse(stdout) as { token: string };
    const owner = server.anonymous.with({ Authorization: `Bearer ${ownToken}` });
    await allAtOnce(10, async () => {
      for (let i = 0; i < PUSHES / 10; i++) await owner.push({ payload: 'rose', name: 'rose', note: 'rose' });
    });
    const found = await server.anonymous
      .with({ Cookie: made.session, 'Sec-Fetch-Site': 'same-origin' })
      .send('POST', '/pushes/search', new URLSearchParams({ q: 'tulip' }));
    fixtures = Object.assign(made, { ownToken, search: found.headers.get('location') ?? '' });
  });

  const openingTimes = () =>
    paceOf(async () => {
      expect((await server.anonymous.retrieve(fixtures.open)).status).toBe(200);
    }, within(SERVED_MS));

  it.each(OF_ONE_ACCOUNT)('for $name delay no other client (M3)', async (crowd) => {
    const max = maxAllowed(await openingTimes());
    const times = await bestLook(async () => {
      const connections = await openCrowd(server.url, fixtures, crowd);
      const during = await openingTimes();
      connections.leave();
      return during;
    }, max);
    logFigures({ name: crowd.name, max, longest: Math.max(...times), served: times.length });

    expect(percentile(times, 99)).toBeLessThan(max);
  });
});

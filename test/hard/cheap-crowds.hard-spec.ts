import { setTimeout } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { amount, oneOf } from './support/amount.js';
import type { Connections } from './support/connections.js';
import type { CostlyCrowd } from './support/costly-crowds.js';
import { UNFINISHED, UNREAD_FILES, UNREAD_PAGES, UNREAD_PAYLOADS } from './support/costly-crowds.js';
import type { Fixtures } from './support/fixtures.js';
import { makeFixtures } from './support/fixtures.js';
import { leastCost, LONGEST_MS } from './support/least-cost.js';
import type { MeasuredServer } from './support/measured-server.js';
import { startMeasured } from './support/measured-server.js';
import { openCrowd } from './support/open-crowd.js';
import { logFigures } from './support/log-figures.js';
import { MIB, MINUTE_MS } from '../../src/settings/units.js';

const LEEWAY = 24 * MIB;
const MAX_KEPT = 8 * MIB;
const MAX_DESCRIPTORS_LEFT = 12;
/** The connection itself, and a file that it uploads or downloads. */
const DESCRIPTORS_OF_CLIENT = 2;

const LOOK_MS = 500;
const MAX_RESIDENT_LATER = 100 * MIB;
const isFull = amount({ full: true, short: false });

describe('Many concurrent clients', () => {
  let server: MeasuredServer;
  let fixtures: Fixtures;

  beforeAll(async () => {
    server = await startMeasured();
    fixtures = await makeFixtures(server, server.instance);
  });
  afterAll(() => server.stop());

  /** Memory in use, as much again that is not garbage collected yet, and what the allocator keeps. */
  const maxGrowth = ({ maxHeld }: CostlyCrowd) => 2 * maxHeld + 4 * LEEWAY;

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
});

describe('After a burst of responses that are not read', () => {
  let server: MeasuredServer;

  beforeAll(async () => (server = await startMeasured()));
  afterAll(() => server.stop());

  it('resident memory is back to its earlier level within a minute (L7)', async () => {
    const fixtures = await makeFixtures(server, server.instance);
    const crowds = [...UNREAD_FILES, ...UNREAD_PAGES];
    for (const { name } of crowds) await server.anonymous.get(name); // so that files are in memory
    const before = server.residentMemory();
    const isAsBefore = () => server.residentMemory() < before + MAX_RESIDENT_LATER;

    const burst = await Promise.all(crowds.map((crowd) => openCrowd(server.url, fixtures, crowd)));
    for (const connections of burst) await connections.haveComeToRest();
    const max = server.residentMemory();
    for (const connections of burst) connections.leave();

    const end = performance.now() + MINUTE_MS;
    while (performance.now() < end && (isFull || !isAsBefore())) await setTimeout(LOOK_MS);
    logFigures({ before, max, later: server.residentMemory() });
    expect(isAsBefore()).toBe(true);
  });
});

import { eventually } from '../support/eventually.js';
import { amount, oneOf } from './support/amount.js';
import {
  elsewhere,
  ENCODED_BODIES,
  ENDLESS_BODIES,
  JSON_BODIES,
  MULTIPART_FORMS,
} from './support/costly-bodies.js';
import { HOSTS, LONG_HEADS, NAMES_OF_OBJECTS } from './support/costly-heads.js';
import type { CostlyRequest } from './support/costly-request.js';
import { bytesOf } from './support/costly-request.js';
import {
  CREDENTIALS,
  DISGUISED_TEXTS,
  LONG_TEXTS,
  TEXTS_OF_PUSHES,
  textsAt,
} from './support/costly-texts.js';
import { exchange } from './support/exchange.js';
import type { Fixtures } from './support/fixtures.js';
import { makeFixtures } from './support/fixtures.js';
import { leastCost, longestFor } from './support/least-cost.js';
import { startMeasured } from './support/measured-server.js';
import { logFigures } from './support/log-figures.js';
import { MIB } from '../../src/platform/settings/units.js';
import { forAllTests } from '../support/for-tests.js';

/** Memory that a request may use for each of its bytes, and in addition. */
const GROWTH_PER_BYTE = 8;
const GROWTH = 32 * MIB;
const MAX_KEPT = 4 * MIB;
const MAX_DESCRIPTORS_KEPT = 5;
const REPEATS = amount({ full: 10, short: 0 });

const isFull = amount({ full: true, short: false });
const BODIES = [...JSON_BODIES, ...ENCODED_BODIES, ...MULTIPART_FORMS];

describe('One request', () => {
  const server = forAllTests(startMeasured);
  let fixtures: Fixtures;
  let strangers = 0;
  let inUse: number;

  beforeAll(async () => {
    fixtures = await makeFixtures(server, server.instance);
    inUse = await server.memoryInUse();
  });

  /** Sends it from a new address. */
  const send = (request: CostlyRequest) => {
    strangers += 1;
    const address = `10.0.${strangers >> 8}.${strangers & 255}`;
    return exchange(server.url, bytesOf(request, fixtures, address), true);
  };

  /** It delays no other client, uses memory at most in proportion to its bytes, and leaves nothing behind. */
  async function expectCheap(request: CostlyRequest): Promise<void> {
    const before = inUse;
    const descriptors = server.openDescriptors();
    const maxGrowth = GROWTH + GROWTH_PER_BYTE * bytesOf(request, fixtures, '').length;
    const statuses: number[] = [];
    const ask = async () => statuses.push((await send(request))?.status ?? 0);
    const longestMs = longestFor(request);
    const cost = await leastCost(server, maxGrowth, ask, longestMs);
    for (let i = 0; i < REPEATS; i++) await ask();
    logFigures({ name: request.name, statuses, ...cost });

    expect(cost.longestWait).toBeLessThan(longestMs);
    expect(cost.longestBlock).toBeLessThan(longestMs);
    expect(cost.growth).toBeLessThan(maxGrowth);
    expect(statuses.filter((status) => status === 429 || status >= 500)).toEqual([]);
    await eventually(async () => (inUse = await server.memoryInUse()) < before + MAX_KEPT);
    await eventually(() => server.openDescriptors() <= descriptors + MAX_DESCRIPTORS_KEPT);
  }

  it.each(oneOf(2, MULTIPART_FORMS))('with $name is cheap (L1)', expectCheap);
  it.each(oneOf(3, LONG_HEADS))('with $name is cheap (L1)', expectCheap);
  it.each(oneOf(2, JSON_BODIES))('with $name is cheap (L2, M1, M2, M4)', expectCheap);
  it.each(textsAt(LONG_TEXTS, CREDENTIALS, isFull))('with $name is cheap (L4)', expectCheap);
  it.each(oneOf(2, textsAt(LONG_TEXTS, TEXTS_OF_PUSHES, isFull)))('with $name is cheap (L4)', expectCheap);
  it.each(oneOf(2, ENCODED_BODIES))('with $name is cheap (L5)', expectCheap);
  it.each(elsewhere(oneOf(BODIES.length, BODIES)))('with $name is cheap (L1, L2, L5)', expectCheap);
  it.each(oneOf(2, ENDLESS_BODIES))('with $name is cheap (L18)', expectCheap);
  it.each(HOSTS)('with $name is cheap (L19)', expectCheap);
  it.each(oneOf(3, NAMES_OF_OBJECTS))('with $name is cheap (L20)', expectCheap);
  it.each(oneOf(3, textsAt(DISGUISED_TEXTS, TEXTS_OF_PUSHES, isFull)))(
    'with $name is cheap (L21)',
    expectCheap,
  );
});

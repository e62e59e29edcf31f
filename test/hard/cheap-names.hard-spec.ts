import * as fc from 'fast-check';
import { bytesOf } from './support/costly-request.js';
import { exchange } from './support/exchange.js';
import type { Fixtures } from './support/fixtures.js';
import { makeFixtures } from './support/fixtures.js';
import { leastCost, longestFor } from './support/least-cost.js';
import { manyNames } from './support/many-names.js';
import { startMeasured } from './support/measured-server.js';
import { runs } from './support/seeded.js';
import { forAllTests } from '../support/for-tests.js';

describe('Names that a client chooses', () => {
  const server = forAllTests(startMeasured);
  let fixtures: Fixtures;
  let clients = 0;

  beforeAll(async () => (fixtures = await makeFixtures(server, server.instance)));

  it('delay no other client, whatever their number, length and nesting (M1, M2)', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(manyNames, async (request) => {
        const bytes = bytesOf(request, fixtures, `10.1.${clients >> 8}.${clients++ & 255}`);
        const ask = async () => statuses.add((await exchange(server.url, bytes, true))?.status ?? 0);
        const cost = await leastCost(server, Infinity, ask, longestFor(request));

        expect(cost.longestBlock).toBeLessThan(longestFor(request));
        expect(cost.longestWait).toBeLessThan(longestFor(request));
      }),
      runs(2000, 40),
    );

    expect([...statuses]).toEqual(expect.arrayContaining([201, 400, 413, 422])); // otherwise it proves little
    expect([...statuses].filter((status) => status === 0 || status === 429 || status >= 500)).toEqual([]);
  });
});

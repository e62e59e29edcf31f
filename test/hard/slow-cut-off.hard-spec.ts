import { setTimeout } from 'node:timers/promises';
import { tally } from '../support/audit-kinds.js';
import { eventually } from '../support/eventually.js';
import { startCrowded } from './support/crowded-server.js';
import { SlowCrowd } from './support/slow-crowd.js';
import { forEachTest } from '../support/for-tests.js';

const EACH = 200;
/** Readers have twice 30 seconds, others at most 60: bytes that the kernel buffers after a write count as progress. */
const CUT_OFF_AFTER_MS = 130_000;
const LEEWAY = 30 * 1024 * 1024;

describe('Clients that stay slow, of five kinds at the same time', () => {
  const server = forEachTest(startCrowded);
  let crowd: SlowCrowd | undefined;

  afterEach(() => {
    crowd?.leave();
  });

  it('are disconnected, and leave no memory in use (F2)', async () => {
    const before = await server.memoryKept();
    crowd = await SlowCrowd.of(EACH, server.download);
    await crowd.hasComeToRest();

    const cutOffBy = performance.now() + CUT_OFF_AFTER_MS;
    let left = await crowd.kindsLeft();
    expect(left.length).toBeGreaterThan(0);
    while (left.length > 0 && performance.now() < cutOffBy) {
      await setTimeout(1000);
      left = await crowd.kindsLeft();
    }
    expect(tally(left)).toEqual({});
    await eventually(async () => (await server.memoryKept()) < before + LEEWAY);
  });
});

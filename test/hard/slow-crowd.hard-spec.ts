import { eventually } from '../support/eventually.js';
import { amount } from './support/amount.js';
import { startCrowded } from './support/crowded-server.js';
import { bestLook, maxAllowed, percentile } from './support/pace.js';
import { retrievalTimes, within } from './support/retrieval-times.js';
import { SlowCrowd } from './support/slow-crowd.js';
import { logFigures } from './support/log-figures.js';
import { forEachTest } from '../support/for-tests.js';

const EACH = amount({ full: 200, short: 20 });
const LOOK_MS = amount({ full: 5000, short: 2500 });
const MEBIBYTE = 1024 * 1024;
/** Normal fluctuation. */
const LEEWAY = 30 * MEBIBYTE;
const MAX_FOR_EACH_DOWNLOAD = 1.5 * MEBIBYTE;

describe('Slow clients, of five kinds at the same time', () => {
  const server = forEachTest(startCrowded);

  const readFor = (milliseconds: number) =>
    retrievalTimes(server.anonymous, { readers: 1, isOver: within(milliseconds) });

  it('do not delay other clients, even while they connect, and leave no memory in use (F2)', async () => {
    await readFor(2000); // warm-up
    const max = maxAllowed(await readFor(LOOK_MS));
    const before = await server.memoryUsed();

    let crowd: SlowCrowd | undefined;
    const times = await bestLook(async () => {
      crowd?.leave();
      crowd = await SlowCrowd.of(EACH, server.download);
      return readFor(LOOK_MS);
    }, max);
    await crowd?.hasComeToRest();
    const taken = (await server.memoryUsed()) - before;
    const p99 = percentile(times, 99);
    logFigures({
      clients: crowd?.size,
      p99,
      longest: Math.max(...times),
      perDownload: Math.round(taken / EACH),
    });

    expect(p99).toBeLessThan(max);
    // what has been sent is garbage until it is collected
    const maxKept = before + EACH * MAX_FOR_EACH_DOWNLOAD + LEEWAY;
    await eventually(async () => (await server.memoryKept()) < maxKept);

    crowd?.leave();
    await eventually(async () => (await server.memoryKept()) < before + LEEWAY);
  });
});

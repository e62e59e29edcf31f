import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_INTERVAL_MS = 10;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
let lookedAt = ownTime();
let longestBlock = 0;

/** Clock in milliseconds that excludes the time this thread was ready to run but waited for a CPU. */
function ownTime() {
  const [, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
  return performance.now() - Number(waited) / 1e6;
}

function look() {
  const now = ownTime();
  longestBlock = Math.max(longestBlock, now - lookedAt - CHECK_INTERVAL_MS);
  lookedAt = now;
}

const answers = {
  /** The longest time that the event loop was blocked since the last call. */
  '/longest-block': () => {
    look(); // includes what blocks it right now
    const answer = longestBlock;
    longestBlock = 0;
    return answer;
  },
  /** Bytes that are in use. */
  '/memory-in-use': async () => {
    collectGarbage();
    await setImmediate(); // buffers are freed after this, or by the second collection
    collectGarbage();
    lookedAt = ownTime();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

setInterval(look, CHECK_INTERVAL_MS).unref();
const neverIdle = { keepAliveTimeout: 0 }; // a request on a connection that is just being closed would fail
createServer(neverIdle, async (request, response) =>
  response.end(JSON.stringify(await answers[request.url]())),
)
  .listen(Number(process.env.OBSERVER_PORT), '127.0.0.1')
  .unref();

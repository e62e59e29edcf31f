import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';

const CHECK_INTERVAL_MS = 5;
const PAUSE_MS = 2;

const [url, pid] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let isOver = false;

/** Clock in milliseconds that excludes the time the server's main thread was ready to run but waited for a CPU. */
function serverTime() {
  const [, waited] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return performance.now() - Number(waited) / 1e6;
}

function look(seen) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  seen.maxMemory = Math.max(seen.maxMemory, Number(kilobytes) * 1024);
  seen.maxDescriptors = Math.max(seen.maxDescriptors, readdirSync(`/proc/${pid}/fd`).length);
}

function up() {
  return new Promise((resolve, reject) => {
    get(`${url}/up`, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });
}

/** Sends requests only during a measurement: a server that is never idle does not run its garbage collection. */
async function watch() {
  const seen = { longestWait: 0, maxMemory: 0, maxDescriptors: 0 };
  const looking = setInterval(look, CHECK_INTERVAL_MS, seen);
  for (isOver = false; !isOver; await setTimeout(PAUSE_MS)) {
    const start = serverTime();
    await up();
    seen.longestWait = Math.max(seen.longestWait, serverTime() - start);
  }
  clearInterval(looking);
  look(seen);
  process.send(seen);
}

process.on('message', (message) => {
  if (message === 'begin') void watch();
  else isOver = true;
});
process.once('disconnect', () => process.exit());
process.send('ready');

// Prints how long a start takes, from the command to the first response, and how much processor time, which depends less
// on what else the machine does, and the resident memory after ten idle seconds.
// Starts dist/main.js with an empty data folder: npm run measure:start
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { START_FLAGS } from './start-flags.mjs';

const IDLE_MS = 10_000;
const STARTS = 5;
const TIMEOUT_MS = 30_000;
/** Linux reports the time of processes in hundredths of a second. */
const MS_OF_TICK = 10;
const port = Number(process.env.PORT ?? 5199);
const version = `http://127.0.0.1:${port}/api/v2/version`;

async function measureStart(dataDir, thenDo = () => undefined) {
  const startedAt = performance.now();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  };
  const server = spawn(process.execPath, [...START_FLAGS, 'dist/main.js'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = new Promise((resolve) => server.once('exit', resolve));
  try {
    while (!(await responds())) {
      if (server.exitCode !== null) throw new Error('the server exited before it responded');
      if (performance.now() - startedAt > TIMEOUT_MS) throw new Error('no response');
      await setTimeout(5);
    }
    const milliseconds = Math.round(performance.now() - startedAt);
    const duration = `${milliseconds} ms (${processorTime(server.pid)} ms of processor time)`;
    await thenDo(server.pid);
    return duration;
  } finally {
    server.kill();
    await exit;
  }
}

async function responds() {
  try {
    return (await fetch(version)).ok;
  } catch {
    return false;
  }
}

/** What all threads of a process have used so far, in user mode and in the kernel. */
function processorTime(pid) {
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return (Number(user) + Number(system)) * MS_OF_TICK;
}

/** As Linux reports it. */
function residentMemory(pid) {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return `${Math.round(kibibytes / 1024)} MiB (${Math.round((kibibytes * 1024) / 1e6)} MB)`;
}

if (await responds()) throw new Error(`port ${port} is already in use; set PORT`);
const dataDir = mkdtempSync(join(tmpdir(), 'sealpush-measure-'));
try {
  const first = await measureStart(dataDir, async (pid) => {
    await setTimeout(IDLE_MS);
    console.log(`idle memory after ${IDLE_MS / 1000} s: ${residentMemory(pid)}`);
  });
  const further = [];
  for (let i = 0; i < STARTS; i++) further.push(await measureStart(dataDir));
  console.log(`first start, creating key and schema: ${first}`);
  for (const duration of further) console.log(`further start: ${duration}`);
} finally {
  rmSync(dataDir, { recursive: true });
}

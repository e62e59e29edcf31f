// npm run bench:profile [-- --keep NAME --top COUNT]: what a create and a retrieval cost, layer by layer. On SQLite, or on the server
// that BENCH_DATABASE_URL names; BENCH_FLAGS replaces the flags of `npm start`. --keep writes the figures to
// bench/results-profile.json under a name and bench/README.md anew. --top prints the functions that cost most as well.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drive } from './client.mjs';
import { byLayer, bytesOf, largest, LAYERS, timesOf } from './layers.mjs';
import { CONNECTIONS, LOADS, measure } from './load.mjs';
import { inPlace } from './place.mjs';
import { keepResults, writeReport } from './report.mjs';
import { FLAGS, SERVICE, SERVICE_ENV } from './service.mjs';
import { startTarget } from './target.mjs';

const WARM_UPS = 2;
const ROUNDS = 3; // of the CPU without a profiler; the cheapest counts
const AMOUNT = 20_000;

// In memory: a CPU profile cannot distinguish waiting for a disk from work.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const { keep, top } = parseArgs({ options: { keep: { type: 'string' }, top: { type: 'string' } } }).values;
const [server] = process.env.BENCH_DATABASE_URL?.split(/\s+/) ?? [];
const profile = await inPlace(server, profileService);
for (const [load, layers] of Object.entries(profile)) {
  console.log(`\n${load}, per request`);
  console.table(layers);
}
if (keep) {
  await keepResults('profile', { [keep]: { flags: FLAGS.join(' '), profile } });
  await writeReport();
}

async function profileService({ env }) {
  const target = await startTarget(['--import', './bench/profile-agent.mjs', ...SERVICE], {
    ...SERVICE_ENV,
    ...env,
  });
  try {
    for (let i = 0; i < WARM_UPS; i++)
      for (const load of ['create', 'retrieve']) await measure(target, LOADS[load]);
    return {
      create: await profileLoad(target, LOADS.create),
      retrieve: await profileLoad(target, LOADS.retrieve),
    };
  } finally {
    await target.stop();
  }
}

/** The CPU is measured without a profiler, which costs some itself; the profile says how it is divided. */
async function profileLoad(target, load) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await cpuOf(target, load));
  const { main, others } = rounds.toSorted((a, b) => a.main + a.others - b.main - b.others)[0];
  const { profile: cpuProfile } = await profiled(target, load, 'Cpu');
  const { profile: heapProfile } = await profiled(target, load, 'Heap');

  if (top) {
    showLargest('µs, with the profiler', timesOf(cpuProfile));
    showLargest('bytes', bytesOf(heapProfile));
  }
  const times = byLayer(timesOf(cpuProfile));
  const bytes = byLayer(bytesOf(heapProfile));
  const busy = sum(Object.values(times));
  const row = (microseconds, allocated) => ({
    µs: Number(microseconds.toFixed(1)),
    '%': Number(((100 * microseconds) / (main + others)).toFixed(1)),
    bytes: Math.round(allocated),
  });
  return {
    ...Object.fromEntries(
      LAYERS.map((layer) => [layer, row((main * (times[layer] ?? 0)) / busy, (bytes[layer] ?? 0) / AMOUNT)]),
    ),
    'other threads': row(others, 0),
    total: row(main + others, sum(Object.values(bytes)) / AMOUNT),
  };
}

function showLargest(unit, functions) {
  console.log(`\n${unit}, per request`);
  for (const [name, amount] of largest(functions, Number(top)))
    console.log(`${(amount / AMOUNT).toFixed(1).padStart(9)}  ${name}`);
}

/** Of the thread that runs JavaScript, and of the others: garbage collection, compilation, thread pool. */
async function cpuOf(target, { prepare }) {
  const next = await prepare(target.url, AMOUNT);
  const before = { main: target.mainThreadCpu(), all: target.cpu() };
  await load(target, next);
  const main = target.mainThreadCpu() - before.main;
  return { main: main / AMOUNT, others: (target.cpu() - before.all - main) / AMOUNT };
}

async function profiled(target, { prepare }, what) {
  const next = await prepare(target.url, AMOUNT);
  await target.ask(`start${what}`);
  await load(target, next);
  return target.ask(`stop${what}`);
}

async function load({ url }, next) {
  const { failed } = await drive(url, { connections: CONNECTIONS, amount: AMOUNT, next });
  if (failed > 0) throw new Error(`${failed} requests failed`);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

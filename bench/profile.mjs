// npm run bench:profile [-- --keep NAME --top COUNT]: what a create and a retrieval cost, layer by layer. On SQLite, or on the server
// that BENCH_DATABASE_URL names; BENCH_FLAGS replaces the flags of `npm start`. --keep writes the figures to
// bench/results-profile.json under a name and bench/README.md anew. --top prints the functions that cost most as well. No job
// runs by the clock: after each load the entries of the audit log that it has written are chained, and no others.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drive } from './client.mjs';
import { byLayer, bytesOf, largest, LAYERS, timesOf } from './layers.mjs';
import { CONNECTIONS, LOADS, measure } from './load.mjs';
import { engineOf, inPlace } from './place.mjs';
import { PROFILED, profileResults } from './profile-results.mjs';
import { keepResults, writeReport } from './report.mjs';
import { FLAGS, QUIET_SERVICE, SERVICE_ENV } from './service.mjs';
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
const judged = profileResults(await engineOf(server), profile);
console.table(judged);
process.exitCode = judged.every(({ result }) => result === 'pass') ? 0 : 1;
if (keep) {
  await keepResults('profile', { [keep]: { flags: FLAGS.join(' '), profile } });
  await writeReport();
}

async function profileService({ env }) {
  const target = await startTarget(['--import', './bench/profile-agent.mjs', ...QUIET_SERVICE], {
    ...SERVICE_ENV,
    ...env,
  });
  try {
    for (let i = 0; i < WARM_UPS; i++) for (const load of PROFILED) await measure(target, LOADS[load]);
    const layers = {};
    for (const load of PROFILED) layers[load] = await profileLoad(target, LOADS[load]);
    return layers;
  } finally {
    await target.stop();
  }
}

/** The CPU is measured without a profiler, which costs some itself; the profile says how it is divided. */
async function profileLoad(target, load) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await cpuOf(target, load));
  const { main, others, chaining } = rounds.toSorted((a, b) => a.total - b.total)[0];
  const cpu = await profiled(target, load, 'Cpu');
  const heap = await profiled(target, load, 'Heap');

  if (top) {
    showLargest('µs, with the profiler', timesOf(cpu.load));
    showLargest('bytes', bytesOf(heap.load));
    showLargest('bytes, chaining', bytesOf(heap.chaining));
  }
  const times = byLayer(timesOf(cpu.load));
  const bytes = byLayer(bytesOf(heap.load));
  const bytesChaining = sum(Object.values(byLayer(bytesOf(heap.chaining))));
  const busy = sum(Object.values(times));
  const total = main + others + chaining;
  const row = (microseconds, allocated) => ({
    µs: Number(microseconds.toFixed(1)),
    '%': Number(((100 * microseconds) / total).toFixed(1)),
    bytes: Math.round(allocated),
  });
  return {
    ...Object.fromEntries(
      LAYERS.map((layer) => [layer, row((main * (times[layer] ?? 0)) / busy, (bytes[layer] ?? 0) / AMOUNT)]),
    ),
    'other threads': row(others, 0),
    chaining: row(chaining, bytesChaining / AMOUNT),
    total: row(total, (sum(Object.values(bytes)) + bytesChaining) / AMOUNT),
  };
}

function showLargest(unit, functions) {
  console.log(`\n${unit}, per request`);
  for (const [name, amount] of largest(functions, Number(top)))
    console.log(`${(amount / AMOUNT).toFixed(1).padStart(9)}  ${name}`);
}

/** Of the thread that runs JavaScript, of the others (garbage collection, compilation, thread pool), and of chaining afterwards. */
async function cpuOf(target, { prepare }) {
  const next = await prepared(target, prepare);
  const before = { main: target.mainThreadCpu(), all: target.cpu() };
  await load(target, next);
  const after = { main: target.mainThreadCpu(), all: target.cpu() };
  await target.ask('chainNewEntries');
  const main = (after.main - before.main) / AMOUNT;
  const total = (target.cpu() - before.all) / AMOUNT;
  const chaining = (target.cpu() - after.all) / AMOUNT;
  return { main, others: total - chaining - main, chaining, total };
}

async function profiled(target, { prepare }, what) {
  const next = await prepared(target, prepare);
  const during = async (work) => {
    await target.ask(`start${what}`);
    await work();
    return (await target.ask(`stop${what}`)).profile;
  };
  return {
    load: await during(() => load(target, next)),
    chaining: await during(() => target.ask('chainNewEntries')),
  };
}

/** What was made to be retrieved must not be chained later. */
async function prepared(target, prepare) {
  const next = await prepare(target.url, AMOUNT);
  await target.ask('chainNewEntries');
  return next;
}

async function load({ url }, next) {
  const { failed } = await drive(url, { connections: CONNECTIONS, amount: AMOUNT, next });
  if (failed > 0) throw new Error(`${failed} requests failed`);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

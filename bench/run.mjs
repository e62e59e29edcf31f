// npm run bench: what a request costs here, compared with two references measured in the same run.
//   BENCH_ROUNDS=1 BENCH_LOADS=create,retrieve npm run bench    a quick look; its results are not kept
//   BENCH_FLAGS="--max-semi-space-size=16" npm run bench        other flags of Node.js; its results are not kept
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { LOADS, measure } from './load.mjs';
import { inPlace } from './place.mjs';
import { keepResults, writeReport } from './report.mjs';
import { engineOf } from './server.mjs';
import { SERVICE, SERVICE_ENV } from './service.mjs';
import { freePort, startTarget } from './target.mjs';
import { requestResults, show } from './request-results.mjs';

const { BENCH_DATABASE_URL, BENCH_FLAGS, BENCH_LOADS, BENCH_ROUNDS } = process.env;
const ROUNDS = Number(BENCH_ROUNDS ?? 5); // the best of each counts: what disturbs comes and goes
const loads = loadsOf(BENCH_LOADS);
const isQuick = [BENCH_FLAGS, BENCH_LOADS, BENCH_ROUNDS].some((value) => value !== undefined);
const WARM_UPS = {
  create: 12_000,
  retrieve: 12_000,
  'create of the same size': 6_000,
  'end-to-end create': 6_000,
  'retrieve of the same size': 6_000,
  'end-to-end retrieve': 6_000,
  list: 600,
};
const WORKERS = 2;
const HIGHEST = ['requests/s', 'memory MB', 'failed']; // of the rounds; of all else the lowest

const servers = BENCH_DATABASE_URL?.split(/\s+/).filter(Boolean) ?? [];
const report = {};
for (let round = 0; round < ROUNDS; round++)
  for (const server of [undefined, ...servers]) {
    const engine = await engineOf(server);
    report[engine] ??= { floor: {}, nest: {}, service: {}, workers: {}, 'workers CPU': {} };
    await inPlaces(server, ['floor', 'nest', 'service', 'workers'], (places) =>
      measureRound(report[engine], places),
    );
  }
for (const [engine, results] of Object.entries(report)) show(engine, results);
if (report.postgres && report.mariadb) report.postgres['MariaDB in the same run'] = report.mariadb.service;

const judged = Object.entries(report).flatMap(([engine, results]) => requestResults(engine, results));
console.table(judged);
if (!isQuick) {
  await keepResults('requests', report);
  await writeReport();
}
process.exitCode = judged.every(({ result }) => result === 'pass') ? 0 : 1;

function loadsOf(names = Object.keys(LOADS).join()) {
  return names.split(',').map((name) => {
    if (!LOADS[name]) throw new Error(`no load ${name}; there are ${Object.keys(LOADS).join(', ')}`);
    return [name, LOADS[name]];
  });
}

/** A place for each, all at the same time. */
function inPlaces(server, [name, ...others], work) {
  if (name === undefined) return work({});
  return inPlace(server, (place) => inPlaces(server, others, (places) => work({ [name]: place, ...places })));
}

/** They take turns with each load, so that all meet the same machine. */
async function measureRound(results, { floor, nest, service, workers }) {
  const user = execFileSync(process.execPath, ['dist/cli.js', 'user:create', 'bench@example.org'], {
    env: service.env,
  });
  const { token } = JSON.parse(user);
  const reference = ({ folder, env }) => ({ ...env, FILE: join(folder, 'reference.sqlite3') });
  const targets = {};
  try {
    targets.floor = await startTarget(['bench/floor.mjs'], reference(floor));
    targets.nest = await startTarget(['bench/dist/minimal-nest.js'], reference(nest));
    targets.service = await startTarget(SERVICE, { ...SERVICE_ENV, ...service.env });
    targets.workers = await startTarget(SERVICE, {
      ...SERVICE_ENV,
      ...workers.env,
      WORKERS: String(WORKERS),
      PORT: String(await freePort()), // with PORT=0 they would not have sockets of their own
    });
    for (const [load, { takers, amount }] of loads) {
      const cpu = {};
      if (WARM_UPS[load])
        for (const name of takers) await measure(targets[name], share(name, load, WARM_UPS[load]), token);
      for (const name of takers) {
        const result = await measure(targets[name], share(name, load, amount), token);
        takeBest((results[name][load] ??= {}), result);
        cpu[name] = result['CPU µs'];
      }
      if (cpu.workers) (results['workers CPU'][load] ??= []).push(cpu.workers / cpu.service);
    }
  } finally {
    for (const target of Object.values(targets)) await target.stop();
  }
}

/** Each process gets the same amount, in warming up as well: code not compiled yet costs several times as much. */
function share(name, load, amount) {
  return { ...LOADS[load], amount: name === 'workers' ? WORKERS * amount : amount };
}

/** The highest speed and the lowest times; of memory and failures the highest. */
function takeBest(best, result) {
  for (const [figure, value] of Object.entries(result)) {
    const better = HIGHEST.includes(figure) ? Math.max : Math.min;
    best[figure] = better(best[figure] ?? value, value);
  }
}

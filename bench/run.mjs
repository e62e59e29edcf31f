// npm run bench: what a request costs here, and how that compares with the floor measured in the same run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { START_FLAGS } from '../scripts/start-flags.mjs';
import { LOADS, measure } from './load.mjs';
import { engineOf, inPlace } from './place.mjs';
import { keepResults, writeReport } from './report.mjs';
import { startTarget } from './target.mjs';
import { show, verdicts } from './verdicts.mjs';

const ROUNDS = 5; // the best of each counts: what disturbs comes and goes
const WARM_UPS = { list: 600, create: 12_000, retrieve: 12_000 };
const SERVICE = { HOST: '127.0.0.1', PORT: '0', REQUESTS_PER_MINUTE: '0', LOG_LEVEL: 'info' };
const APP = [...START_FLAGS, 'dist/main.js'];
const WORKERS = 2;
const HIGHEST = ['requests/s', 'memory MB', 'failed']; // of the rounds; of all else the lowest

const servers = process.env.BENCH_DATABASE_URL?.split(/\s+/).filter(Boolean) ?? [];
const report = {};
for (const server of [undefined, ...servers]) {
  const results = { floor: {}, service: {}, workers: {}, 'workers CPU': {} };
  for (let round = 0; round < ROUNDS; round++) {
    await inPlace(server, (floor) =>
      inPlace(server, (service) =>
        inPlace(server, (workers) => measureRound(results, { floor, service, workers })),
      ),
    );
  }
  const engine = await engineOf(server);
  report[engine] = results;
  show(engine, results);
}

const judged = Object.entries(report).flatMap(([engine, results]) => verdicts(engine, results));
console.table(judged);
await keepResults('requests', report);
await writeReport();
process.exitCode = judged.every(({ verdict }) => verdict === 'pass') ? 0 : 1;

/** They take turns with each load, so that all meet the same machine. */
async function measureRound(results, { floor, service, workers }) {
  const user = execFileSync(process.execPath, ['dist/cli.js', 'user:create', 'bench@example.org'], {
    env: service.env,
  });
  const { token } = JSON.parse(user);
  const targets = {};
  try {
    const file = join(floor.folder, 'floor.sqlite3');
    targets.floor = await startTarget(['bench/floor.mjs'], { ...floor.env, FILE: file });
    targets.service = await startTarget(APP, { ...SERVICE, ...service.env });
    targets.workers = await startTarget(APP, { ...SERVICE, ...workers.env, WORKERS: String(WORKERS) });
    for (const [load, amount] of Object.entries(WARM_UPS))
      for (const name of LOADS[load].takers) await measure(targets[name], share(name, load, amount), token);
    for (const [load, { takers, amount }] of Object.entries(LOADS)) {
      const cpu = {};
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

/** Each process gets the same amount, in warming up as well: what it has not compiled yet costs several times as much. */
function share(name, load, amount) {
  return { ...LOADS[load], amount: name === 'workers' ? WORKERS * amount : amount };
}

/** The highest speed and the lowest times; memory is what it came to at most, and no failure is forgotten. */
function takeBest(best, result) {
  for (const [figure, value] of Object.entries(result)) {
    const better = HIGHEST.includes(figure) ? Math.max : Math.min;
    best[figure] = better(best[figure] ?? value, value);
  }
}

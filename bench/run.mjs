// npm run bench: what a request costs here, and how that compares with the floor measured in the same run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { LOADS, measure } from './load.mjs';
import { engineOf, inPlace } from './place.mjs';
import { keepResults, writeReport } from './report.mjs';
import { startTarget } from './target.mjs';
import { show, verdicts } from './verdicts.mjs';

const ROUNDS = 2; // they take turns, and the best of each counts: what disturbs comes and goes
const SERVICE = { HOST: '127.0.0.1', PORT: '0', REQUESTS_PER_MINUTE: '0', LOG_LEVEL: 'info' };
const APP = ['--max-semi-space-size=8', '--heap-growing-percent=50', 'dist/main.js'];

const servers = process.env.BENCH_DATABASE_URL?.split(/\s+/).filter(Boolean) ?? [];
const report = {};
for (const server of [undefined, ...servers]) {
  const results = { floor: {}, service: {}, workers: {} };
  for (let round = 0; round < ROUNDS; round++) {
    await inPlace(server, async ({ folder, env }) => {
      const target = await startTarget(['bench/floor.mjs'], { ...env, FILE: join(folder, 'floor.sqlite3') });
      takeBest(results.floor, await measureAll(target, ([, load]) => load.isForFloor !== false));
    });
    await inPlace(server, async ({ env }) => {
      const user = execFileSync(process.execPath, ['dist/cli.js', 'user:create', 'bench@example.org'], {
        env,
      });
      const target = await startTarget(APP, { ...SERVICE, ...env });
      takeBest(results.service, await measureAll(target, () => true, JSON.parse(user).token));
    });
    await inPlace(server, async ({ env }) => {
      const target = await startTarget(APP, { ...SERVICE, ...env, WORKERS: '2' });
      takeBest(results.workers, await measureAll(target, ([name]) => ['create', 'retrieve'].includes(name)));
    });
  }
  const engine = await engineOf(server);
  report[engine] = results;
  show(engine, results);
}

const judged = Object.entries(report).flatMap(([engine, results]) => verdicts(engine, results));
console.table(judged);
keepResults('requests', report);
await writeReport();
process.exitCode = judged.every(({ verdict }) => verdict === 'pass') ? 0 : 1;

async function measureAll(target, isWanted, token) {
  const results = {};
  try {
    await measure(target, { ...LOADS.create, amount: 3_000 }); // warms up
    await measure(target, { ...LOADS.retrieve, amount: 3_000 });
    for (const [name, load] of Object.entries(LOADS).filter(isWanted)) {
      results[name] = await measure(target, load, token);
    }
    return results;
  } finally {
    await target.stop();
  }
}

/** The highest speed and the lowest of everything else; no failure is forgotten. */
function takeBest(best, results) {
  for (const [load, result] of Object.entries(results)) {
    best[load] ??= { ...result };
    for (const [figure, value] of Object.entries(result)) {
      const better = figure === 'requests/s' || figure === 'failed' ? Math.max : Math.min;
      best[load][figure] = better(best[load][figure], value);
    }
  }
}

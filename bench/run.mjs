// npm run bench: what a request costs here, and how that compares with the floor measured in the same run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { LOADS, measure } from './load.mjs';
import { startTarget } from './target.mjs';
import { verdicts } from './verdicts.mjs';

const SERVICE = { HOST: '127.0.0.1', PORT: '0', REQUESTS_PER_MINUTE: '0', LOG_LEVEL: 'info' };

const servers = process.env.BENCH_DATABASE_URL?.split(/\s+/).filter(Boolean) ?? [];
const report = {};
for (const server of [undefined, ...servers]) {
  const engine = server ?? 'sqlite';
  report[engine] = {
    floor: await inPlace(server, async ({ folder, env }) => {
      const target = await startTarget(['bench/floor.mjs'], { ...env, FILE: join(folder, 'floor.sqlite3') });
      return measureAll(target, ([, load]) => load.isForFloor !== false);
    }),
    service: await inPlace(server, async ({ env }) => {
      const token = JSON.parse(
        execFileSync(process.execPath, ['dist/cli.js', 'user:create', 'bench@example.org'], { env }),
      ).token;
      const target = await startTarget(['--max-semi-space-size=8', 'dist/main.js'], { ...SERVICE, ...env });
      return measureAll(target, () => true, token);
    }),
  };
  show(engine, report[engine]);
}
writeFileSync('bench/results.json', `${JSON.stringify(report, null, 2)}\n`);

const judged = Object.entries(report).flatMap(([engine, results]) => verdicts(engine, results));
console.table(judged);
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

/** A fresh data folder, and a fresh database where there is a server. */
async function inPlace(server, work) {
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-bench-'));
  const database = `sealpush_bench_${process.pid}`;
  const onServer = async (statement) => {
    const connection = await mysql.createConnection(server);
    await connection.query(statement);
    await connection.end();
  };
  if (server) await onServer(`CREATE DATABASE ${database}`);
  try {
    return await work({
      folder,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: folder,
        ...(server && { DATABASE_URL: `${server}/${database}` }),
      },
    });
  } finally {
    if (server) await onServer(`DROP DATABASE ${database}`);
    rmSync(folder, { recursive: true, force: true });
  }
}

function show(engine, { floor, service }) {
  const rows = Object.entries(service).flatMap(([load, result]) => [
    { load, of: 'service', ...result, ratio: ratio(result, floor[load]) },
    ...(floor[load] ? [{ load, of: 'floor', ...floor[load] }] : []),
  ]);
  console.log(`\n${engine}`);
  console.table(rows);
}

function ratio(result, floor) {
  return floor ? (result['requests/s'] / floor['requests/s']).toFixed(2) : undefined;
}

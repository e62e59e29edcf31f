// npm run bench:growth [-- PUSHES [ENTRIES]]: what a large database costs, compared with an empty one in the same
// run. On SQLite, or on the server that BENCH_DATABASE_URL names.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import autocannon from 'autocannon';
import { growthResults } from './growth-results.mjs';
import { LOADS, makePushes, measure, retrieveEach } from './load.mjs';
import { engineOf, inPlace } from './place.mjs';
import { keepResults, writeReport } from './report.mjs';
import { seed } from './seed.mjs';
import { FLAGS } from './service.mjs';
import { startTarget } from './target.mjs';

const EMAIL = 'bench@example.org';
const SERVICE = {
  REQUESTS_PER_MINUTE: '0',
  LOG_LEVEL: 'error',
  EXPIRE_AFTER_VIEWS_MAX: '1000000',
  RETENTION_DAYS: '30',
};
const ROUNDS = 3;
const WARM_UPS = 2;
const MAX_REQUESTS = 9_000;
const LAST_PAGE = 200;
const LONGEST_LOG_PAGE = Math.ceil((3 * 2000 + 102) / 50);
const PAGE_REQUESTS = 21;
const READS_PER_SECOND = 100;
const CALM_SECONDS = 20;

const [pushes = 1_000_000, entries = 5 * pushes] = process.argv.slice(2).map(Number);
const [server] = process.env.BENCH_DATABASE_URL?.split(/\s+/) ?? [];
const engine = await engineOf(server);
const figures = await inPlace(server, (empty) => inPlace(server, (grown) => compare(empty, grown)));
const judged = growthResults(engine, figures);

await keepResults('growth', { [engine]: figures });
console.log(JSON.stringify(figures, null, 2));
console.table(judged);
process.exitCode = judged.every(({ result }) => result === 'pass') ? 0 : 1;
await writeReport();

async function compare(empty, grown) {
  makeUser(empty.env);
  const token = makeUser(grown.env);
  const began = performance.now();
  const { sample, longest } = await seed(grown, { pushes, entries, email: EMAIL });
  const seconds = round((performance.now() - began) / 1000);
  console.log(`seeded ${pushes} pushes and ${entries} entries in ${seconds} s`);

  const targets = { empty: await start(empty.env), grown: await start(grown.env) };
  try {
    return {
      seeded: { pushes, entries, seconds },
      load: round(loadavg()[0]),
      requests: await measureRequests(targets, sample),
      'pages ms': await measurePages(targets.grown, token, longest),
      expire: await measureWhile(targets.grown, 'expireOverdue'),
      purge: await measureWhile(targets.grown, 'purge'),
    };
  } finally {
    await targets.empty.stop();
    await targets.grown.stop();
  }
}

/**
 * The two take turns, so that both meet the same machine; the best round of each counts. They have the same to do:
 * making pushes, and retrieving such as were just made. Only the grown one has old pushes, which are retrieved by chance.
 */
async function measureRequests(targets, sample) {
  const old = Math.min(MAX_REQUESTS, Math.floor(sample.length / ROUNDS));
  const amount = MAX_REQUESTS;
  const loads = {
    create: { ...LOADS.create, amount },
    retrieve: { ...LOADS.retrieve, amount },
    'retrieve old': { amount: old, prepare: () => retrieveEach(sample.splice(0, old)) },
  };
  const results = { empty: {}, grown: {} };
  const take = async (name, load) =>
    (results[name][load] = better(results[name][load], await measure(targets[name], loads[load])));

  for (let warmUps = 0; warmUps < WARM_UPS; warmUps++)
    for (const target of Object.values(targets))
      for (const load of ['create', 'retrieve']) await measure(target, loads[load]);
  for (let rounds = 0; rounds < ROUNDS; rounds++)
    for (const load of ['create', 'retrieve'])
      for (const name of Object.keys(targets)) await take(name, load);
  for (let rounds = 0; rounds < ROUNDS; rounds++) await take('grown', 'retrieve old');
  return results;
}

function better(before, { 'requests/s': speed, 'CPU µs': cpu, failed }) {
  return {
    'requests/s': Math.max(before?.['requests/s'] ?? 0, speed),
    'CPU µs': Math.min(before?.['CPU µs'] ?? Infinity, cpu),
    failed: (before?.failed ?? 0) + failed,
  };
}

/** One request after the other, the median of each page. */
async function measurePages({ url }, token, longest) {
  const log = `${longest}/audit`;
  const pages = [
    ...['active', 'expired'].flatMap((list) => [1, LAST_PAGE].map((page) => [list, list, page])),
    ...[1, LONGEST_LOG_PAGE, LAST_PAGE].map((page) => ['audit', log, page]),
  ];
  const results = {};
  for (const [name, path, page] of pages) {
    const times = [];
    for (let i = 0; i < PAGE_REQUESTS; i++) {
      const startedAt = performance.now();
      const response = await fetch(`${url}/api/v2/pushes/${path}?page=${page}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.text();
      times.push(performance.now() - startedAt);
      if (response.status !== 200) throw new Error(`page ${page} of ${name}: ${response.status}`);
    }
    results[`${name} ${page}`] = round(times.sort((a, b) => a - b)[Math.floor(PAGE_REQUESTS / 2)]);
  }
  return results;
}

/** What others notice while the service does something to very many pushes, and what it takes. */
async function measureWhile(target, act) {
  const [urlToken] = await makePushes(target.url, 1, { expire_after_views: 1_000_000 });
  const reading = (duration) =>
    autocannon({
      url: `${target.url}/api/v2/pushes/${urlToken}`,
      connections: 10,
      overallRate: READS_PER_SECOND,
      duration,
    });
  const calm = await reading(CALM_SECONDS);

  const memoryBefore = target.memory();
  let memoryMost = memoryBefore;
  const watch = setInterval(() => (memoryMost = Math.max(memoryMost, target.memory())), 50);
  const readers = reading(3600);
  const done = await target.ask(act);
  clearInterval(watch);
  readers.stop();
  const busy = await readers;
  return {
    pushes: done.count,
    seconds: round(done.seconds),
    'unit p99 ms': round(done.unitP99),
    'unit max ms': round(done.unitMax),
    'memory MB': Math.round(memoryBefore),
    'growth MB': Math.round(memoryMost - memoryBefore),
    'read p99 calm ms': calm.latency.p99,
    'read p99 ms': busy.latency.p99,
    'read max calm ms': calm.latency.max,
    'read max ms': busy.latency.max,
    failed: [calm, busy].reduce((sum, { non2xx, errors, timeouts }) => sum + non2xx + errors + timeouts, 0),
  };
}

function start(env) {
  return startTarget([...FLAGS, 'bench/growth-server.mjs'], {
    ...SERVICE,
    ...env,
  });
}

function makeUser(env) {
  const output = execFileSync(process.execPath, ['dist/cli.js', 'user:create', EMAIL], { env });
  return JSON.parse(output).token;
}

function round(value) {
  return Number(value.toFixed(1));
}

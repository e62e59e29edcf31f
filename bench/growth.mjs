// npm run bench:growth: what a large database costs, compared with an empty one in the same run. On SQLite, or on the
// server that BENCH_DATABASE_URL names. BENCH_PUSHES=20000 gives a quick look, with which nothing is written.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import { measureLists } from './growth-lists.mjs';
import { growthResults } from './growth-results.mjs';
import { LOADS, makePushes, measure, retrieveEach } from './load.mjs';
import { inPlace } from './place.mjs';
import { openDatabase } from './raw-database.mjs';
import { keepResults, writeReport } from './report.mjs';
import { signIn } from './seed-accounts.mjs';
import { seed } from './seed.mjs';
import { engineOf } from './server.mjs';
import { QUIET_SERVICE } from './service.mjs';
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
/** What they are asked of the service as. */
const JOBS = {
  'chain audit entries': 'chainNewEntries',
  'count totals': 'countTotals',
  'send messages': 'sendDue',
  'remove messages': 'deleteEndedMessages',
  'remove ended sessions': 'deleteEndedSessions',
  'remove entries of the instance': 'deleteOldEntries',
  expire: 'expireOverdue',
  purge: 'purge',
};
const REQUESTS_PER_SECOND = 100;
/** Commands take minutes in a large database; each of them may be stopped at any time. */
const COMMAND_SECONDS = 30;

const { BENCH_DATABASE_URL, BENCH_PUSHES } = process.env;
const calmSeconds = BENCH_PUSHES === undefined ? 10 : 3;
const pushes = Number(BENCH_PUSHES ?? 1_000_000);
const entries = 5 * pushes;
const [server] = BENCH_DATABASE_URL?.split(/\s+/) ?? [];
const engine = await engineOf(server);
const figures = await inPlace(server, (empty) => inPlace(server, (grown) => compare(empty, grown)));
const judged = growthResults(engine, figures);

console.log(JSON.stringify(figures, null, 2));
console.table(judged);
process.exitCode = judged.every(({ result }) => result === 'pass') ? 0 : 1;
if (BENCH_PUSHES === undefined) {
  await keepResults('growth', { [engine]: figures });
  await writeReport();
}

async function compare(empty, grown) {
  const accounts = { empty: await makeAdministrator(empty), grown: await makeAdministrator(grown) };
  const began = performance.now();
  const seeded = await seed(grown, { pushes, entries, email: EMAIL });
  const seconds = round((performance.now() - began) / 1000);
  console.log(`seeded ${pushes} pushes and ${entries} entries in ${seconds} s`);

  const targets = { empty: await start(empty.env), grown: await start(grown.env) };
  let { grown: target } = targets;
  try {
    const services = Object.fromEntries(
      Object.entries(targets).map(([which, { url }]) => [which, { url, ...accounts[which] }]),
    );
    await measureLists(services, seeded); // to warm up
    await target.ask('watch');
    const figures = {
      seeded: { pushes, entries, accounts: seeded.accounts, seconds },
      load: round(loadavg()[0]),
      'lists ms': await measureLists(services, seeded),
      'lists, loop max ms': round((await target.ask('watch')).loopMax),
      requests: await measureRequests(targets, seeded.sample),
      jobs: {},
      commands: {},
    };
    for (const [job, act] of Object.entries(JOBS))
      figures.jobs[job] = await measureWhile(target, job, () => target.ask(act));
    await target.ask('chainNewEntries'); // so that the next command verifies
    for (const args of [
      ['audit:verify'],
      ['audit:export', join(grown.folder, 'audit')],
      ['export', join(grown.folder, 'export')],
    ])
      figures.commands[args[0]] = await measureWhile(target, args[0], () => runCommand(args, grown.env));
    await target.stop();
    addMasterKey(grown.folder);
    target = await start(grown.env);
    const codes = [0, 1]; // 1 says that waiting messages still need the other key
    figures.commands['keys:rotate'] = await measureWhile(target, 'keys:rotate', () =>
      runCommand(['keys:rotate'], grown.env, codes),
    );
    return figures;
  } finally {
    await targets.empty.stop();
    await target.stop();
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

/** What others notice while something is done to very many rows, and what it takes. */
async function measureWhile(target, name, act) {
  console.log(name);
  const [urlToken] = await makePushes(target.url, 1, { expire_after_views: 1_000_000 });
  const path = '/api/v2/pushes';
  const requesting = (duration) =>
    autocannon({
      url: target.url,
      connections: 10,
      overallRate: REQUESTS_PER_SECOND,
      duration,
      requests: [
        { path: `${path}/${urlToken}` },
        {
          path,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ push: { payload: 'x'.repeat(100) } }),
        },
      ],
    });
  const calm = await requesting(calmSeconds);

  const memoryBefore = target.memory();
  let memoryMost = memoryBefore;
  const watch = setInterval(() => (memoryMost = Math.max(memoryMost, target.memory())), 50);
  const others = requesting(3600);
  await setTimeout(1000);
  await target.ask('watch');
  const done = await act();
  const { loopMax } = { ...(await target.ask('watch')), ...done };
  await setTimeout(1000);
  clearInterval(watch);
  others.stop();
  const busy = await others;
  await done.end?.();
  return {
    ...(done.count !== undefined && { pushes: done.count }),
    seconds: round(done.seconds),
    ...(done.unitMax !== undefined && {
      'unit p99 ms': round(done.unitP99),
      'unit max ms': round(done.unitMax),
    }),
    'loop max ms': round(loopMax),
    'memory MB': Math.round(memoryBefore),
    'growth MB': Math.round(memoryMost - memoryBefore),
    'others p99 calm ms': calm.latency.p99,
    'others p99 ms': busy.latency.p99,
    'others max calm ms': calm.latency.max,
    'others max ms': busy.latency.max,
    failed: [calm, busy].reduce((sum, { non2xx, errors, timeouts }) => sum + non2xx + errors + timeouts, 0),
  };
}

/** Runs a command in a process of its own. After a limited time it is left to `end`, which others do not wait for. */
async function runCommand(args, env, codes = [0]) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    env: { ...SERVICE, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  await Promise.race([exit, setTimeout(COMMAND_SECONDS * 1000)]);
  if (child.exitCode !== null && !codes.includes(child.exitCode))
    throw new Error(`${args[0]}: exit ${child.exitCode}`);
  const end = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { seconds: (performance.now() - startedAt) / 1000, end };
}

function addMasterKey(folder) {
  const file = join(folder, 'master.key');
  writeFileSync(file, `${randomBytes(32).toString('base64')}\n${readFileSync(file, 'utf8')}`);
}

function start(env) {
  return startTarget(QUIET_SERVICE, {
    ...SERVICE,
    ...env,
  });
}

/** @returns the id, and headers of requests with a token or a session */
async function makeAdministrator(place) {
  const command = ['dist/cli.js', 'user:create', EMAIL, '--administrator', '--password-stdin'];
  const input = `${randomBytes(16).toString('hex')}\n`;
  const { token } = JSON.parse(execFileSync(process.execPath, command, { env: place.env, input }));
  const rows = await openDatabase(place);
  await rows.begin();
  const account = await rows.idOf(EMAIL);
  const cookie = `sealpush=${await signIn(rows, account)}`;
  await rows.end();
  return { account, headers: { authorization: `Bearer ${token}`, cookie } };
}

function round(value) {
  return Number(value.toFixed(1));
}

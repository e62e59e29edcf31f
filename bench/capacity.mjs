// npm run bench:capacity: measures the constants of the model in capacity-model.mjs, compares its predictions with
// measurements, and writes the tables of docs/capacity.md. On SQLite, on the servers that BENCH_DATABASE_URL names, and
// on two nodes of Galera that it starts, for which it must run as root (.ci/galera).
//   BENCH_SHARE=0.1 npm run bench:capacity       a quick look with a tenth of the requests; its results are not kept
//   node bench/capacity.mjs --print              prints the page from the stored results
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { capacityPage, capacityResults, RETRIEVALS } from './capacity-model.mjs';
import { drive, requestText } from './client.mjs';
import { CONNECTIONS, LOADS, makePushes, retrieveEach } from './load.mjs';
import { inPlace } from './place.mjs';
import { formatted, keepResults, read, write } from './report.mjs';
import { connectTo, engineOf, isPostgres, pidAt } from './server.mjs';
import { QUIET_SERVICE, SERVICE, SERVICE_ENV } from './service.mjs';
import { cpuWithChildren, startTarget } from './target.mjs';

const DOCUMENT = 'docs/capacity.md';
const DATABASE_FILE = 'sealpush.sqlite3';
const EMAIL = 'bench@example.org';
const SHARE = Number(process.env.BENCH_SHARE ?? 1);
const ROUNDS = 3; // the best of each counts: what disturbs comes and goes
const FILE_BYTES = 100_000;
const LONG_AGO = '2020-01-01 00:00:00.000';

const WITHOUT_WRITER = { together: CONNECTIONS, alone: 1 };
const EACH_WAY = { ...WITHOUT_WRITER, 'beside a writer': CONNECTIONS };
/** How many requests, how they are prepared, and over how many connections they come. */
const REQUESTS = {
  create: { amount: 6_000, prepare: LOADS.create.prepare, connections: EACH_WAY },
  retrieve: { amount: 6_000, prepare: LOADS.retrieve.prepare, connections: EACH_WAY },
  'end-to-end create': {
    amount: 6_000,
    prepare: LOADS['end-to-end create'].prepare,
    connections: WITHOUT_WRITER,
  },
  'end-to-end retrieve': {
    amount: 6_000,
    prepare: LOADS['end-to-end retrieve'].prepare,
    connections: WITHOUT_WRITER,
  },
  passphrase: {
    amount: 100,
    prepare: LOADS['retrieve with passphrase'].prepare,
    connections: { together: CONNECTIONS },
  },
  page: { amount: 1_000, prepare: visitPages, connections: { together: CONNECTIONS } },
};

const some = (amount) => Math.max(40, 2 * Math.round((amount * SHARE) / 2));

if (process.argv.includes('--print')) {
  process.stdout.write(await page());
} else {
  const results = {};
  const take = async (engine, work) => {
    const startedAt = performance.now();
    results[engine] = await work();
    console.log(`${engine}: measured in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  };
  for (const server of [undefined, ...(process.env.BENCH_DATABASE_URL?.split(/\s+/).filter(Boolean) ?? [])])
    await take(await engineOf(server), () => measureEngine(server));
  await take('galera', () => onCluster(measureCluster));
  console.log(JSON.stringify(results, null, 2));
  const judged = capacityResults(results);
  console.table(judged);
  process.exitCode = judged.every(({ result }) => result === 'pass') ? 0 : 1;
  if (process.env.BENCH_SHARE === undefined) {
    await keepResults('capacity', results);
    await write(DOCUMENT, await page());
  }
}

function page() {
  return formatted(DOCUMENT, capacityPage(readFileSync(DOCUMENT, 'utf8'), read('capacity')));
}

async function measureEngine(server) {
  const pids = server ? [pidAt(server)] : [];
  const stored = await inPlace(server, (place) => measureStorage(place, pids));
  const figures = await inPlace(server, ({ folder, env }) =>
    running([QUIET_SERVICE], [env], (targets) => {
      const one = { targets, pids, file: server ? undefined : join(folder, DATABASE_FILE) };
      return server ? measureRounds(one) : inPlace(undefined, (place) => besideWorkers(one, place));
    }),
  );
  return { ...stored, ...figures };
}

/** One process and two workers take turns, so that both meet the same machine. */
function besideWorkers(one, { folder, env }) {
  return running([SERVICE], [{ ...env, WORKERS: '2' }], async (targets) => {
    const workers = { targets, pids: [], areQuiet: false, rest: () => holdJobs(join(folder, DATABASE_FILE)) };
    await warmUp(workers);
    return measureRounds(one, [
      { point: 'one process on SQLite', site: one, processes: 1, connections: 16 },
      { point: 'two workers on SQLite', site: workers, processes: 2, connections: CONNECTIONS },
    ]);
  });
}

/** One process on one of two nodes for the constants, and in turns with that a process on each node. */
async function measureCluster(urls) {
  const pids = urls.map(pidAt);
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-bench-'));
  const MASTER_KEYS = randomBytes(32).toString('base64');
  const env = urls.map((DATABASE_URL) => ({ DATABASE_URL, DATA_DIR: folder, MASTER_KEYS }));
  try {
    return await running([QUIET_SERVICE, QUIET_SERVICE], env, async (targets) => {
      const [one, other] = targets.map((target) => ({ targets: [target], pids }));
      await warmUp(other);
      const site = { targets, pids };
      return measureRounds(one, [
        { point: 'two processes on two nodes of Galera', site, processes: 2, connections: CONNECTIONS },
      ]);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What each request costs alone, and with many at the same time, and how many requests are answered at the points at
 * which the model is checked. All take turns, so that they meet the same machine; the fastest round of each counts.
 */
async function measureRounds(one, points = []) {
  await warmUp(one);
  const requests = {};
  const measured = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [load, { amount, prepare, connections }] of Object.entries(REQUESTS)) {
      for (const [how, count] of Object.entries(connections)) {
        const most = some(count === 1 ? amount / 4 : amount);
        const texts = [await prepare(one.targets[0].url, most)];
        const work = () => measure(one, { connections: count, amount: most, texts });
        const isBeside = how === 'beside a writer';
        if (isBeside && !one.file) continue; // servers have no files that their clients read
        requests[load] ??= {};
        requests[load][how] = better(
          requests[load][how],
          await (isBeside ? besideWriter(one.file, work) : work()),
        );
      }
    }
    for (const { point, site, connections } of points)
      measured[point] = better(measured[point], await measureMix(site, connections));
  }
  const cores = availableParallelism();
  return {
    requests,
    points: points.map(({ site: _, ...point }) => ({ ...point, cores, measured: measured[point.point] })),
  };
}

async function running([args, ...others], [env, ...otherEnvs], work, started = []) {
  const target = await startTarget(args, {
    ...SERVICE_ENV,
    PAGE_REQUESTS_PER_MINUTE: '0',
    RETENTION_DAYS: '30',
    ...env,
  });
  try {
    const targets = [...started, target];
    return others.length > 0 ? await running(others, otherEnvs, work, targets) : await work(targets);
  } finally {
    await target.stop();
  }
}

async function warmUp({ targets: [{ url }] }) {
  for (const load of ['create', 'retrieve', 'end-to-end create', 'end-to-end retrieve']) {
    const amount = some(10_000);
    await drive(url, { connections: CONNECTIONS, amount, next: await LOADS[load].prepare(url, amount) });
  }
  await drive(url, { connections: CONNECTIONS, amount: some(1_000), next: await visitPages(url) });
}

/** The page that creates a push, and that of a link, by turns. */
async function visitPages(url) {
  const [token] = await makePushes(url, 1, {});
  const pages = ['/', `/p/${token}`].map((path) => requestText({ method: 'GET', path }));
  let count = 0;
  return () => pages[count++ % pages.length];
}

/** Creates and retrieves in the proportion that the model assumes; what is retrieved is created before. */
async function measureMix(site, connections) {
  await site.rest?.();
  const perTarget = some(9_000 / site.targets.length);
  const texts = [];
  for (const { url } of site.targets) {
    const create = LOADS.create.prepare();
    const retrieve = retrieveEach(await makePushes(url, perTarget, { expire_after_views: 1 }));
    let count = 0;
    texts.push(() => (count++ % (1 + RETRIEVALS) === 0 ? create() : retrieve()));
  }
  return measure(site, { connections, amount: perTarget * site.targets.length, texts });
}

/** What a request costs the service, the database servers and the load generator, in microseconds of processor time. */
async function measure(site, { connections, amount, texts }) {
  const { targets, pids } = site;
  const before = await readings(site);
  const share = (value) => value / targets.length;
  const runs = await Promise.all(
    targets.map(({ url }, i) =>
      drive(url, { connections: share(connections), amount: share(amount), next: texts[i] }),
    ),
  );
  const after = await readings(site);
  const each = (name) => (after[name] - before[name]) / amount;
  const commits = after.commits - before.commits;
  return {
    'requests/s': amount / Math.max(...runs.map(({ seconds }) => seconds)),
    service: each('service'),
    thread: each('thread'),
    client: each('client'),
    nodes: pids.map((_, node) => (after.nodes[node] - before.nodes[node]) / amount),
    batch: commits > 0 ? amount / commits : 1,
    'commit µs': commits > 0 ? (1000 * (after.ms - before.ms)) / commits : 0,
    'wait µs': commits > 0 ? (1000 * (after.waitMs - before.waitMs)) / commits : 0,
    failed: runs.reduce((sum, { failed }) => sum + failed, 0),
  };
}

async function readings({ targets, pids, areQuiet = true }) {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const { user, system } = process.cpuUsage();
  const commits = areQuiet ? await Promise.all(targets.map((target) => target.ask('commits'))) : [];
  return {
    client: user + system,
    service: sum(targets.map((target) => target.cpu())),
    thread: sum(targets.map((target) => target.mainThreadCpu())),
    nodes: pids.map(cpuWithChildren),
    commits: sum(commits.map(({ count }) => count)),
    ms: sum(commits.map(({ ms }) => ms)),
    waitMs: sum(commits.map(({ waitMs }) => waitMs)),
  };
}

/** Takes the leases of the jobs for a minute. */
async function holdJobs(file) {
  const database = onSqlite(file);
  for (const job of ['audit-chain', 'expiry'])
    database.run(
      `REPLACE INTO leases (name, holder, ends_at) VALUES ('${job}', 'bench', unixepoch() * 1000 + 59000)`,
    );
  database.close();
}

/** Works while another process commits to the same database, more often than the service does. */
async function besideWriter(file, work) {
  const script = `
    const db = new (require('better-sqlite3'))(${JSON.stringify(file)}, { timeout: 10_000 });
    const update = db.prepare('UPDATE administration SET changes = changes');
    setInterval(() => update.run(), 2);`;
  const writer = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  const exit = once(writer, 'exit');
  try {
    const result = await work();
    if (writer.exitCode !== null) throw new Error('the other writer has failed');
    return result;
  } finally {
    writer.kill('SIGKILL');
    await exit;
  }
}

function better(before = { 'requests/s': 0, failed: 0 }, after) {
  const faster = after['requests/s'] > before['requests/s'] ? after : before;
  return { ...faster, failed: before.failed + after.failed };
}

/** Bytes of pushes of each kind and of their audit entries, and the processor time of what the jobs do with them later. */
async function measureStorage({ folder, env }, pids) {
  const user = execFileSync(process.execPath, ['dist/cli.js', 'user:create', EMAIL], { env });
  const headers = { authorization: `Bearer ${JSON.parse(user).token}` };
  return running([QUIET_SERVICE], [env], async (targets) => {
    const [{ url }] = targets;
    const database = await openDatabase(folder, env);
    const grown = async (amount, work) => {
      const before = await database.bytes();
      const result = await work();
      return { bytes: ((await database.bytes()) - before) / amount, result };
    };
    const working = async (amount, act) => {
      const before = await readings({ targets, pids });
      await targets[0].ask(act);
      const after = await readings({ targets, pids });
      const nodes = pids.map((_, node) => (after.nodes[node] - before.nodes[node]) / amount);
      return { service: (after.service - before.service) / amount, nodes };
    };
    const pushesOf = (length, amount, push = {}) =>
      grown(some(amount), () =>
        makePushes(url, some(amount), { payload: 'x'.repeat(length), ...push }, headers),
      );

    await makePushes(url, some(1_000), {}, headers); // indexes have pages of their own from the beginning
    const { bytes, result: tokens } = await pushesOf(100, 6_000, { expire_after_views: 1 + RETRIEVALS });
    const lengths = { 100: bytes };
    for (const [length, amount] of Object.entries({
      1_000: 3_000,
      3_000: 2_000,
      10_000: 1_000,
      100_000: 200,
    }))
      lengths[length] = (await pushesOf(Number(length), amount)).bytes;
    const kinds = {
      url: (await pushesOf(0, 3_000, { kind: 'url', payload: `https://example.org/${'x'.repeat(80)}` }))
        .bytes,
      qr: (await pushesOf(100, 3_000, { kind: 'qr' })).bytes,
    };
    const files = await measureFiles(url, headers, folder, grown);

    const chained = await database.count('audit_entries');
    const chain = await grown(chained, () => working(chained, 'chainNewEntries'));
    const entries = RETRIEVALS * tokens.length;
    const retrieve = () =>
      drive(url, { connections: CONNECTIONS, amount: entries, next: retrieveEach(tokens) });
    const entry = await grown(entries, retrieve);
    const rows = await database.count('pushes');
    await database.run(`UPDATE pushes SET expires_at = '${LONG_AGO}'`);
    const end = await grown(rows, () => working(rows, 'expireOverdue'));
    await database.run(`UPDATE pushes SET expired_on = '${LONG_AGO}'`);
    const removal = await working(rows, 'purge');
    await database.close();
    return {
      bytes: { lengths, kinds, entry: entry.bytes, chain: chain.bytes, files },
      jobs: { chain: chain.result, end: end.result, removal },
    };
  });
}

/** Bytes of a file's rows, and of the file on the disk. */
async function measureFiles(url, headers, folder, grown) {
  const amount = some(200);
  const plain = await grown(amount, () => makePushes(url, amount, { payload: 'x' }, headers));
  const { bytes } = await grown(amount, async () => {
    for (let i = 0; i < amount; i++) {
      const form = new FormData();
      form.set('push[payload]', 'x');
      form.set('push[files][]', new Blob([randomBytes(FILE_BYTES)]), 'a file.bin');
      const response = await fetch(`${url}/api/v2/pushes`, { method: 'POST', headers, body: form });
      if (response.status !== 201) throw new Error(`a file was not stored: ${await response.text()}`);
      await response.text();
    }
  });
  const stored = execFileSync('du', ['-sb', '--apparent-size', join(folder, 'files')]).toString();
  return { rows: Math.max(0, bytes - plain.bytes), stored: parseInt(stored) / amount / FILE_BYTES };
}

function openDatabase(folder, { DATABASE_URL }) {
  return DATABASE_URL ? onServer(DATABASE_URL) : onSqlite(join(folder, DATABASE_FILE));
}

function onSqlite(file) {
  const db = new Database(file, { timeout: 10_000 });
  const pragma = (name) => db.pragma(name, { simple: true });
  return {
    bytes: () => (pragma('page_count') - pragma('freelist_count')) * pragma('page_size'),
    count: (table) => db.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get(),
    run: (statement) => db.exec(statement),
    close: () => db.close(),
  };
}

async function onServer(url) {
  const connection = await connectTo(url);
  const database = new URL(url).pathname.slice(1);
  const one = async (statement) => Number(Object.values((await connection.query(statement))[0])[0]);
  return {
    bytes: async () => {
      if (isPostgres(url)) return one('SELECT pg_database_size(current_database())');
      await connection.query('ANALYZE TABLE pushes, audit_entries, audit_heads, files');
      return one(`SELECT SUM(stat_value) * @@innodb_page_size FROM mysql.innodb_index_stats
        WHERE database_name = '${database}' AND stat_name = 'size'`);
    },
    count: (table) => one(`SELECT COUNT(*) FROM ${table}`),
    run: (statement) => connection.query(statement),
    close: () => connection.end(),
  };
}

/** Starts a cluster as the tests do; their modules are TypeScript, which names its imports as compiled. */
async function onCluster(work) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(
        context.parentURL?.endsWith('.ts') ? specifier.replace(/^(\..*)\.js$/, '$1.ts') : specifier,
        context,
      ),
  });
  const { startCluster } = await import('../test/replicas/support/galera.ts');
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-bench-galera-'));
  const cluster = await startCluster(folder);
  try {
    return await work(cluster.urls);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
}

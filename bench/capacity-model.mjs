// The model of docs/capacity.md: what follows from the constants that bench/capacity.mjs has measured. Times are
// microseconds of a processor, unless said otherwise.
import { criteriaOf } from './criteria.mjs';
import { CONNECTIONS } from './load.mjs';
import { NAMES, table, when } from './report.mjs';

/** What is assumed about the use of an instance. */
export const RETRIEVALS = 2; // of each push
const SHARE_OF_PAGES = 0.5; // of all pushes; the others are made and retrieved by the API
const SHARE_WITH_PASSPHRASE = 0.05; // of all pushes: one that a person has chosen, which the server hashes
const PAGES = 2 + RETRIEVALS; // the form, its result, and the page of the link at each retrieval
const LENGTH = 1000; // of a payload, in characters
const DAYS_ACTIVE = 7;
const SHARE_OWNED = 0.5;
const DAYS_ENDED = { owned: 30, others: 1 };
const SHARE_WITH_FILES = 0.02;
const FILE_BYTES = 1e6;
const PEAK = 5; // times the mean of the day
const BUSY = 0.5; // of what is there, at the peak
const SERVER_CORES = 16;
const SERVER_DISK = 4e12;

const DAY_SECONDS = 86_400;
const LOCK_RETRY = 5000; // BUSY_RETRY_MS: a process that finds the database locked by another one waits as long
const TOLERANCE = 0.3;
const LEAST_PUSHES = 5e6; // that one process on SQLite must be able to take in a day
const MIX = { create: 1 / (1 + RETRIEVALS), retrieve: RETRIEVALS / (1 + RETRIEVALS) };

/** How many requests a second are answered when `connections` in all create and retrieve without a pause. */
export function predict({ requests }, { processes, connections, cores, engine }) {
  const perProcess = connections / processes;
  const isSqlite = engine === 'sqlite';
  const parts = Object.entries(MIX).map(([load, share]) => {
    const figures = requests[load];
    // a server gets creations and retrievals in separate batches
    const batch = batchAt(figures, Math.max(1, isSqlite ? perProcess : perProcess * share));
    const { together } = figures;
    const reached = (shortest(together, 1, cores) * together['requests/s']) / 1e6;
    const costs = costsAt(figures, batch);
    if (isSqlite && processes > 1) addReading(costs, figures);
    return { share, time: shortest(costs, processes, cores) / reached, costs };
  });
  const mean = (valueOf) => sum(parts.map((part) => part.share * valueOf(part)));
  const cycle = connections * mean(({ time }) => time); // in which each connection gets one response
  const locked = mean(({ costs }) => costs['commit µs']);
  return (1e6 * connections) / (isSqlite ? withLock(cycle, locked, processes) : cycle);
}

/** A server that commits `batch` requests together; batches grow with the connections. */
function batchAt({ together }, connections) {
  return 1 + ((connections - 1) * (together.batch - 1)) / (CONNECTIONS - 1);
}

/** A request costs a part of its own, and a share of what its batch costs. A commit takes longer for each request in it. */
function costsAt({ alone, together }, batch) {
  const perRequest = (1 / batch - 1 / together.batch) / (1 - 1 / together.batch);
  const perCommit = (batch - 1) / (together.batch - 1);
  const between = (weight, a, b) => b + weight * (a - b);
  const of = (figure) => between(perRequest, alone[figure], together[figure]);
  const ofCommit = (figure) => between(perCommit, together[figure], alone[figure]);
  return {
    batch,
    service: of('service'),
    thread: of('thread'),
    client: of('client'),
    nodes: together.nodes.map((_, node) => between(perRequest, alone.nodes[node], together.nodes[node])),
    'wait µs': ofCommit('wait µs'),
    'commit µs': ofCommit('commit µs'),
  };
}

/** After a commit by another process, SQLite reads each page again that it needs. */
function addReading(costs, { together, 'beside a writer': beside }) {
  for (const figure of ['service', 'thread']) costs[figure] += Math.max(0, beside[figure] - together[figure]);
}

/** The time for one request that either the threads of the processes or the cores of the machine need. */
function shortest({ batch, service, thread, client, nodes, 'wait µs': wait }, processes, cores) {
  return Math.max((thread + wait / batch) / processes, (service + client + sum(nodes)) / cores);
}

/** One process at a time writes to SQLite: the others try again after a pause. */
function withLock(cycle, locked, processes) {
  let longer = cycle;
  for (let i = 0; i < 50; i++) {
    const busy = Math.min(0.9, (locked * (processes - 1)) / longer);
    longer = cycle + (LOCK_RETRY * busy) / (1 - busy);
  }
  return longer;
}

/** Each criterion with what was measured or computed. */
export function capacityResults(results) {
  return [...checks(results), reach(results)];
}

/** Each point at which the model was checked. */
function checks(results) {
  return pointsOf(results).map(({ engine, point, predicted, reached }) =>
    criteriaOf(engine).atMost(`${point}, deviation`, Math.abs(predicted / reached - 1), TOLERANCE),
  );
}

function pointsOf(results) {
  return Object.entries(results).flatMap(([engine, result]) =>
    result.points.map((point) => ({
      ...point,
      engine,
      predicted: predict(result, { ...point, engine }),
      reached: point.measured['requests/s'],
    })),
  );
}

/** What a push costs from its creation to its removal, at the assumed use, when nothing shares a batch. */
function costOfPush(results, engine) {
  const { requests, jobs } = { ...results.mariadb, ...results[engine] }; // jobs on Galera are those on MariaDB
  const { page, passphrase, retrieve: onSqlite } = results.sqlite.requests;
  const ofHash = (figure) => passphrase.together[figure] - onSqlite.together[figure];
  const ofRequest = (load, valueOf) =>
    SHARE_OF_PAGES * valueOf(requests[`end-to-end ${load}`].alone) +
    (1 - SHARE_OF_PAGES) * valueOf(requests[load].alone);
  const ofRequests = (valueOf) => ofRequest('create', valueOf) + RETRIEVALS * ofRequest('retrieve', valueOf);
  const jobsCost = (of) => (1 + RETRIEVALS) * of(jobs.chain) + of(jobs.end) + of(jobs.removal);
  const pages = SHARE_OF_PAGES * PAGES;
  const node = ({ nodes }) => Math.max(0, ...nodes);
  const hashes = SHARE_WITH_PASSPHRASE * (1 + RETRIEVALS) * ofHash('service');
  const attempts = SHARE_WITH_PASSPHRASE * RETRIEVALS;
  const withoutHashes = (figure) =>
    ofRequests((figures) => figures[figure]) +
    pages * page.together[figure] +
    jobsCost(({ service }) => service);
  return {
    service: withoutHashes('service') + hashes,
    thread: withoutHashes('thread') + attempts * ofHash('thread'),
    hashes,
    creationHash: SHARE_WITH_PASSPHRASE * ofHash('service'), // of these a process computes one at a time
    node:
      ofRequests(node) +
      attempts * node(requests.passphrase.together) +
      pages * node(requests.page.together) +
      jobsCost(node),
    writer:
      ofRequests((figures) => figures['commit µs']) +
      attempts * requests.retrieve.alone['commit µs'] + // each is a commit of its own
      jobsCost(({ service }) => service),
  };
}

/** Bytes of a payload with its row, between the lengths that were measured. */
function bytesOfPush(lengths, length) {
  const points = Object.entries(lengths).map(([at, bytes]) => [Number(at), bytes]);
  const next = Math.max(
    1,
    points.findIndex(([at]) => at >= length),
  );
  const [[fromLength, fromBytes], [toLength, toBytes]] = [points[next - 1], points[next]];
  return fromBytes + ((length - fromLength) * (toBytes - fromBytes)) / (toLength - fromLength);
}

/** Bytes of the database, and of files, that pushes need at the assumed use, when as many are made each day. */
function storage(results, engine, perDay) {
  const { lengths, entry, chain, files } = (results[engine].bytes ? results[engine] : results.mariadb).bytes;
  const log = RETRIEVALS * entry + (1 + RETRIEVALS) * chain;
  const daysEnded = SHARE_OWNED * DAYS_ENDED.owned + (1 - SHARE_OWNED) * DAYS_ENDED.others;
  const active = DAYS_ACTIVE * (bytesOfPush(lengths, LENGTH) + log);
  const ended = daysEnded * (bytesOfPush(lengths, 100) + log);
  return {
    database: perDay * (active + ended),
    files: perDay * SHARE_WITH_FILES * DAYS_ACTIVE * (FILE_BYTES * files.stored + files.rows),
  };
}

/** How many pushes a day fill the disk of a database server, and no more. */
function pushesOnDisk(results, engine) {
  return SERVER_DISK / storage(results, engine, 1).database;
}

const serverOf = (results) => ['mysql', 'mariadb'].find((engine) => results[engine]);

/** How many pushes a day each arrangement can take, and what limits it. */
function limits(results) {
  const sqlite = costOfPush(results, 'sqlite');
  const disk = (engine) => pushesOnDisk(results, engine);
  return [
    limitOfOneProcess(results),
    limit(`${SERVER_CORES} workers on SQLite and ${SERVER_CORES} cores`, {
      'the lock for writing': perDay((BUSY * 1e6) / sqlite.writer),
      'the cores': perDay((BUSY * SERVER_CORES * 1e6) / sqlite.service),
      'a disk of 4 TB': disk('sqlite'),
    }),
    ...[serverOf(results), 'postgres']
      .filter((server) => results[server])
      .map((server) =>
        limit(`${NAMES[server]} on ${SERVER_CORES} cores, with a standby`, {
          'the cores of the database server': perDay(
            (BUSY * SERVER_CORES * 1e6) / costOfPush(results, server).node,
          ),
          'a disk of 4 TB': disk(server),
        }),
      ),
    ...(results.galera
      ? [
          limit(`Galera, ${SERVER_CORES} cores for each node`, {
            'the cores of each node': perDay(
              (BUSY * SERVER_CORES * 1e6) / costOfPush(results, 'galera').node,
            ),
            'a disk of 4 TB': disk('galera'),
          }),
        ]
      : []),
  ];
}

function limitOfOneProcess(results) {
  const { creationHash, thread } = costOfPush(results, 'sqlite');
  return limit('one process on SQLite', {
    'hashes of passphrases at creation, one at a time': perDay((BUSY * 1e6) / creationHash),
    'the thread that runs JavaScript': perDay((BUSY * 1e6) / thread),
    'a disk of 4 TB': pushesOnDisk(results, 'sqlite'),
  });
}

function limit(arrangement, bounds) {
  const [[first, most], [second, next]] = Object.entries(bounds).toSorted(([, a], [, b]) => a - b);
  return { arrangement, most, first, second, next };
}

function perDay(pushesPerSecond) {
  return (pushesPerSecond * DAY_SECONDS) / PEAK;
}

/** How far the smallest installation has to go. */
function reach(results) {
  const { arrangement, most } = limitOfOneProcess(results);
  return criteriaOf('sqlite').atLeast(`${arrangement}, pushes a day`, Math.round(most), LEAST_PUSHES);
}

/** What to run for so many pushes a day. */
function stage(results, perDay, { engine, instances = 1, outage }) {
  const rate = (PEAK * perDay) / DAY_SECONDS;
  const cost = costOfPush(results, engine);
  const each = rate / instances;
  const share = (time) => (each * time) / 1e6 / BUSY;
  const { database, files } = storage(results, engine, perDay);
  return {
    'pushes a day': perDay.toLocaleString('en'),
    'pushes/s at the peak': amount(rate),
    'requests/s at the peak': amount(rate * requestsPerPush()),
    instances,
    'processes each': Math.ceil(Math.max(share(cost.creationHash), share(cost.thread))),
    'cores for processes, each': Math.ceil(share(cost.service)),
    'of these for passphrases': amount(share(cost.hashes)),
    'cores for the database, each': engine === 'sqlite' ? '–' : Math.ceil(share(cost.node)),
    'database, in all': bytes(database),
    'files, in all': bytes(files),
    [`refused in an outage at the peak`]: `${amount((rate / instances) * requestsPerPush() * outage)} in ${outage} s`,
  };
}

const requestsPerPush = () => 1 + RETRIEVALS + SHARE_OF_PAGES * PAGES;

function stages(results) {
  const server = serverOf(results);
  const most = limits(results).find(({ arrangement }) => arrangement.startsWith(NAMES[server])).most;
  const rows = [
    stage(results, 1_000, { engine: 'sqlite', outage: 1 }),
    stage(results, 100_000, { engine: 'sqlite', outage: 1 }),
    stage(results, 10_000_000, { engine: server, outage: 120 }),
    stage(results, 1_000_000_000, { engine: server, instances: Math.ceil(1e9 / most), outage: 120 }),
  ];
  return Object.keys(rows[0])
    .slice(1)
    .map((name) => ({
      'pushes a day': name,
      ...Object.fromEntries(rows.map((row) => [row['pushes a day'], row[name]])),
    }));
}

/** The page with its tables written anew. */
export function capacityPage(text, results) {
  const tables = {
    assumptions: () => table(assumptions()),
    requests: () => table(requestRows(results)),
    jobs: () => table(jobRows(results)),
    bytes: () => table(byteRows(results)),
    checks: () => `${table(checkRows(results))}\n\n${when(results.sqlite)}`,
    limits: () => [limitRows(results), reachRows(results)].map(table).join('\n\n'),
    stages: () => table(stages(results)),
  };
  return text.replace(
    /(<!-- table: (\w+) -->)[^]*?(<!-- end of table -->)/g,
    (_, begin, name, end) => `${begin}\n\n${tables[name]()}\n\n${end}`,
  );
}

function assumptions() {
  const rows = {
    'retrievals of each push': RETRIEVALS,
    'pushes that are made and opened on the pages, encrypted there': percent(SHARE_OF_PAGES),
    'pages shown for each of these': PAGES,
    'pushes with a passphrase that a person has chosen, which the server hashes':
      percent(SHARE_WITH_PASSPHRASE),
    'characters that the server gets as the payload': LENGTH,
    'days until a push ends': DAYS_ACTIVE,
    'pushes with an owner': percent(SHARE_OWNED),
    'days that an ended push is kept, with an owner (RETENTION_DAYS)': DAYS_ENDED.owned,
    'the same, without an owner': DAYS_ENDED.others,
    'pushes with a file': `${percent(SHARE_WITH_FILES)}, of ${bytes(FILE_BYTES)}`,
    'rate at the peak, relative to the mean of the day': PEAK,
    'what may be busy at the peak': percent(BUSY),
    'a database server': `${SERVER_CORES} cores, a disk of ${bytes(SERVER_DISK)}`,
  };
  return Object.entries(rows).map(([assumption, value]) => ({ assumption, value }));
}

function requestRows(results) {
  return Object.entries(results).flatMap(([engine, { requests }]) =>
    Object.entries(requests).flatMap(([request, figures]) =>
      Object.entries(figures).map(([how, { service, thread, nodes, batch, 'commit µs': commit }]) => ({
        on: NAMES[engine],
        request,
        sent: how,
        'service, µs': Math.round(service),
        'of it the main thread': Math.round(thread),
        'database, µs': nodes.map(Math.round).join(' and ') || '–',
        'requests in a commit': request === 'page' ? '–' : batch.toFixed(1),
        'a commit, µs': request === 'page' ? '–' : Math.round(commit),
      })),
    ),
  );
}

function jobRows(results) {
  return withJobs(results).map(([engine, { jobs }]) => {
    const cost = ({ service, nodes }) => [service, ...nodes].map((value) => Math.round(value)).join(' and ');
    return {
      on: NAMES[engine],
      'an audit entry is chained': cost(jobs.chain),
      'a push ends': cost(jobs.end),
      'a push is removed': cost(jobs.removal),
    };
  });
}

function byteRows(results) {
  const engines = withJobs(results);
  const row = (what, valueOf) => ({
    bytes: what,
    ...Object.fromEntries(
      engines.map(([engine, result]) => [
        NAMES[engine],
        Math.round(valueOf(result.bytes)).toLocaleString('en'),
      ]),
    ),
  });
  return [
    ...Object.keys(engines[0][1].bytes.lengths).map((length) =>
      row(`text of ${Number(length).toLocaleString('en')} characters`, ({ lengths }) => lengths[length]),
    ),
    row('URL of 100 characters', ({ kinds }) => kinds.url),
    row('QR code of 100 characters', ({ kinds }) => kinds.qr),
    row('audit entry of a retrieval', ({ entry }) => entry),
    row('chaining an entry adds', ({ chain }) => chain),
    row('rows of a file', ({ files }) => files.rows),
    row('1,000,000 bytes of a file, on the disk', ({ files }) => 1e6 * files.stored),
  ];
}

const withJobs = (results) => Object.entries(results).filter(([, { jobs }]) => jobs);

function limitRows(results) {
  return limits(results).map(({ arrangement, most, first, second, next }) => ({
    arrangement,
    'pushes a day, at most': amount(most),
    'limited by': first,
    'the next limit': `${second}: ${amount(next)}`,
  }));
}

function reachRows(results) {
  const { criterion, measured, result } = reach(results);
  return [{ criterion, target: `at least ${amount(LEAST_PUSHES)}`, computed: amount(measured), result }];
}

function checkRows(results) {
  return pointsOf(results).map(({ point, connections, predicted, reached, measured }) => ({
    point,
    connections,
    'predicted, requests/s': Math.round(predicted),
    'measured, requests/s': Math.round(reached),
    deviation: percent(predicted / reached - 1),
    failed: measured.failed,
    'within 30 %': Math.abs(predicted / reached - 1) <= TOLERANCE ? 'pass' : 'FAIL',
  }));
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}

/** With two digits that count. */
function amount(value) {
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 3 });
}

function bytes(value) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const unit = Math.floor(Math.log10(value) / 3);
  return `${amount(value / 1000 ** unit)} ${units[unit]}`;
}

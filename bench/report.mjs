// docs/performance.md, written anew from what the benchmarks have kept: bench/results-*.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { format, resolveConfig } from 'prettier';
import { growthVerdicts } from './growth-verdicts.mjs';
import { rows, verdicts } from './verdicts.mjs';

const DOCUMENT = 'docs/performance.md';
const NAMES = { sqlite: 'SQLite', mariadb: 'MariaDB', mysql: 'MySQL' };

/** Keeps what a benchmark has measured, engine by engine; those that it has not measured stay as they were. */
export async function keepResults(benchmark, results) {
  const measured = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cores: cores(),
  };
  const dated = Object.entries(results).map(([engine, result]) => [engine, { measured, ...result }]);
  const all = { ...read(benchmark), ...Object.fromEntries(dated) };
  await write(fileOf(benchmark), JSON.stringify(all));
}

export async function writeReport() {
  const text = [`# Performance`, METHOD, requests(), growth(), files(), LIMITS].join('\n\n');
  await write(DOCUMENT, text);
}

const METHOD = `Machines differ, and a busy one is slow at everything. So nothing here is compared with a figure of another day: each benchmark measures the service beside something that does the same work with nothing around it, in the same run, and the promises are ratios. Where two are compared they take turns, and the best round of each counts. Every command prints each promise with \`pass\` or \`FAIL\`, exits with 1 where one is missed, and writes this page anew from \`bench/results-*.json\`; a row that fails is left in it.

- \`npm run bench\`: requests. \`BENCH_DATABASE_URL="mysql://root@127.0.0.1:3306"\` adds a server, or several separated by spaces. It should keep what it acknowledges: those that \`.ci/mariadb\` and \`.ci/mysql\` start for tests do not wait for the disk.
- \`npm run bench:growth\`: a database of a million pushes, on SQLite or on the server that \`BENCH_DATABASE_URL\` names.
- \`npm run bench:files\`: uploads and downloads.
- \`npm run bench:all\`: all of them, one after the other.`;

function requests() {
  const results = Object.entries(read('requests'));
  return [
    `## Requests

The built server runs in a process of its own on a fresh data folder, the load in another: 50 connections that ask without a pause. *Create* makes text pushes of 100 characters; *retrieve* shows one-view pushes, each once; *retrieve with passphrase* hashes 19 MiB for each (argon2id), two at a time; *list* reads a full page of an owner's pushes, 50 of them with their names; *mixed* creates and retrieves by turns. Servers take turns with each load; each of their processes is warmed up alike and gets the same number of requests; the best of five rounds counts, of memory the worst, and where two numbers of workers are compared the median of the ratios of each round. The floor (\`bench/floor.mjs\`) is a bare \`node:http\` server that does the same durable work without a framework: token, AES-256-GCM, push and audit entry in one transaction, with \`synchronous=FULL\` and group commit on SQLite. CPU is what the server's processes used for each request, of user and kernel: the figure that noise spares most. *2 workers* is \`WORKERS=2\`; load generator, database and workers share the machine's cores, so its speed is told and not judged.`,
    ...orNone(
      results.flatMap(([engine, result]) => [
        `### ${NAMES[engine]}`,
        when(result),
        table(rows(result)),
        table(verdicts(engine, result).map(({ engine: _, ...verdict }) => verdict)),
      ]),
    ),
  ].join('\n\n');
}

function growth() {
  const results = Object.entries(read('growth'));
  return [
    `## Growth

A database is filled with pushes and audit entries in the service's own format, among them an owner of 50,000 pushes and logs of the greatest length that the contract allows. Requests are compared with those on an empty database in the same run: *retrieve* is for pushes that were just made, *retrieve old* for such as are drawn from the whole database by chance; pages are the median of requests one after the other. Then 100,000 overdue pushes are ended and removed, while others read: *unit* is how long one transaction of that took.`,
    ...orNone(
      results.flatMap(([engine, result]) => [
        `### ${NAMES[engine]}`,
        `${when(result)} ${result.seeded.pushes.toLocaleString('en')} pushes, ${result.seeded.entries.toLocaleString('en')} entries.`,
        table(growthVerdicts(engine, result).map(({ engine: _, ...verdict }) => verdict)),
      ]),
    ),
  ].join('\n\n');
}

function files() {
  const results = Object.values(read('files'));
  return [
    `## Files

2 GB to the server over loopback and back, with SQLite and files on disk. A plain pipe does the same beside it: bare \`node:http\`, request to a synced file and file to response, without sealing, forms or a database. Growth is how far the server's resident memory rose above where it stood when a transfer began, looked at every 50 ms, the worst of the rounds.`,
    ...orNone(results.flatMap((result) => [when(result), table(result.rows)])),
  ].join('\n\n');
}

const LIMITS = `## Reading the figures

With 50 connections that never pause, a request takes on average 50 divided by the requests in a second, however they are served, and on two cores that load generator, database and kernel share, one in a hundred takes two to three times as long: it meets a flush to disk, a garbage collection, or both. A page of a list is fifty pushes that are read and opened, so it is no request to hold against those bounds: whoever asks along with 49 others that never pause waits for fifty pages, which is what its p50 says; alone it takes some 5 ms. The machine's own speed changes by half from minute to minute; compare figures of one run alone. The bound in milliseconds is no ratio, so it asks for a machine like this one: on one half as fast the floor's own p99 was 28 ms on SQLite and the service's 57, while speed and CPU kept their shares of the floor. What a request costs beside the database's work is mostly the way from the socket to the controller and back; docs/decisions/0013 and 0020 have what was taken out of it.

With two workers each group of requests is smaller, and on SQLite each worker reads anew what the other has changed; on two cores load generator and workers take turns. So a request costs a little more there, or less, by turns: two services that have nothing to do with each other, side by side, differ as much from one alone.

Pushes that are retrieved soon after they were made lie side by side, in a large database as in a small one. An old one has pages of its own, and so has its place in each index that tells what has ended: writing those is what it costs more, in time far more than in CPU: a thousand of them dirty some four thousand pages. An empty database has nothing like it, so the bounds for these are wider than for the rest.`;

function when({ measured: { date, node, cores } }) {
  return `Measured on ${date} with Node ${node} on ${cores}.`;
}

function orNone(sections) {
  return sections.length > 0 ? sections : ['Not measured yet.'];
}

function cores() {
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
}

function table(rows) {
  const heads = Object.keys(rows[0] ?? {});
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map((row) => line(heads.map((head) => row[head]))),
  ].join('\n');
}

function read(benchmark) {
  return existsSync(fileOf(benchmark)) ? JSON.parse(readFileSync(fileOf(benchmark), 'utf8')) : {};
}

async function write(file, text) {
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

function fileOf(benchmark) {
  return `bench/results-${benchmark}.json`;
}

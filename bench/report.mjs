// bench/README.md, generated from the stored results of the benchmarks: bench/results-*.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { format, resolveConfig } from 'prettier';
import { reasonsFor } from './criteria.mjs';
import { growthResults } from './growth-results.mjs';
import { PROFILED, profileResults } from './profile-results.mjs';
import { requestResults, rows } from './request-results.mjs';

const DOCUMENT = 'bench/README.md';
export const NAMES = {
  sqlite: 'SQLite',
  mariadb: 'MariaDB',
  mysql: 'MySQL',
  postgres: 'PostgreSQL',
  galera: 'Galera',
};

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
  const text = [`# Performance`, METHOD, requests(), profiles(), growth(), files(), LIMITS].join('\n\n');
  await write(DOCUMENT, text);
}

const METHOD = `Each benchmark runs the service and a reference side by side, in turns, and checks the ratio of the two against criteria: figures of different machines or days cannot be compared. Every command prints each criterion with \`pass\` or \`FAIL\`, exits with 1 if one is missed, and writes this page from \`bench/results-*.json\`.

- \`npm run bench\`: requests. \`BENCH_DATABASE_URL="mysql://root@127.0.0.1:3306"\` adds a server, or several separated by spaces, which take turns with each round. Those that \`.ci/mariadb\`, \`.ci/mysql\` and \`.ci/postgresql\` start for tests do not wait for the disk. \`BENCH_ROUNDS=1 BENCH_LOADS=create,retrieve\` gives a quick look and \`BENCH_FLAGS\` other flags of Node.js; with any of these three nothing is written.
- \`npm run bench:profile\`: CPU time and allocations of a create and a retrieval by layer, plain and end-to-end. \`-- --keep NAME\` keeps them for this page, \`-- --top 30\` prints the functions that cost most.
- \`npm run bench:growth\`: lists, jobs and commands with a million pushes and 100,000 accounts, on SQLite or on the server that \`BENCH_DATABASE_URL\` names. \`BENCH_PUSHES=20000\` gives a quick look, with which nothing is written.
- \`npm run bench:files\`: uploads and downloads.
- \`npm run bench:messages\`: what mails and webhooks add to the time of requests while nobody accepts them; it only prints its results.
- \`npm run bench:capacity\`: the constants of the model in [capacity.md](../docs/capacity.md), and how well it predicts; it writes that page.
- \`npm run bench:all\`: requests, growth and files, one after the other.`;

function requests() {
  const results = Object.entries(read('requests'));
  return [
    `## Requests

The server, built and started by the command of \`npm start\`, runs in a process of its own on a fresh data folder. The load comes from another process over 50 connections, each of which sends its next request as soon as it has the response. *Create* makes text pushes of 100 characters; *retrieve* shows one-view pushes, each once; *end-to-end create* and *end-to-end retrieve* are of a push with this text that the code of our pages has encrypted, once for all requests, and *of the same size* is a plain push whose payload is that age file; *retrieve with passphrase* hashes 19 MiB for each (argon2id), two at a time; *list* reads a page of 50 named pushes of an owner; *mixed* creates and retrieves in turn. *On own connection* means that 20 clients open a connection for each request, as scripts do and proxies without keep-alive; the time to open it counts. For *newcomers* 40 clients open a connection at the same moment and create a push each, again and again, while the 50 connections create without a pause; the times are those of the newcomers alone.

There are two references. Both create a token, seal the payload with AES-256-GCM, and write push and audit entry in one transaction (\`bench/durable-store.mjs\`): on SQLite with \`synchronous=FULL\` and one commit for all requests that wait, on servers a transaction for each request in one round trip. The *baseline* (\`bench/floor.mjs\`) is bare \`node:http\`. The *minimal Nest app* (\`bench/minimal-nest.ts\`) has a controller, a service and a validated DTO, without guard, log or interceptor.

The servers take turns with each load. Each process is warmed up with a load right before that is measured, all alike, and gets the same number of requests. Of five rounds with fresh processes the best counts; for memory and failed requests the worst; for two workers compared with one the median. CPU is user and kernel time of all threads of the server. p50, p99 and longest are in milliseconds; ratio is requests/s relative to the baseline. The targets of 0.38 and 0.4 for requests/s are intermediate: the aim is 0.5. *2 workers* is \`WORKERS=2\`; they share two cores with the load generator, so their requests/s are shown without a criterion.`,
    ...orNone(
      results.flatMap(([engine, result]) => [
        `### ${NAMES[engine]}`,
        when(result),
        table(rows(result)),
        ...criteria(requestResults(engine, result)),
      ]),
    ),
  ].join('\n\n');
}

function profiles() {
  const kept = Object.entries(read('profile'));
  const withLoad = (load) => kept.filter(([, { profile }]) => profile[load]);
  const withAll = kept.filter(([, { profile }]) => PROFILED.every((load) => profile[load]));
  return [
    `## Profile by layer

Where the time of one request goes, on SQLite in memory, because a profile cannot distinguish waiting for a disk from work. The CPU time is measured without a profiler, and divided by a profile of the same load with a sample every 100 µs. Allocations are those of V8's heap, sampled every 8 KiB, with objects that have been collected since. The service is the one that \`bench/growth-server.mjs\` starts, in which no job runs by the clock: *chaining* is what it costs to chain the entries of the audit log that the requests have written, and no others, after the load. Where that row is missing the figures are older: a job may have chained some entries meanwhile.

Code that belongs to Node.js or V8 counts for its caller. *HTTP* is \`node:http\` with sockets and streams, *event loop* the loop itself and its system calls. *Express* has its middleware, *Nest* RxJS and guards of packages, *body* reading and parsing it, *validation* class-validator, class-transformer and our DTOs' rules, *sealing* all cryptography, *SQL* better-sqlite3, mysql2, pg and \`src/database\`, *log* pino and what observes requests. *Other threads* are those of garbage collection, compiler and thread pool.`,
    ...orNone([
      ...kept.map(([name, result]) => `*${name}*: ${when(result)} Flags: ${flagsOf(result)}.`),
      ...PROFILED.filter((load) => withLoad(load).length > 0).flatMap((load) => [
        `### Layers of ${load}`,
        table(layersOf(load, withLoad(load))),
      ]),
      ...withAll.flatMap(([name, { profile }]) => [
        `### Allocations, ${name}`,
        ...criteria(profileResults(name, profile)),
      ]),
    ]),
  ].join('\n\n');
}

/** What was kept under each name, side by side. */
function layersOf(load, kept) {
  return Object.keys(kept.at(-1)[1].profile[load]).map((layer) => ({
    layer,
    ...Object.fromEntries(
      kept.flatMap(([name, { profile }]) => {
        const figures = profile[load][layer];
        return [
          [`${name}, µs`, figures ? `${figures.µs} (${figures['%']} %)` : '–'],
          [`${name}, bytes`, figures?.bytes.toLocaleString('en') ?? '–'],
        ];
      }),
    ),
  }));
}

function flagsOf({ flags }) {
  return flags ? `\`${flags}\`` : 'none';
}

function growth() {
  const results = Object.entries(read('growth'));
  return [
    `## Growth

A database is filled with pushes and audit entries in the service's own format: one account owns half of all pushes, and some logs have the greatest length that the contract allows. There are also 100,000 other accounts, and as many API tokens, sessions, messages in the outbox and entries of the audit log of the instance, half of which belong to the one account, and 50,000 webhooks. Requests are compared with those on an empty database in the same run: *retrieve* is of pushes that were just made, *retrieve old* of pushes drawn at random from the whole database. Lists are those of the one account, which is an administrator as well: the median of requests one after the other, at most 20 ms or twice the time on the empty database. A search reads up to 2,000 pushes and unseals their names, in short turns of the event loop, so its bound is that of 2,000 pushes wherever it begins.

Then each job of the schedule runs in the service while others create and retrieve 100 times a second: *unit* is how long one transaction took, and a turn of the event loop is how long nothing else could run. Commands run beside it in a process of their own, for at most 30 seconds; no request may take longer than 100 ms, or twice the longest time without the command.`,
    ...orNone(
      results.flatMap(([engine, result]) => [
        `### ${NAMES[engine]}`,
        `${when(result)} ${result.seeded.pushes.toLocaleString('en')} pushes, ${result.seeded.entries.toLocaleString('en')} entries.`,
        ...criteria(growthResults(engine, result)),
      ]),
    ),
  ].join('\n\n');
}

function files() {
  const results = Object.values(read('files'));
  return [
    `## Files

2 GB to the server over loopback and back, with SQLite and files on disk. For comparison, a plain pipe does the same: bare \`node:http\`, request to a synced file and file to response, without sealing, forms or a database. Growth is how far the server's resident memory rose during a transfer, read every 50 ms, the worst of the rounds.`,
    ...orNone(results.flatMap((result) => [when(result), table(result.rows)])),
  ].join('\n\n');
}

/** A table of the criteria, and why some are missed. */
function criteria(results) {
  const reasons = reasonsFor(results);
  return [
    table(results.map(({ engine: _, ...row }) => row)),
    ...(reasons.length > 0 ? ['Why criteria are missed:', reasons.join('\n')] : []),
  ];
}

const LIMITS = `## Reading the figures

With 50 connections that never pause, the mean response time is 50 divided by the requests/s. The p99 is mostly garbage collection and commits; load generator, server and database share the machine's cores. For *list* all 50 connections wait for pages of 50 pushes, each read and unsealed; a single such request takes some 5 ms.

Behind a proxy that keeps its connections, as the files in \`deploy/proxies\` have nginx, Caddy and Traefik do, a request costs the service what it costs on connections that stay open, however the visitors connect. A proxy that opens a connection for each request makes it pay what *on own connection* shows.

With two workers each commit holds fewer requests, and on SQLite each worker has to read again what the other has changed.

Pushes that were created one after the other are stored next to each other in a database. An old one has pages of its own in the table and in each index on the end of pushes: a thousand retrievals write some four thousand pages. An empty database has no such pages, so the bounds of *retrieve old* are wider.`;

export function when({ measured: { date, node, cores } }) {
  return `Measured on ${date} with Node ${node} on ${cores}.`;
}

function orNone(sections) {
  return sections.length > 0 ? sections : ['Not measured yet.'];
}

function cores() {
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
}

export function table(rows) {
  const heads = Object.keys(rows[0] ?? {});
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map((row) => line(heads.map((head) => row[head]))),
  ].join('\n');
}

export function read(benchmark) {
  return existsSync(fileOf(benchmark)) ? JSON.parse(readFileSync(fileOf(benchmark), 'utf8')) : {};
}

export async function write(file, text) {
  writeFileSync(file, await formatted(file, text));
}

export async function formatted(file, text) {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}

function fileOf(benchmark) {
  return `bench/results-${benchmark}.json`;
}

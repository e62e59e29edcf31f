// Sends a large file to the built server and fetches it again, over loopback, each in a process of its own: this one is
// the client. For comparison, in the same run, a plain pipe does the same without sealing, forms or a database.
//   npm run bench:files [-- BYTES]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { START_FLAGS } from '../scripts/start-flags.mjs';
import { keepResults, writeReport } from './report.mjs';

const READ_BYTES = 64 * 1024; // as the service does
const LEAST_RATIO = 0.5;
const MAX_GROWTH = 100e6;
const ROUNDS = 3;
const BLOCK = Buffer.alloc(1024 * 1024, 'a block of bytes that is neither random nor zero. ');
const BOUNDARY = '------------------------d74496d66958873e1a2b3c'; // as long as curl's
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="push[files][]"; filename="large.bin"\r\n\r\n`,
);
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** The plain pipe: request to file, synced; file to response. */
function servePlain(folder) {
  const path = join(folder, 'plain.bin');
  const server = createServer(async (incoming, response) => {
    if (incoming.method === 'POST') {
      await pipeline(incoming, createWriteStream(path, { flush: true }));
      response.writeHead(201).end();
    } else {
      response.writeHead(200, { 'Content-Length': (await stat(path)).size });
      await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), response);
    }
  });
  server.listen(0, '127.0.0.1', () => console.log(`"address":"http://127.0.0.1:${server.address().port}"`));
}

/** Starts a server process and returns where it listens. */
async function start(args, env) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000);
      const found = /"address":"(http[^"]+)"/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
  return { url, child };
}

/** Resident memory of a process, sampled while something runs; returns how far it rose above its first value. */
async function watchGrowth(pid, work) {
  const resident = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  const before = await resident();
  let max = before;
  const timer = setInterval(() => resident().then((now) => (max = Math.max(max, now))), 50);
  const seconds = await work().finally(() => clearInterval(timer));
  return { seconds, growth: Math.max(max, await resident()) - before };
}

async function upload(url, size, headers, isForm) {
  const began = performance.now();
  const length = size + (isForm ? HEAD.length + TAIL.length : 0);
  const sending = request(url, { method: 'POST', headers: { ...headers, 'Content-Length': length } });
  const answer = once(sending, 'response');
  const write = (bytes) => (sending.write(bytes) ? undefined : once(sending, 'drain'));
  if (isForm) await write(HEAD);
  for (let left = size; left > 0; left -= BLOCK.length) await write(BLOCK.subarray(0, left));
  sending.end(isForm ? TAIL : undefined);
  const [response] = await answer;
  const chunks = await response.toArray();
  const body = Buffer.concat(chunks).toString();
  if (response.statusCode !== 201) throw new Error(`not stored: ${response.statusCode} ${body}`);
  return { seconds: (performance.now() - began) / 1000, body };
}

async function download(url, size) {
  const began = performance.now();
  const [response] = await once(request(url).end(), 'response');
  let received = 0;
  const counting = new Writable({
    highWaterMark: 1024 * 1024,
    write(chunk, _encoding, done) {
      received += chunk.length;
      done();
    },
  });
  await pipeline(response, counting);
  if (response.statusCode !== 200 || received !== size) throw new Error(`came with ${received} bytes`);
  return (performance.now() - began) / 1000;
}

async function retrieve(url) {
  const response = await fetch(url);
  return (await response.json()).files[0].url;
}

/** The best of some rounds, which take turns so that both meet the same machine. */
async function measure(size, folder) {
  const plain = await start([...START_FLAGS, import.meta.filename, 'plain', folder]);
  const ours = await start([...START_FLAGS, 'dist/main.js'], {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    FILES_REQUIRE_AUTHENTICATION: 'false',
    DELETABLE_BY_VIEWER_DEFAULT: 'true',
    MAX_FILE_SIZE: String(size),
    MAX_PUSH_SIZE: String(size),
    REQUESTS_PER_MINUTE: '0',
  });
  const form = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const best = { up: [Infinity, Infinity], down: [Infinity, Infinity], growth: { up: 0, down: 0 } };
  try {
    await push(ours.url, 1e6, form); // warm up
    for (let round = 0; round < ROUNDS; round++) {
      best.up[0] = Math.min(best.up[0], (await upload(plain.url, size, {}, false)).seconds);
      best.down[0] = Math.min(best.down[0], await download(plain.url, size));

      let pushed;
      const up = await watchGrowth(ours.child.pid, async () => {
        pushed = await push(ours.url, size, form);
        return pushed.seconds;
      });
      const link = await retrieve(pushed.json_url);
      const down = await watchGrowth(ours.child.pid, () => download(link, size));
      best.up[1] = Math.min(best.up[1], up.seconds);
      best.down[1] = Math.min(best.down[1], down.seconds);
      best.growth.up = Math.max(best.growth.up, up.growth);
      best.growth.down = Math.max(best.growth.down, down.growth);
      await fetch(pushed.json_url, { method: 'DELETE' });
    }
  } finally {
    plain.child.kill();
    ours.child.kill();
    await once(ours.child, 'exit');
  }
  return best;
}

async function push(url, size, form) {
  const { seconds, body } = await upload(`${url}/api/v2/pushes`, size, form, true);
  return { seconds, ...JSON.parse(body) };
}

function report(size, { up, down, growth }) {
  const speed = (seconds) => Math.round(size / 1e6 / seconds);
  const rows = [
    ['up', up, growth.up],
    ['down', down, growth.down],
  ].map(([way, [plain, ours], grown]) => ({
    way,
    'plain MB/s': speed(plain),
    'sealed MB/s': speed(ours),
    ratio: Number((plain / ours).toFixed(2)),
    'growth MB': Math.round(grown / 1e6),
    result: plain / ours >= LEAST_RATIO && grown < MAX_GROWTH ? 'pass' : 'FAIL',
  }));
  console.log(
    `${size / 1e9} GB over loopback; at least ${LEAST_RATIO} of the plain pipe, growth under ${MAX_GROWTH / 1e6} MB`,
  );
  console.table(rows);
  return rows;
}

const [what = '2000000000', folderGiven] = process.argv.slice(2);
if (what === 'plain') {
  servePlain(folderGiven);
} else {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-bench-'));
  try {
    const rows = report(Number(what), await measure(Number(what), folder));
    await keepResults('files', { sqlite: { size: Number(what), rows } });
    await writeReport();
    process.exitCode = rows.every(({ result }) => result === 'pass') ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// npm run bench:messages: what mails and webhooks cost the requests that cause them, when the mail server and the
// receiver of the webhook accept connections and never respond. Compared with a service that sends neither, in the
// same run, one request after the other. BENCH_DATABASE_URL as for npm run bench.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { drive, percentile, requestText } from './client.mjs';
import { criteriaOf } from './criteria.mjs';
import { makePushes, retrieveEach } from './load.mjs';
import { engineOf, inPlace } from './place.mjs';
import { SERVICE, SERVICE_ENV } from './service.mjs';
import { startTarget } from './target.mjs';

const AMOUNT = 1500;
const ROUNDS = 3;
const MAX_DIFFERENCE_MS = 5;
const EMAIL = 'bench@example.org';
const NOTICES = { notify_on: ['each_view'] };

const judged = [];
for (const server of [undefined, ...(process.env.BENCH_DATABASE_URL?.split(/\s+/).filter(Boolean) ?? [])]) {
  const results = { without: {}, silent: {} };
  for (let round = 0; round < ROUNDS; round++) await measureRound(server, results);
  judged.push(...criteria(await engineOf(server), results));
}
console.table(judged);
process.exitCode = judged.every(({ result }) => result === 'pass') ? 0 : 1;

/** Both services take turns, so that they meet the same machine. */
async function measureRound(server, results) {
  const silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address();
  try {
    await inPlace(server, (plain) =>
      inPlace(server, async (sending) => {
        const targets = {
          without: await start(plain.env),
          silent: await start({ ...sending.env, ...mailTo(port), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }),
        };
        await addWebhook(targets.silent, port);
        try {
          for (const [name, target] of Object.entries(targets))
            takeBest(results[name], await measure(target, name === 'silent' ? NOTICES : {}));
        } finally {
          for (const { target } of Object.values(targets)) await target.stop();
        }
      }),
    );
  } finally {
    silent.close();
  }
}

function mailTo(port) {
  return {
    MAIL_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'push@example.org',
    PUBLIC_URL: 'https://push.example.org',
  };
}

async function start(env) {
  const run = (...args) => JSON.parse(execFileSync(process.execPath, ['dist/cli.js', ...args], { env }));
  const { token } = run('user:create', EMAIL);
  const { password } = run('user:password', EMAIL);
  return { target: await startTarget(SERVICE, { ...SERVICE_ENV, ...env }), token, password };
}

/** As a person does it, on the pages. */
async function addWebhook({ target: { url }, password }, port) {
  const post = (path, fields, headers = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    });
  const signedIn = await post('/users/sign_in', { email: EMAIL, password });
  const Cookie = signedIn.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
  const fields = { url: `http://127.0.0.1:${port}/`, 'push.created': 'on', 'push.retrieved': 'on' };
  const { status } = await post('/users/webhooks', fields, { Cookie });
  if (status !== 201) throw new Error(`the webhook was not added: ${status}`);
}

async function measure({ target: { url }, token }, push) {
  const headers = { authorization: `Bearer ${token}` };
  await makePushes(url, AMOUNT, push, headers); // warms up
  const text = requestText({
    method: 'POST',
    path: '/api/v2/pushes',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ push: { payload: 'x'.repeat(100), ...push } }),
  });
  const created = await oneByOne(url, () => text);
  const tokens = await makePushes(url, AMOUNT, { ...push, expire_after_views: 2 }, headers);
  await oneByOne(url, retrieveEach(tokens));
  return { create: created, retrieve: await oneByOne(url, retrieveEach(tokens)) };
}

async function oneByOne(url, next) {
  const { latencies, failed } = await drive(url, { connections: 1, amount: AMOUNT, next });
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
}

function takeBest(best, measured) {
  for (const [load, figures] of Object.entries(measured))
    for (const [figure, value] of Object.entries(figures)) {
      best[load] ??= {};
      best[load][figure] = Math.min(best[load][figure] ?? value, value);
    }
}

function criteria(engine, { without, silent }) {
  const { atMost } = criteriaOf(engine);
  return ['create', 'retrieve'].flatMap((load) =>
    ['p50', 'p99'].map((figure) =>
      atMost(
        `${load}, ${figure} in ms added by messages that nobody accepts (${without[load][figure].toFixed(2)} without)`,
        silent[load][figure] - without[load][figure],
        MAX_DIFFERENCE_MS,
      ),
    ),
  );
}

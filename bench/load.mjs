// The loads: each drives a server with 50 connections and tells what one request cost.
import autocannon from 'autocannon';

const CONNECTIONS = 50;
const PER_PAGE = 50;
const JSON_TYPE = { 'content-type': 'application/json' };
const PASSPHRASE = 'open sesame';

const bodyOf = (push) => JSON.stringify({ push: { payload: 'x'.repeat(100), ...push } });

/** Pushes to retrieve, made beforehand. */
export async function makePushes(url, count, push, headers = {}) {
  const tokens = [];
  while (tokens.length < count) {
    const batch = Array.from({ length: CONNECTIONS }, async () => {
      const response = await fetch(`${url}/api/v2/pushes`, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...headers },
        body: bodyOf(push),
      });
      return (await response.json()).url_token;
    });
    tokens.push(...(await Promise.all(batch)));
  }
  return tokens;
}

const create = () => ({
  method: 'POST',
  path: '/api/v2/pushes',
  headers: JSON_TYPE,
  body: bodyOf({}),
});
export const retrieveEach = (tokens, headers = {}) => {
  let next = 0;
  return {
    method: 'GET',
    headers,
    setupRequest: (request) => ({ ...request, path: `/api/v2/pushes/${tokens[next++ % tokens.length]}` }),
  };
};

const ALL = ['floor', 'service', 'workers'];

/** How to prepare that many requests, of which each push is asked for once, and who is measured with them. */
export const LOADS = {
  create: { amount: 12_000, takers: ALL, prepare: () => [create()] },
  retrieve: {
    amount: 12_000,
    takers: ALL,
    prepare: async (url, amount) => [retrieveEach(await makePushes(url, amount, { expire_after_views: 1 }))],
  },
  'retrieve with passphrase': {
    amount: 300,
    takers: ['service'],
    prepare: async (url, amount) => [
      retrieveEach(await makePushes(url, amount, { passphrase: PASSPHRASE }), {
        'x-push-passphrase': encodeURIComponent(PASSPHRASE),
      }),
    ],
  },
  list: {
    amount: 1_500,
    takers: ['service'],
    prepare: async (url, _amount, token) => {
      const headers = { authorization: `Bearer ${token}` };
      await makePushes(url, PER_PAGE, { name: 'one of many' }, headers);
      return [{ method: 'GET', path: '/api/v2/pushes/active', headers }];
    },
  },
  mixed: {
    amount: 8_000,
    takers: ['floor', 'service'],
    prepare: async (url, amount) => [
      create(),
      retrieveEach(await makePushes(url, amount / 2, { expire_after_views: 1 })),
    ],
  },
};

/** Measures one load. */
export async function measure(target, { amount, prepare }, token) {
  const requests = await prepare(target.url, amount, token);
  const before = target.cpu();
  const startedAt = performance.now();
  let endedAt = startedAt; // autocannon itself looks once a second whether it has finished
  const load = autocannon({ url: target.url, connections: CONNECTIONS, amount, requests });
  load.on('response', () => (endedAt = performance.now()));
  const result = await load;
  const answered = result.requests.total;
  return {
    'requests/s': Math.round((1000 * answered) / (endedAt - startedAt)),
    p50: result.latency.p50,
    p99: result.latency.p99,
    'CPU µs': Math.round((target.cpu() - before) / answered),
    'memory MB': Math.round(target.memory()),
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

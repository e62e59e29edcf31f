// The loads: each drives a server with 50 connections and tells what one request cost.
import autocannon from 'autocannon';

const CONNECTIONS = 50;
const JSON_TYPE = { 'content-type': 'application/json' };
const PASSPHRASE = 'open sesame';

const bodyOf = (push) => JSON.stringify({ push: { payload: 'x'.repeat(100), ...push } });

/** Pushes to retrieve, made beforehand. */
export async function makePushes(url, count, push) {
  const tokens = [];
  while (tokens.length < count) {
    const batch = Array.from({ length: CONNECTIONS }, async () => {
      const response = await fetch(`${url}/api/v2/pushes`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: bodyOf(push),
      });
      return (await response.json()).url_token;
    });
    tokens.push(...(await Promise.all(batch)));
  }
  return tokens;
}

export const create = () => ({
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

/** Name and how to prepare the requests; `amount` of them at most, so that each push is asked for once. */
export const LOADS = {
  create: { amount: 12_000, prepare: () => [create()] },
  retrieve: {
    amount: 12_000,
    prepare: async (url) => [retrieveEach(await makePushes(url, 12_000, { expire_after_views: 1 }))],
  },
  'retrieve with passphrase': {
    amount: 300,
    isForFloor: false,
    prepare: async (url) => [
      retrieveEach(await makePushes(url, 300, { passphrase: PASSPHRASE }), {
        'x-push-passphrase': encodeURIComponent(PASSPHRASE),
      }),
    ],
  },
  list: {
    amount: 3_000,
    isForFloor: false,
    prepare: (_url, token) => [
      { method: 'GET', path: '/api/v2/pushes/active', headers: { authorization: `Bearer ${token}` } },
    ],
  },
  mixed: {
    amount: 8_000,
    prepare: async (url) => [create(), retrieveEach(await makePushes(url, 4_000, { expire_after_views: 1 }))],
  },
};

/** Warms up and then measures one load. */
export async function measure(target, { amount, prepare }, token) {
  const requests = await prepare(target.url, token);
  const before = target.cpu();
  const result = await autocannon({ url: target.url, connections: CONNECTIONS, amount, requests });
  const answered = result.requests.total;
  return {
    'requests/s': Math.round(answered / result.duration),
    p50: result.latency.p50,
    p99: result.latency.p99,
    'CPU µs': Math.round((target.cpu() - before) / answered),
    'memory MB': Math.round(target.memory()),
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

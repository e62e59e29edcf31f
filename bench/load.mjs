// The loads: each drives a server with 50 connections and measures what one request cost.
import { drive, percentile, requestText } from './client.mjs';

export const CONNECTIONS = 50;
const PER_PAGE = 50;
const JSON_TYPE = { 'content-type': 'application/json' };
const PASSPHRASE = 'open sesame';

const createText = (push, headers = {}) =>
  requestText({
    method: 'POST',
    path: '/api/v2/pushes',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ push: { payload: 'x'.repeat(100), ...push } }),
  });

/** Creates pushes to retrieve; returns their tokens. */
export async function makePushes(url, amount, push, headers) {
  const text = createText(push, headers);
  const tokens = [];
  await drive(url, {
    connections: Math.min(CONNECTIONS, amount),
    amount,
    next: () => text,
    onAnswer: (status, body) => {
      if (status !== 201) throw new Error(`a push was not created: ${status} ${body}`);
      tokens.push(JSON.parse(body).url_token);
    },
  });
  return tokens;
}

const create = () => {
  const text = createText({});
  return () => text;
};

/** Retrieves one push after the other. */
export const retrieveEach = (tokens, headers) => {
  let next = 0;
  return () =>
    requestText({ method: 'GET', path: `/api/v2/pushes/${tokens[next++ % tokens.length]}`, headers });
};

const byTurns = (first, second) => {
  let count = 0;
  return () => (count++ % 2 === 0 ? first() : second());
};

const ALL = ['floor', 'nest', 'service', 'workers'];

/** How many requests, which servers they go to, and how they are prepared: the text of one request after the other. */
export const LOADS = {
  create: { amount: 12_000, takers: ALL, prepare: create },
  retrieve: {
    amount: 12_000,
    takers: ALL,
    prepare: async (url, amount) => retrieveEach(await makePushes(url, amount, { expire_after_views: 1 })),
  },
  'retrieve with passphrase': {
    amount: 300,
    takers: ['service'],
    prepare: async (url, amount) =>
      retrieveEach(await makePushes(url, amount, { passphrase: PASSPHRASE }), {
        'x-push-passphrase': encodeURIComponent(PASSPHRASE),
      }),
  },
  list: {
    amount: 1_500,
    takers: ['service'],
    prepare: async (url, _amount, token) => {
      const headers = { authorization: `Bearer ${token}` };
      await makePushes(url, PER_PAGE, { name: 'one of many' }, headers);
      const text = requestText({ method: 'GET', path: '/api/v2/pushes/active', headers });
      return () => text;
    },
  },
  mixed: {
    amount: 12_000,
    takers: ['floor', 'nest', 'service'],
    prepare: async (url, amount) =>
      byTurns(create(), retrieveEach(await makePushes(url, amount / 2, { expire_after_views: 1 }))),
  },
};

/** Measures one load. */
export async function measure(target, { amount, prepare }, token) {
  const next = await prepare(target.url, amount, token);
  const before = target.cpu();
  const { seconds, latencies, failed } = await drive(target.url, { connections: CONNECTIONS, amount, next });
  return {
    'requests/s': Math.round(amount / seconds),
    p50: tenths(percentile(latencies, 50)),
    p99: tenths(percentile(latencies, 99)),
    'CPU µs': Math.round((target.cpu() - before) / amount),
    'memory MB': Math.round(target.memory()),
    failed,
  };
}

function tenths(value) {
  return Number(value.toFixed(1));
}

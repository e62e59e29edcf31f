// The loads: each drives a server and measures what one request cost.
import { setTimeout } from 'node:timers/promises';
import { drive, percentile, requestText } from './client.mjs';
import { endToEndPush } from './end-to-end-push.mjs';

export const CONNECTIONS = 50;
/** Clients that open a connection for each request. */
const SINGLE_CLIENTS = 20;
const NEWCOMERS = 40;
const NEWCOMER_INTERVAL_MS = 100;
const PER_PAGE = 50;
const JSON_TYPE = { 'content-type': 'application/json' };
const PASSPHRASE = 'open sesame';
const TEXT = 'x'.repeat(100);
const END_TO_END = await endToEndPush(TEXT);
const SAME_SIZE = { payload: END_TO_END.payload };

const createText = (push, headers = {}) =>
  requestText({
    method: 'POST',
    path: '/api/v2/pushes',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ push: { payload: TEXT, ...push } }),
  });

const CLOSE = { connection: 'close' };

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

const create = (push, headers) => {
  const text = createText(push, headers);
  return () => text;
};

const makeOneView = (url, amount, push) => makePushes(url, amount, { expire_after_views: 1, ...push });

/** Retrieves one push after the other. */
export const retrieveEach = (tokens, headers) => {
  let next = 0;
  return () =>
    requestText({ method: 'GET', path: `/api/v2/pushes/${tokens[next++ % tokens.length]}`, headers });
};

const withPassphrase = (passphrase) => ({ 'x-push-passphrase': encodeURIComponent(passphrase) });

const byTurns = (first, second) => {
  let count = 0;
  return () => (count++ % 2 === 0 ? first() : second());
};

const ALL = ['floor', 'nest', 'service', 'workers'];

/** How many requests, which servers they go to, and how they are prepared: the text of one request after the other. */
export const LOADS = {
  create: { amount: 12_000, takers: ALL, prepare: () => create() },
  retrieve: {
    amount: 12_000,
    takers: ALL,
    prepare: async (url, amount) => retrieveEach(await makeOneView(url, amount)),
  },
  'create on own connection': {
    amount: 6_000,
    takers: ALL,
    drive: driveWith(SINGLE_CLIENTS, false),
    prepare: () => create({}, CLOSE),
  },
  'retrieve on own connection': {
    amount: 6_000,
    takers: ALL,
    drive: driveWith(SINGLE_CLIENTS, false),
    prepare: async (url, amount) => retrieveEach(await makeOneView(url, amount), CLOSE),
  },
  newcomers: { amount: 12_000, takers: ALL, drive: driveWithNewcomers, prepare: () => create() },
  'create of the same size': { amount: 6_000, takers: ['service'], prepare: () => create(SAME_SIZE) },
  'end-to-end create': { amount: 6_000, takers: ['service'], prepare: () => create(END_TO_END) },
  'retrieve of the same size': {
    amount: 6_000,
    takers: ['service'],
    prepare: async (url, amount) => retrieveEach(await makeOneView(url, amount, SAME_SIZE)),
  },
  'end-to-end retrieve': {
    amount: 6_000,
    takers: ['service'],
    prepare: async (url, amount) =>
      retrieveEach(await makeOneView(url, amount, END_TO_END), withPassphrase(END_TO_END.passphrase)),
  },
  'retrieve with passphrase': {
    amount: 300,
    takers: ['service'],
    prepare: async (url, amount) =>
      retrieveEach(await makePushes(url, amount, { passphrase: PASSPHRASE }), withPassphrase(PASSPHRASE)),
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
    prepare: async (url, amount) => byTurns(create(), retrieveEach(await makeOneView(url, amount / 2))),
  },
};

/** Measures one load. */
export async function measure(target, { amount, prepare, drive = driveWith(CONNECTIONS) }, token) {
  const next = await prepare(target.url, amount, token);
  const before = target.cpu();
  const { seconds, latencies, failed } = await drive(target.url, amount, next);
  return {
    'requests/s': Math.round(amount / seconds),
    p50: tenths(percentile(latencies, 50)),
    p99: tenths(percentile(latencies, 99)),
    longest: tenths(latencies.at(-1)),
    'CPU µs': Math.round((target.cpu() - before) / amount),
    'memory MB': Math.round(target.memory()),
    failed,
  };
}

function driveWith(connections, isKept = true) {
  return (url, amount, next) => drive(url, { connections, isKept, amount, next });
}

/** As long as the usual connections are busy, others come for one request, all at the same time; theirs is the latency. */
async function driveWithNewcomers(url, amount, next) {
  let isBusy = true;
  const busy = driveWith(CONNECTIONS)(url, amount, next).finally(() => (isBusy = false));
  const groups = [];
  while (isBusy) {
    groups.push(await driveWith(NEWCOMERS, false)(url, NEWCOMERS, create({}, CLOSE)));
    await setTimeout(NEWCOMER_INTERVAL_MS);
  }
  const { seconds, failed } = await busy;
  return {
    seconds,
    failed: groups.reduce((sum, group) => sum + group.failed, failed),
    latencies: Float64Array.from(groups.flatMap(({ latencies }) => [...latencies])).sort(),
  };
}

function tenths(value) {
  return Number(value.toFixed(1));
}

import { setImmediate } from 'node:timers/promises';
import type { HttpException } from '@nestjs/common';
import { AccountQueues, MAX_WAITING } from './account-queues.js';

const NEVER = new AbortController().signal;

describe('The queues of accounts', () => {
  let queues: AccountQueues;
  let running: string[];
  let maxRunning: number;
  let release: (value?: unknown) => void;
  let released: Promise<unknown>;

  beforeEach(() => {
    queues = new AccountQueues();
    running = [];
    maxRunning = 0;
    ({ promise: released, resolve: release } = Promise.withResolvers<unknown>());
  });

  const task = (name: string) => async () => {
    running.push(name);
    maxRunning = Math.max(maxRunning, running.length);
    await released;
    await setImmediate(); // so that others begin
    running.splice(running.indexOf(name), 1);
    return name;
  };
  const run = (account: string, name = account, signal = NEVER) => queues.run(account, signal, task(name));
  const runAll = (count: number, account: (i: number) => string) =>
    Promise.allSettled(Array.from({ length: count }, (_, i) => run(account(i), String(i))));
  const statusesOf = (results: PromiseSettledResult<unknown>[]) =>
    results.flatMap((result) =>
      result.status === 'rejected' ? (result.reason as HttpException).getStatus() : [],
    );

  it('run two tasks of one account at a time, let others wait, and refuse more with a 429 (M3)', async () => {
    const results = runAll(2 + MAX_WAITING + 3, () => 'a');
    release();

    expect(statusesOf(await results)).toEqual([429, 429, 429]);
    expect(maxRunning).toBe(2);
    await expect(run('a')).resolves.toBe('a');
  });

  it('run four tasks of all accounts at a time, and refuse a thousand waiting ones with a 503 (M3, M5)', async () => {
    const results = runAll(1010, String);
    await expect(run('last')).rejects.toThrow('busy');
    release();

    expect(new Set(statusesOf(await results))).toEqual(new Set([503]));
    expect(maxRunning).toBe(4);
    await expect(run('last')).resolves.toBe('last');
  });

  it('let another account run before what waits of the first (M3)', async () => {
    const ended: string[] = [];
    const all = ['a', 'a', 'a', 'a', 'b'].map(async (account, i) => {
      ended.push(await run(account, `${account}${i}`));
    });
    release();

    await Promise.all(all);
    expect(ended.indexOf('b4')).toBeLessThan(ended.indexOf('a2'));
  });

  it('drop what waits once its signal aborts, and give its place to others (M3)', async () => {
    const client = new AbortController();
    const waiting = Array.from({ length: MAX_WAITING }, () => 'waiting');
    const first = runAll(2, () => 'a');
    const dropped = waiting.map((name) => run('a', name, client.signal));
    client.abort(new Error('gone'));
    for (const result of dropped) await expect(result).rejects.toThrow('gone');
    const later = waiting.map(() => run('a', 'later'));
    release();

    expect(statusesOf(await first)).toEqual([]);
    expect(new Set(await Promise.all(later))).toEqual(new Set(['later']));
  });

  it('keep the place of a task that goes on after its signal has aborted (M3)', async () => {
    const client = new AbortController();
    const all = Array.from({ length: 4 }, (_, i) => run('a', String(i), client.signal));
    while (running.length < 2) await setImmediate();
    client.abort(new Error('gone'));
    const next = run('a', 'next');
    release();

    expect(await Promise.all(all.slice(0, 2))).toEqual(['0', '1']);
    await expect(all[2]).rejects.toThrow('gone');
    await expect(all[3]).rejects.toThrow('gone');
    await expect(next).resolves.toBe('next');
    expect(maxRunning).toBe(2);
  });

  it('never refuse a later step of a task that they have admitted', async () => {
    const results = runAll(2 + MAX_WAITING, () => 'a');
    const step = queues.proceed('a', NEVER, task('step'));
    release();

    await expect(step).resolves.toBe('step');
    expect(statusesOf(await results)).toEqual([]);
  });
});

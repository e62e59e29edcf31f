import { setImmediate } from 'node:timers/promises';
import { ServiceUnavailableException } from '@nestjs/common';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import type { QueuedClient } from './fair-queue.js';
import { FairQueue } from './fair-queue.js';

const ADDRESS = '192.0.2.1';

/** Tasks that a test ends explicitly. */
class Tasks {
  readonly started: number[] = [];
  private readonly ends = new Map<number, { resolve: (value: number) => void; reject: (e: Error) => void }>();

  make(number: number): () => Promise<number> {
    return () => {
      this.started.push(number);
      return new Promise((resolve, reject) => this.ends.set(number, { resolve, reject }));
    };
  }

  async end(number: number): Promise<void> {
    this.ends.get(number)?.resolve(number);
    await setImmediate();
  }

  async fail(number: number): Promise<void> {
    this.ends.get(number)?.reject(new Error(`task ${number}`));
    await setImmediate();
  }
}

describe('A fair queue', () => {
  it('runs two tasks at a time, and those of one client in order of arrival', async () => {
    const queue = new FairQueue({ concurrency: 2, waitingOfOne: 10, waitingOfAll: 10 });
    const tasks = new Tasks();
    const all = [1, 2, 3, 4, 5].map((number) => queue.run({ ip: ADDRESS }, tasks.make(number)));
    await setImmediate();

    expect(tasks.started).toEqual([1, 2]);
    await tasks.end(2);
    expect(tasks.started).toEqual([1, 2, 3]);
    await tasks.end(1);
    await tasks.end(3);
    expect(tasks.started).toEqual([1, 2, 3, 4, 5]);
    await tasks.end(4);
    await tasks.end(5);
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  });

  it('forgets a task whose signal aborts while it waits, and no other', async () => {
    const queue = new FairQueue({ concurrency: 1, waitingOfOne: 10, waitingOfAll: 10 });
    const tasks = new Tasks();
    const client = new AbortController();
    const [first, second, third] = [undefined, client.signal, undefined].map((signal, index) =>
      queue.run({ ip: ADDRESS }, tasks.make(index + 1), signal),
    );
    await setImmediate();
    client.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    expect(queue.length).toBe(1);

    await tasks.end(1);
    client.abort();
    await tasks.end(3);
    expect([await first, await third, tasks.started]).toEqual([1, 3, [1, 3]]);
    await expect(queue.run({ ip: ADDRESS }, tasks.make(4), client.signal)).rejects.toThrow('gone');
  });

  it('responds with 503 when it is full, and accepts more once tasks have ended (I6)', async () => {
    const queue = new FairQueue({ concurrency: 1, waitingOfOne: 10, waitingOfAll: 1 });
    const tasks = new Tasks();
    const first = queue.run({ ip: ADDRESS }, tasks.make(1));
    const second = queue.run({ ip: ADDRESS }, tasks.make(2));

    await expect(queue.run({ ip: ADDRESS }, tasks.make(3))).rejects.toThrow(ServiceUnavailableException);
    await tasks.end(1);
    const fourth = queue.run({ ip: ADDRESS }, tasks.make(4));
    await expect(queue.run({ ip: ADDRESS }, tasks.make(5))).rejects.toThrow(ServiceUnavailableException);
    await tasks.end(2);
    await tasks.end(4);
    expect(await Promise.all([first, second, fourth])).toEqual([1, 2, 4]);
    expect(tasks.started).toEqual([1, 2, 4]);
  });

  it('runs the next task after a failed one, and never exceeds its concurrency', async () => {
    const queue = new FairQueue({ concurrency: 1, waitingOfOne: 10, waitingOfAll: 10 });
    const tasks = new Tasks();
    const failed = expect(queue.run({ ip: ADDRESS }, tasks.make(1))).rejects.toThrow('task 1');
    const later = [2, 3].map((number) => queue.run({ ip: ADDRESS }, tasks.make(number)));
    await setImmediate();
    await tasks.fail(1);

    expect(tasks.started).toEqual([1, 2]);
    await tasks.end(2);
    await tasks.end(3);
    await failed;
    expect(await Promise.all(later)).toEqual([2, 3]);
    void queue.run({ ip: ADDRESS }, tasks.make(4));
    void queue.run({ ip: ADDRESS }, tasks.make(5));
    await setImmediate();
    expect(tasks.started).toEqual([1, 2, 3, 4]);
  });

  it('runs one task of each client network in turn, and treats a /48 as one network (L9)', async () => {
    const queue = new FairQueue({ concurrency: 1, waitingOfOne: 10, waitingOfAll: 10 });
    const tasks = new Tasks();
    const flood = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:4::1'];
    [...flood, '192.0.2.1', '192.0.2.2'].forEach((address, number) => {
      void queue.run({ ip: address }, tasks.make(number));
    });
    for (const number of [0, 4, 5, 1, 2, 3]) await tasks.end(number);

    expect(tasks.started).toEqual([0, 4, 5, 1, 2, 3]);
  });

  it('responds with 429 to a network with two tasks waiting, and accepts those of others (L9)', async () => {
    const queue = new FairQueue({ concurrency: 1, waitingOfOne: 2, waitingOfAll: 100 });
    const tasks = new Tasks();
    for (const number of [1, 2, 3]) void queue.run({ ip: '192.0.2.1' }, tasks.make(number));
    const third = queue.run({ ip: '192.0.2.1' }, tasks.make(4));
    const other = queue.run({ ip: '192.0.2.2' }, tasks.make(5));

    await expect(third).rejects.toMatchObject({ limit: 'attempts', retryAfterSeconds: 2 });
    await expect(third).rejects.toThrow(TooManyRequests);
    await tasks.end(1);
    await tasks.end(5);
    void queue.run({ ip: '192.0.2.1' }, tasks.make(6));
    for (const number of [2, 3, 6]) await tasks.end(number);
    expect(await other).toBe(5);
    expect(tasks.started).toEqual([1, 5, 2, 3, 6]);
  });

  it('accepts ten times as many waiting tasks of a /48 as of a /64 (L9)', async () => {
    const queue = new FairQueue({ concurrency: 1, waitingOfOne: 2, waitingOfAll: 100 });
    const tasks = new Tasks();
    const run = (number: number) => queue.run({ ip: `2001:db8:1:${number}::1` }, tasks.make(number));
    for (let number = 0; number <= 20; number++) void run(number);

    await expect(run(21)).rejects.toThrow(TooManyRequests);
  });

  describe('that strangers from hundreds of networks fill', () => {
    const FLOOD = 300;
    const WAITING = 250;
    const flooder = (number: number) => ({ ip: `2001:db8:${number.toString(16)}::1` });
    let queue: FairQueue;
    let tasks: Tasks;
    let refused: number[];

    beforeEach(() => {
      queue = new FairQueue({ concurrency: 1, waitingOfOne: 2, waitingOfAll: WAITING });
      tasks = new Tasks();
      refused = [];
      for (let number = 0; number < FLOOD; number++) send(number);
    });

    const send = (number: number, client: QueuedClient = flooder(number % FLOOD)) => {
      queue.run(client, tasks.make(number)).catch(() => refused.push(number));
    };
    /** Ends the running task, again and again, until this one has had its turn; returns how many had theirs before. */
    const turnsBefore = async (number: number, isOngoing = false) => {
      const before = tasks.started.length;
      while (!tasks.started.includes(number)) {
        const ended = tasks.started.at(-1) ?? 0;
        await tasks.end(ended);
        if (isOngoing) send(ended + 1000 * FLOOD);
        if (tasks.started.length - before > 2 * FLOOD) throw new Error('it has had no turn');
      }
      return tasks.started.indexOf(number) - before;
    };

    it('runs the task of a known client next, and refuses one of them in its place (L9)', async () => {
      send(-1, { ip: '192.0.2.1', isKnown: true });
      await setImmediate();

      expect(refused).toHaveLength(FLOOD - 1 - WAITING + 1);
      expect(await turnsBefore(-1)).toBe(0);
    });

    it('runs the tasks of known clients in three of four turns, so that others have some (L9)', async () => {
      for (let number = 1; number <= 8; number++) send(-number, { ip: `192.0.2.${number}`, isKnown: true });
      await turnsBefore(-8);

      const isKnown = tasks.started.slice(1).map((number) => number < 0);
      expect(isKnown).toEqual([true, true, true, false, true, true, true, false, true, true]);
    });

    it('runs the task of a network that has had no turn, once each of theirs has had one (L9)', async () => {
      await setImmediate();
      for (let turn = 0; turn < WAITING; turn++) {
        const ended = tasks.started.at(-1) ?? 0;
        await tasks.end(ended);
        send(ended + FLOOD);
      }
      send(-1, { ip: '192.0.2.1' });
      const turns = await turnsBefore(-1, true);

      expect(turns).toBeLessThanOrEqual(1);
      expect(refused).not.toContain(-1);
    });
  });
});

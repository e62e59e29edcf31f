import { ServiceUnavailableException } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { BoundedQueue } from './bounded-queue.js';

/** Tasks that end when told to. */
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

describe('A bounded queue', () => {
  it('runs two at a time and the others in the order in which they came', async () => {
    const queue = new BoundedQueue(2, 10);
    const tasks = new Tasks();
    const all = [1, 2, 3, 4, 5].map((number) => queue.run(tasks.make(number)));
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

  it('answers 503 when the line is full, and takes more once it moves (I6)', async () => {
    const queue = new BoundedQueue(1, 1);
    const tasks = new Tasks();
    const first = queue.run(tasks.make(1));
    const second = queue.run(tasks.make(2));

    await expect(queue.run(tasks.make(3))).rejects.toThrow(ServiceUnavailableException);
    await tasks.end(1);
    const fourth = queue.run(tasks.make(4));
    await expect(queue.run(tasks.make(5))).rejects.toThrow(ServiceUnavailableException);
    await tasks.end(2);
    await tasks.end(4);
    expect(await Promise.all([first, second, fourth])).toEqual([1, 2, 4]);
    expect(tasks.started).toEqual([1, 2, 4]);
  });

  it('gives a failed task’s place to the next, and never more places than there are', async () => {
    const queue = new BoundedQueue(1, 10);
    const tasks = new Tasks();
    const failed = expect(queue.run(tasks.make(1))).rejects.toThrow('task 1');
    const later = [2, 3].map((number) => queue.run(tasks.make(number)));
    await setImmediate();
    await tasks.fail(1);

    expect(tasks.started).toEqual([1, 2]);
    await tasks.end(2);
    await tasks.end(3);
    await failed;
    expect(await Promise.all(later)).toEqual([2, 3]);
    void queue.run(tasks.make(4));
    void queue.run(tasks.make(5));
    await setImmediate();
    expect(tasks.started).toEqual([1, 2, 3, 4]);
  });
});

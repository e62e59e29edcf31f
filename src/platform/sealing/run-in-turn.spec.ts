import { setImmediate } from 'node:timers/promises';
import { runInTurn } from './run-in-turn.js';

describe('Steps of heavy work', () => {
  it('run in the order in which they were queued, one per iteration of the event loop', async () => {
    const done: string[] = [];
    for (const name of ['one', 'two', 'three']) runInTurn(() => done.push(name));

    expect(done).toEqual([]);
    for (const after of [['one'], ['one', 'two'], ['one', 'two', 'three']]) {
      await setImmediate();
      expect(done).toEqual(after);
    }
  });

  it('run after those already waiting when they are queued by a step', async () => {
    const done: string[] = [];
    runInTurn(() => {
      done.push('first');
      runInTurn(() => done.push('its next'));
    });
    runInTurn(() => done.push('second'));

    for (let rounds = 0; rounds < 3; rounds++) await setImmediate();
    expect(done).toEqual(['first', 'second', 'its next']);
  });
});

import { setImmediate } from 'node:timers/promises';
import { runInTurn } from './run-in-turn.js';

describe('Steps of heavy work', () => {
  it('are done in the order of asking, one in each round of the event loop', async () => {
    const done: string[] = [];
    for (const name of ['one', 'two', 'three']) runInTurn(() => done.push(name));

    expect(done).toEqual([]);
    for (const after of [['one'], ['one', 'two'], ['one', 'two', 'three']]) {
      await setImmediate();
      expect(done).toEqual(after);
    }
  });

  it('have their turn after those who wait, when they are asked for by a step', async () => {
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

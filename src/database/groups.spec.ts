import { setImmediate } from 'node:timers/promises';
import { Groups } from './groups.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Answers that come later, and the groups that asked for them. */
function tenfold() {
  const groups: number[][] = [];
  const answer = async (requests: number[]) => {
    groups.push(requests);
    await setImmediate();
    return requests.map((request) => request * 10);
  };
  return { groups, answer };
}

describe('Groups', () => {
  it('answer each with its own, in groups of those who came meanwhile', async () => {
    const { groups, answer } = tenfold();
    const asked = new Groups(answer);
    const answers = await Promise.all(range(100).map((request) => asked.ask(request)));

    expect(answers).toEqual(range(100).map((request) => request * 10));
    expect(groups.map(({ length }) => length)).toEqual([64, 36]);
    expect(groups.flat()).toEqual(range(100));
  });

  it('have one member where nobody else asks, and wait for nobody', async () => {
    const { groups, answer } = tenfold();

    expect(await new Groups(answer).ask(7)).toBe(70);
    expect(groups).toEqual([[7]]);
  });

  it('are no larger than what fits', async () => {
    const { groups, answer } = tenfold();
    const asked = new Groups(answer, (requests) => Math.min(requests.length, 5));
    await Promise.all(range(11).map((request) => asked.ask(request)));

    expect(groups.map(({ length }) => length)).toEqual([5, 5, 1]);
  });

  it('do not wait long for groups that are stuck', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const asked = new Groups((requests: number[]) =>
        requests[0] === 2 ? Promise.resolve(['here']) : new Promise<string[]>(() => undefined),
      );
      for (const stuck of range(2)) {
        void asked.ask(stuck);
        await setImmediate();
      }
      const third = asked.ask(2);
      await jest.advanceTimersByTimeAsync(100);

      expect(await third).toBe('here');
    } finally {
      jest.useRealTimers();
    }
  });

  it('tell all of a group why it failed, and go on', async () => {
    let isBroken = true;
    const asked = new Groups((requests: number[]) =>
      isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(requests),
    );
    const ends = await Promise.allSettled(range(10).map((request) => asked.ask(request)));
    expect(ends).toEqual(range(10).map(() => ({ status: 'rejected', reason: new Error('broken') })));

    isBroken = false;
    expect(await asked.ask(3)).toBe(3);
  });
});

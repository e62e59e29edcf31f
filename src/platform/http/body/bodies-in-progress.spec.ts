import { EventEmitter } from 'node:events';
import type { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Log } from '../../logging/log.js';
import { MemoryBudget } from '../../settings/memory-budget.js';
import { Settings } from '../../settings/settings.js';
import type { BodyInProgress } from './bodies-in-progress.js';
import { BodiesInProgress } from './bodies-in-progress.js';
import { MIB, MINUTE_MS } from '../../settings/units.js';

interface Begun {
  body: BodyInProgress;
  statuses: number[];
  answer: () => void;
}

const log = new Log({ LOG_LEVEL: 'error' });

function bodiesWithin(mebibytes: number) {
  const bodies = new BodiesInProgress(
    Object.assign(new Settings(), { MAX_BODY_BYTES_IN_PROGRESS: mebibytes * MIB }),
    new MemoryBudget(1),
    log,
  );
  const begin = (ip = '192.0.2.1', length?: number, now = 0): Begun => {
    const headers = length === undefined ? {} : { 'content-length': String(length) };
    const response = new EventEmitter();
    const statuses: number[] = [];
    const refuse = (error: HttpException) => {
      statuses.push(error.getStatus());
      bodies.end(body);
    };
    const request = { ip, headers, socket: {} } as unknown as Request;
    const body: BodyInProgress = bodies.begin(request, response as unknown as Response, refuse, now);
    return { body, statuses, answer: () => response.emit('close') };
  };
  return { bodies, begin };
}

const statusOf = (work: () => void) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as HttpException).getStatus();
  }
};

describe('Bodies in progress', () => {
  it('have a memory limit for all together, until their responses are closed (L3)', () => {
    const { bodies, begin } = bodiesWithin(100);
    const [one, two, three] = [begin('192.0.2.1'), begin('192.0.2.2'), begin('192.0.2.3')];
    bodies.reserve(one.body, 40 * MIB);
    bodies.reserve(two.body, 40 * MIB);

    expect(
      statusOf(() => {
        bodies.reserve(three.body, 20 * MIB + 1);
      }),
    ).toBe(503);
    expect(
      statusOf(() => {
        bodies.reserve(three.body, 20 * MIB);
      }),
    ).toBeUndefined();
    bodies.end(one.body);
    expect(
      statusOf(() => {
        bodies.reserve(three.body, 30 * MIB);
      }),
    ).toBe(503);
    one.answer();
    expect(
      statusOf(() => {
        bodies.reserve(three.body, 30 * MIB);
      }),
    ).toBeUndefined();
  });

  it('of one network have half of the limit, or at least one body of the greatest length (L3)', () => {
    const { bodies, begin } = bodiesWithin(100);
    const [one, two, other] = [begin('2001:db8::1'), begin('2001:db8::2'), begin('2001:db8:0:1::1')];
    bodies.reserve(one.body, 30 * MIB);

    expect(
      statusOf(() => {
        bodies.reserve(two.body, 20 * MIB + 1);
      }),
    ).toBe(429);
    expect(
      statusOf(() => {
        bodies.reserve(other.body, 20 * MIB + 1);
      }),
    ).toBeUndefined();

    const small = bodiesWithin(34);
    expect(
      statusOf(() => {
        small.bodies.reserve(small.begin().body, 34 * MIB);
      }),
    ).toBeUndefined();
  });

  it('are limited to twenty of one network, without those that arrive between two checks (L3)', () => {
    const { bodies, begin } = bodiesWithin(100);
    const many = Array.from({ length: 23 }, () => begin());
    const other = begin('192.0.2.2');
    bodies.refuseOverdue(1000);
    const late = begin();
    expect(many.flatMap(({ statuses }) => statuses)).toEqual([]);

    bodies.refuseOverdue(2000);
    expect(many.map(({ statuses }) => statuses.length).indexOf(1)).toBe(20);
    expect(many.flatMap(({ statuses }) => statuses)).toEqual([429, 429, 429]);
    expect([...late.statuses, ...other.statuses]).toEqual([]);
    expect(bodies.count).toBe(22);
  });

  it('are refused once each, also if the reader of one fails (M13)', () => {
    const failure = jest.spyOn(log, 'failure').mockReturnValueOnce();
    const { bodies, begin } = bodiesWithin(100);
    const [first, failing, last] = [begin(), begin(), begin()];
    const fail = jest.fn(() => {
      throw new TypeError('this.reject is not a function');
    });
    Object.assign(failing.body, { refuse: fail });
    for (const now of [MINUTE_MS + 1, MINUTE_MS + 1001]) bodies.refuseOverdue(now);

    expect([first.statuses, last.statuses]).toEqual([[408], [408]]);
    expect(fail).toHaveBeenCalledTimes(1);
    expect(failure).toHaveBeenCalledTimes(1);
    expect(bodies.count).toBe(0);
  });

  it('have a minute, plus a second for each 16 KiB (L3)', () => {
    const { bodies, begin } = bodiesWithin(100);
    const short = begin('192.0.2.1', 100);
    const long = begin('192.0.2.1', MIB);
    const files = begin('192.0.2.1', MIB);
    const chunked = begin('192.0.2.1');
    chunked.body.received = MIB;
    files.body.streamFiles();

    bodies.refuseOverdue(MINUTE_MS);
    expect([short, long, files, chunked].map(({ statuses }) => statuses)).toEqual([[], [], [], []]);
    bodies.refuseOverdue(MINUTE_MS + 1000);
    expect([short, long, files, chunked].map(({ statuses }) => statuses)).toEqual([[408], [], [], []]);
    bodies.refuseOverdue(MINUTE_MS + 65_000);
    expect([short, long, files, chunked].map(({ statuses }) => statuses)).toEqual([[408], [408], [], [408]]);
  });

  it('are forgotten once their responses are closed', () => {
    const { bodies, begin } = bodiesWithin(100);
    const all = Array.from({ length: 50 }, (_, index) => begin(`192.0.2.${index}`));
    for (const { body } of all) bodies.reserve(body, MIB);
    for (const { answer } of all) answer();

    expect(bodies.count).toBe(0);
    expect(
      statusOf(() => {
        bodies.reserve(begin().body, 50 * MIB);
      }),
    ).toBeUndefined();
  });

  describe('that wait for memory', () => {
    const never = new AbortController().signal;
    const settled = async (waiting: Promise<void>) =>
      Promise.race([waiting.then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

    it('get it in their order when it is given back, those of each network by themselves (L3)', async () => {
      const { bodies, begin } = bodiesWithin(100);
      const [first, second, third, other] = [begin(), begin(), begin(), begin('192.0.2.2')];
      await bodies.reserveInTurn(first.body, 40 * MIB, never);
      const waiting = [
        bodies.reserveInTurn(second.body, 40 * MIB, never),
        bodies.reserveInTurn(third.body, 5 * MIB, never),
      ];
      await bodies.reserveInTurn(other.body, 40 * MIB, never);
      expect(await Promise.all(waiting.map(settled))).toEqual([false, false]);

      bodies.reserve(first.body, MIB);
      expect(await Promise.all(waiting.map(settled))).toEqual([true, true]);
    });

    it('are refused after a time, and not when their connection closes first (L3)', async () => {
      const { bodies, begin } = bodiesWithin(100);
      const [first, late, closed] = [begin(), begin(), begin()];
      bodies.reserve(first.body, 50 * MIB);
      await expect(bodies.reserveInTurn(late.body, MIB, never, 1)).rejects.toMatchObject({ status: 429 });

      const connection = new AbortController();
      const waiting = bodies.reserveInTurn(closed.body, MIB, connection.signal);
      closed.answer();
      connection.abort(new Error('closed'));
      await expect(waiting).rejects.toThrow('closed');
    });

    it('take none if they are closed meanwhile (L3)', () => {
      const { bodies, begin } = bodiesWithin(100);
      const [first, closed, last] = [begin(), begin(), begin()];
      bodies.reserve(first.body, 50 * MIB);
      void bodies.reserveInTurn(closed.body, 50 * MIB, never, 1).catch(() => undefined);
      closed.answer();
      first.answer();
      bodies.reserve(closed.body, MIB);

      expect(() => {
        bodies.reserve(last.body, 50 * MIB);
      }).not.toThrow();
    });

    it('get that of bodies which have had it for ten seconds, if these ask (L3)', async () => {
      const { bodies, begin } = bodiesWithin(100);
      const [first, second, other] = [begin(), begin(), begin('192.0.2.2')];
      bodies.reserve(first.body, 50 * MIB);
      bodies.reserve(other.body, 30 * MIB);
      const now = performance.now();
      expect(bodies.isWanted(first.body, now + MINUTE_MS)).toBe(false);
      const waiting = bodies.reserveInTurn(second.body, 20 * MIB, never);

      expect(bodies.isWanted(first.body, now + 9000)).toBe(false);
      expect(bodies.isWanted(first.body, now + 11_000)).toBe(true);
      expect(bodies.isWanted(other.body, now + 11_000)).toBe(false); // that would not help
      bodies.reserve(first.body, 0);
      await waiting;
    });
  });
});

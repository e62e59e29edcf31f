import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Request, Response } from 'express';
import { BodiesInProgress } from '../../platform/http/body/bodies-in-progress.js';
import { networkShareExceeded } from '../../platform/http/body/body-errors.js';
import { Log } from '../../platform/logging/log.js';
import { MemoryBudget } from '../../platform/settings/memory-budget.js';
import { Settings } from '../../platform/settings/settings.js';
import { KIB } from '../../platform/settings/units.js';
import { PartBody } from './part-body.js';

const CHUNK = 64 * KIB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('The body of a part', () => {
  const begin = () => {
    const bodies = new BodiesInProgress(new Settings(), new MemoryBudget(1), new Log({ LOG_LEVEL: 'error' }));
    const sent = new PassThrough();
    const facts = { ip: '192.0.2.1', headers: {}, socket: {}, complete: true };
    const request = Object.assign(sent, facts) as unknown as Request;
    const begun = jest.spyOn(bodies, 'begin');
    const body = new PartBody(request, new EventEmitter() as unknown as Response, bodies);
    const refuse = begun.mock.calls[0]?.[2] ?? (() => undefined);
    return { bodies, sent, body, refuse };
  };

  it('is not kept in memory once it was read', async () => {
    const { sent, body } = begin();
    const read: WeakRef<Buffer>[] = [];
    const readOne = async () => {
      sent.write(Buffer.alloc(CHUNK));
      read.push(new WeakRef((await body.next()) as Buffer));
    };
    for (let i = 0; i < 50; i++) await readOne();
    await setImmediate(); // until then a WeakRef keeps what it was made of
    collectGarbage();

    expect(read.filter((chunk) => chunk.deref()).length).toBeLessThan(5);
    sent.end();
    expect(await body.next()).toBe('end');
  });

  it('pauses while others wait for its memory, and loses nothing', async () => {
    const { bodies, sent, body } = begin();
    sent.write('tulip');
    jest.spyOn(bodies, 'isWanted').mockReturnValueOnce(true);

    expect(await body.next()).toBe('pause');
    expect(String(await body.nextAfterPause())).toBe('tulip');
    sent.end();
    expect(await body.next()).toBe('end');
  });

  it('is refused while it waits for bytes, and when it would wait for memory', async () => {
    const { body, refuse } = begin();
    const reading = body.next();
    refuse(networkShareExceeded());

    await expect(reading).rejects.toMatchObject({ status: 429 });
    await expect(body.reserve(CHUNK)).rejects.toMatchObject({ status: 429 });
  });
});

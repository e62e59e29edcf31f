import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Log } from '../../src/platform/logging/log.js';
import { tally } from '../support/audit-kinds.js';
import type { ClientResponse } from '../support/client.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { formOf } from '../support/files.js';
import { forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const REQUESTS = 30;

/** Keeps the lines instead of writing them. */
class KeptLog extends Log {
  lines: { message: string; facts: object }[] = [];

  override event(message: string, facts: object): void {
    this.lines.push({ message, facts });
  }

  override warning(message: string, facts: object): void {
    this.lines.push({ message, facts });
  }

  override error(message: string, stack?: string): void {
    this.lines.push({ message, facts: { stack } });
  }
}

describe('The log during an outage', () => {
  const log = forEachTest(() => new KeptLog({ LOG_LEVEL: 'info' }));
  const running = forEachTest(() =>
    startApp({}, { adjust: (app) => app.overrideProvider(Log).useValue(log) }),
  );
  const user = forEachTest(() => running.newUser());

  beforeEach(() => (log.lines = []));

  const statuses = async (ask: () => Promise<ClientResponse>) =>
    tally((await allAtOnce(REQUESTS, ask)).map(({ status }) => status));
  const linesExceptRequests = () => log.lines.filter(({ message }) => message !== 'request');
  const numberOfRequests = () => log.lines.length - linesExceptRequests().length;
  const stackMatching = (pattern: RegExp) => ({ stack: expect.stringMatching(pattern) as string });
  const allFailures = { failures: REQUESTS, seconds: expect.any(Number) as number };

  it('of the database has one line at its beginning and one at its end', async () => {
    const push = () => running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } });
    const setReadOnly = (value: string) =>
      running.app
        .get(UnitOfWork)
        .outsideTransaction((manager) => manager.query(`PRAGMA query_only = ${value}`));
    await setReadOnly('ON');
    expect(await statuses(push)).toEqual({ 503: REQUESTS });
    await setReadOnly('OFF');
    expect(await statuses(push)).toEqual({ 201: REQUESTS });

    expect(linesExceptRequests()).toEqual([
      { message: 'The database is unavailable', facts: stackMatching(/readonly database/) },
      { message: 'The database is available again', facts: allFailures },
    ]);
    expect(numberOfRequests()).toBe(2 * REQUESTS);
  });

  it('of the file store has one line at its beginning and one at its end', async () => {
    const push = () => user.client.post('/api/v2/pushes', formOf([{ name: 'a', content: 'tulip' }]));
    const folder = join(running.instance.dataDir, 'files');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, '');
    expect(await statuses(push)).toEqual({ 503: REQUESTS });
    await rm(folder);
    expect(await statuses(push)).toEqual({ 201: REQUESTS });

    expect(linesExceptRequests()).toEqual([
      { message: 'Files cannot be stored', facts: stackMatching(/Caused by: Error: E(EXIST|NOTDIR)/) },
      { message: 'Files can be stored again', facts: allFailures },
    ]);
    expect(numberOfRequests()).toBe(2 * REQUESTS);
  });
});

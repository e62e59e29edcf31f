import type { TestingModuleBuilder } from '@nestjs/testing';
import type * as OnMysql from '../../src/platform/database/mysql/execute-on-mysql.js';
import type * as OnPostgres from '../../src/platform/database/postgres/execute-on-postgres.js';
import type * as OnSqlite from '../../src/platform/database/sqlite/execute-on-sqlite.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { FilePurgeService } from '../../src/files/file-purge.service.js';
import { FileStore } from '../../src/files/file-store.js';
import { Log } from '../../src/platform/logging/log.js';
import type { Settings } from '../../src/platform/settings/settings.js';
import type { ClientResponse } from '../support/client.js';
import { engine } from '../support/engine.js';
import type { OtherConnection } from '../support/other-connection.js';
import { connectBeside } from '../support/other-connection.js';
import type { TestUser } from '../support/start-app.js';
import type { AppWithStore } from '../support/start-with-store.js';
import { startWithStore } from '../support/start-with-store.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';
import { startDisk, STORES } from '../support/stores.js';
import { amount } from './support/amount.js';
import type { Action } from './support/actions.js';
import { ACTIONS, FILE_ACTIONS, SECRET } from './support/actions.js';
import type { DatabaseFault } from './support/faulty-database.js';
import type * as FaultyDatabases from './support/faulty-database.js';
import { FaultyDatabase, FAULTS } from './support/faulty-database.js';
import { FaultyStore, STORE_FAULTS } from './support/faulty-store.js';
import { incompleteData, strayBytes, sweep } from './support/incomplete-data.js';

jest.mock('../../src/platform/database/sqlite/execute-on-sqlite.js', () => {
  const actual = jest.requireActual<typeof OnSqlite>(
    '../../src/platform/database/sqlite/execute-on-sqlite.js',
  );
  const faults = jest.requireActual<typeof FaultyDatabases>('./support/faulty-database.js');
  return { ...actual, executeOnSqlite: faults.withInjectedFaultsOnSqlite(actual.executeOnSqlite) };
});
jest.mock('../../src/platform/database/mysql/execute-on-mysql.js', () => {
  const actual = jest.requireActual<typeof OnMysql>('../../src/platform/database/mysql/execute-on-mysql.js');
  const faults = jest.requireActual<typeof FaultyDatabases>('./support/faulty-database.js');
  return { executeOnMysql: faults.withInjectedFaults(actual.executeOnMysql) };
});
jest.mock('../../src/platform/database/postgres/execute-on-postgres.js', () => {
  const actual = jest.requireActual<typeof OnPostgres>(
    '../../src/platform/database/postgres/execute-on-postgres.js',
  );
  const faults = jest.requireActual<typeof FaultyDatabases>('./support/faulty-database.js');
  return {
    executeOnPostgres: faults.withInjectedFaults(actual.executeOnPostgres),
    executeTogether: faults.withInjectedFaultsTogether(actual.executeTogether),
  };
});

/** Hundreds of failures are expected. */
const SILENT = new Log({ LOG_LEVEL: 'silent' as Settings['LOG_LEVEL'] });

const silently = (builder: TestingModuleBuilder) => builder.overrideProvider(Log).useValue(SILENT);

describe('A fault injected into any statement', () => {
  let running: AppWithStore;
  let user: TestUser;
  let other: OtherConnection;
  let database: FaultyDatabase;

  beforeEach(async () => {
    running = await startWithStore(startDisk, {}, (builder) =>
      builder.overrideProvider(Log).useValue(SILENT),
    );
    ({ user } = running);
    await user.client.get('/api/v2/pushes/active'); // records the use of the token, which happens once an hour
    other = await connectBeside(running.instance);
    database = new FaultyDatabase(running.dataSource, other);
  });
  afterEach(async () => {
    database.restore();
    await other.close();
    await running.stop();
  });

  it.each(ACTIONS.map((action): [string, Action] => [action.name, action]))(
    'of "%s" leaves no partial changes, and the service continues to work',
    async (_name, action) => {
      const urlToken = await action.prepare(user.client);
      const statements = await database.callsOf(() => action.act(user.client, urlToken));
      expect(statements.length).toBeGreaterThan(1);

      const problems: string[] = [];
      for (const [index, sql] of statements.entries()) {
        for (const fault of sample(FAULTS, index)) {
          const found = await problemsAfter(action, index, fault);
          problems.push(...found.map((problem) => `${fault.name} at ${index}, ${sql}: ${problem}`));
        }
      }
      expect(problems).toEqual([]);
    },
  );

  async function problemsAfter(action: Action, index: number, fault: DatabaseFault): Promise<string[]> {
    const urlToken = await action.prepare(user.client);
    const before = await countPushes();
    const act = () => action.act(user.client, urlToken);
    const answers = await database.withFault(index, fault, act);
    const after = await countPushes();
    const again = await act();

    await sweep(running); // where it is unknown whether rows were committed, files stay until then
    const problems = [
      ...(await incompleteData(other, running.store)),
      ...(await strayBytes(other, running.store)),
    ];
    problems.push(...answers.flatMap((answer) => unclear(answer, action)));
    if (again.some(({ status }) => status !== action.status)) problems.push('does not work right after');

    const created = answers.filter(({ status }) => status === 201).length;
    const inDoubt = fault.mayHaveTakenEffect ? unavailable(answers) : 0;
    if (after - before < created || after - before > created + inDoubt)
      problems.push(`${created} created, ${after - before} committed`);
    if (urlToken !== '')
      problems.push(...(await problemsWithViews(urlToken, [...answers, ...again], inDoubt)));
    return problems;
  }

  /** Every view shown must be counted, and every view counted must be shown unless its response was lost. */
  async function problemsWithViews(
    urlToken: string,
    answers: ClientResponse[],
    inDoubt: number,
  ): Promise<string[]> {
    const shown = answers.filter(({ body }) => body.payload === SECRET).length;
    const { body } = await user.client.delete(`/api/v2/pushes/${urlToken}`);
    const counted: number = body.expire_after_views - body.views_remaining;
    return shown > counted || counted - shown > inDoubt ? [`${shown} shown, ${counted} counted`] : [];
  }

  async function countPushes(): Promise<number> {
    const [{ count }] = await other.query('SELECT COUNT(*) AS count FROM pushes');
    return Number(count);
  }
});

/** All of them; in the short form one, a different one each turn. */
function sample<T>(all: T[], turn: number): T[] {
  const start = turn % all.length;
  return amount({ full: all, short: all.slice(start, start + 1) });
}

describe.each(STORES)('A fault injected into any call of the file store on %s', (_store, start) => {
  let running: AppWithStore;
  let other: OtherConnection;
  let store: FaultyStore;

  beforeAll(async () => {
    running = await startWithStore(start, {}, silently);
    other = await connectBeside(running.instance);
    store = new FaultyStore(running.app.get(FileStore));
  });
  afterAll(async () => {
    await other.close();
    await running.stop();
  });

  it.each(FILE_ACTIONS.map((action): [string, Action] => [action.name, action]))(
    'during "%s" leaves no partial changes, and the service continues to work',
    async (_name, action) => {
      const { client } = running.user;
      const token = await action.prepare(client);
      const calls = await store.callsOf(() => action.act(client, token));
      expect(calls.length).toBeGreaterThan(0);

      for (const [index, call] of calls.entries()) {
        for (const fault of STORE_FAULTS) {
          const urlToken = await action.prepare(client);
          const answers = await store.withFault(index, fault, () => action.act(client, urlToken));
          const again = await action.act(client, urlToken);
          await running.app.get(FilePurgeService).purge(new Date(Date.now() + HOUR_MS));

          const problems = [
            ...(await incompleteData(other, running.store)),
            ...(await strayBytes(other, running.store)),
          ];
          problems.push(...answers.flatMap((answer) => unclear(answer, action)));
          problems.push(
            ...again.filter(({ status }) => status !== action.status).map(({ status }) => `then ${status}`),
          );
          const [{ count }] = await other.query(
            'SELECT COUNT(*) AS count FROM files WHERE ended_on IS NOT NULL',
          );
          if (Number(count) > 0) problems.push(`${count} files of deleted pushes`);
          expect({ fault, call: `${index} ${call}`, problems }).toEqual({
            fault,
            call: `${index} ${call}`,
            problems: [],
          });
        }
      }
    },
  );
});

if (engine.url === undefined) {
  describe('A full disk', () => {
    it('leaves no partial changes, and everything works again once there is space', async () => {
      const running = await startWithStore(startDisk, {}, silently);
      const other = await connectBeside(running.instance);
      const { client } = running.user;
      const tokens = await Promise.all(ACTIONS.map((action) => action.prepare(client)));
      const unitOfWork = running.app.get(UnitOfWork);
      const onWriter = (sql: string) => unitOfWork.outsideTransaction((manager) => manager.query(sql));
      const [{ page_count: pages }] = await onWriter('PRAGMA page_count');
      await onWriter(`PRAGMA max_page_count = ${pages}`);
      const filler = { push: { payload: 'x'.repeat(1000) } };
      let filled: ClientResponse;
      do filled = await client.post('/api/v2/pushes', filler);
      while (filled.status === 201);
      const answers = [filled];
      for (const [index, action] of ACTIONS.entries())
        answers.push(...(await action.act(client, tokens[index] ?? '')));

      const refused = answers.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(3);
      for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5');
      expect(answers.map(({ status }) => status).filter((status) => status >= 500 && status !== 503)).toEqual(
        [],
      );
      await onWriter('PRAGMA max_page_count = 1000000');
      for (const action of ACTIONS) {
        const statuses = (await action.act(client, await action.prepare(client))).map(({ status }) => status);
        expect([action.name, ...new Set(statuses)]).toEqual([action.name, action.status]);
      }
      expect(await incompleteData(other, running.store)).toEqual([]);
      expect(await strayBytes(other, running.store)).toEqual([]);
      await other.close();
      await running.stop();
    });
  });
}

/** How many responses have status 503. */
function unavailable(answers: ClientResponse[]): number {
  return answers.filter(({ status }) => status === 503).length;
}

/** A response must have the expected status or be a clear 503. */
function unclear({ status, headers, body }: ClientResponse, action: Action): string[] {
  if (status === action.status) return [];
  const isClear =
    status === 503 &&
    headers.get('retry-after') === '5' &&
    /^(The service is unavailable|Files cannot be)/.test(body.error);
  return isClear ? [] : [`${status} ${JSON.stringify(body)}`];
}

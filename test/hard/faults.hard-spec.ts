import { Log } from '../../src/common/log.js';
import type { Settings } from '../../src/settings/settings.js';
import type { Answer } from '../support/client.js';
import type { OtherConnection } from '../support/other-connection.js';
import { connectBeside } from '../support/other-connection.js';
import type { TestUser } from '../support/start-app.js';
import type { AppWithStore } from '../support/start-with-store.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';
import { amount } from './support/amount.js';
import type { Deed } from './support/deeds.js';
import { DEEDS, SECRET } from './support/deeds.js';
import type { Mishap } from './support/faulty-database.js';
import { FaultyDatabase, MISHAPS } from './support/faulty-database.js';
import { halfDone } from './support/half-done.js';

/** Hundreds of failures are meant to happen. */
const SILENT = new Log({ LOG_LEVEL: 'silent' as Settings['LOG_LEVEL'] });

const [[, DISK]] = STORES as [(typeof STORES)[0]];

describe('A mishap at any statement', () => {
  let running: AppWithStore;
  let user: TestUser;
  let other: OtherConnection;
  let database: FaultyDatabase;

  beforeEach(async () => {
    running = await startWithStore(DISK, {}, (builder) => builder.overrideProvider(Log).useValue(SILENT));
    ({ user } = running);
    await user.client.get('/api/v2/pushes/active'); // notes the use of the token, which is done once a minute
    other = await connectBeside(running.place);
    database = new FaultyDatabase(running.dataSource, other);
  });
  afterEach(async () => {
    database.restore();
    await other.close();
    await running.stop();
  });

  it.each(DEEDS.map((deed): [string, Deed] => [deed.name, deed]))(
    'of %s leaves nothing half-done, and the service goes on',
    async (_name, deed) => {
      const urlToken = await deed.prepare(user.client);
      const statements = await database.statementsOf(() => deed.act(user.client, urlToken));
      expect(statements.length).toBeGreaterThan(1);

      const faults: string[] = [];
      for (const [index, sql] of statements.entries()) {
        for (const mishap of some(MISHAPS, index)) {
          const found = await faultsAfter(deed, index, mishap);
          faults.push(...found.map((fault) => `${mishap.name} at ${index}, ${sql}: ${fault}`));
        }
      }
      expect(faults).toEqual([]);
    },
  );

  async function faultsAfter(deed: Deed, index: number, mishap: Mishap): Promise<string[]> {
    const urlToken = await deed.prepare(user.client);
    const before = await countPushes();
    const act = () => deed.act(user.client, urlToken);
    const answers = await database.withMishap(index, mishap, act);
    const after = await countPushes();
    const again = await act();

    const faults = await halfDone(running, other);
    faults.push(...answers.flatMap((answer) => unclear(answer, deed)));
    if (again.some(({ status }) => status !== deed.status)) faults.push('does not work right after');

    const made = answers.filter(({ status }) => status === 201).length;
    const inDoubt = mishap.isAnswerLost ? answers.length : 0;
    if (after - before < made || after - before > made + inDoubt)
      faults.push(`${made} made, ${after - before} kept`);
    if (urlToken !== '') faults.push(...(await faultsInViews(urlToken, [...answers, ...again], mishap)));
    return faults;
  }

  /** What was shown was counted; what was counted was shown, unless the answer of the database was lost. */
  async function faultsInViews(urlToken: string, answers: Answer[], mishap: Mishap): Promise<string[]> {
    const shown = answers.filter(({ body }) => body.payload === SECRET).length;
    const { body } = await user.client.delete(`/api/v2/pushes/${urlToken}`);
    const counted: number = body.expire_after_views - body.views_remaining;
    const lost = mishap.isAnswerLost ? 1 : 0;
    return shown > counted || counted - shown > lost ? [`${shown} shown, ${counted} counted`] : [];
  }

  async function countPushes(): Promise<number> {
    const [{ count }] = await other.query('SELECT COUNT(*) AS count FROM pushes');
    return Number(count);
  }
});

/** In short one of them, another each time. */
function some<T>(all: T[], turn: number): T[] {
  const start = turn % all.length;
  return amount({ full: all, short: all.slice(start, start + 1) });
}

/** Done, or a clear 503. */
function unclear({ status, headers, body }: Answer, deed: Deed): string[] {
  if (status === deed.status) return [];
  const isClear =
    status === 503 && headers.get('retry-after') === '5' && /^The service is una/.test(body.error);
  return isClear ? [] : [`${status} ${JSON.stringify(body)}`];
}

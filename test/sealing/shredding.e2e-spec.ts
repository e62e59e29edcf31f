import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { engine } from '../support/engine.js';
import { forEachTest } from '../support/for-tests.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';

const LONG_PAYLOAD = 'tulip '.repeat(20_000);
const hasFilesOfOurs = engine.name === 'sqlite';

type Row = Record<'payload' | 'data_key' | 'passphrase_salt', Buffer | null>;
const SHREDDED: Row = { payload: null, data_key: null, passphrase_salt: null };

describe.each([
  [
    'its last view',
    (running: RunningApp, token: string) => running.anonymous.retrieve(token, 'horse'),
    { expireAfterViews: 1 },
  ],
  [
    'a delete',
    (running: RunningApp, token: string) => running.anonymous.delete(`/api/v2/pushes/${token}`),
    { deletableByViewer: true },
  ],
  ['age', (running: RunningApp) => running.app.get(Jobs).run('expiry', after(new Date(), 7.5 * DAY_MS)), {}],
])('When %s has ended a push', (_, end, terms) => {
  const running = forEachTest(startApp);

  const make = async (payload: string) =>
    running.app
      .get(CreationsService)
      .create(someNewPush({ payload, passphrase: 'horse', ...terms }), someVisitor(), new Date());
  const readRow = async () => {
    const columns = Object.keys(SHREDDED).join(', ');
    const [row] = await running.dataSource.query<Row[]>(`SELECT ${columns} FROM pushes`);
    return { ...row } as Row;
  };

  it('its row no longer contains the secret or its keys (H2)', async () => {
    const { url_token } = await make('tulip');
    const { payload, data_key, passphrase_salt } = await readRow();
    expect([payload, data_key, passphrase_salt].every((bytes) => Buffer.isBuffer(bytes))).toBe(true);

    await end(running, url_token);
    expect(await readRow()).toEqual(SHREDDED);
  });

  if (hasFilesOfOurs) {
    it.each([
      ['short', 'tulip'],
      ['long', LONG_PAYLOAD],
    ])(
      'nothing of a %s payload is left in the files after the next scheduled run (H2)',
      async (_length, payload) => {
        const { url_token } = await make(payload);
        const row = await readRow();
        const secrets = [row.data_key, row.passphrase_salt, ...slices(row.payload)] as Buffer[];
        expect(secrets.filter((secret) => isInFiles(running, secret))).toHaveLength(secrets.length);

        await end(running, url_token);
        await running.app.get(Jobs).run('expiry');
        expect(secrets.filter((secret) => isInFiles(running, secret))).toEqual([]);
      },
    );
  }
});

/** Samples of 16 bytes at several instances of a long value, which is stored on many pages. */
function slices(bytes: Buffer | null): Buffer[] {
  if (!bytes) throw new Error('nothing to slice');
  const count = Math.min(20, Math.floor(bytes.length / 16));
  const step = Math.floor(bytes.length / count);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * step, i * step + 16));
}

/** Whether the bytes occur in any file of the data folder. */
function isInFiles({ instance }: RunningApp, bytes: Buffer): boolean {
  return readdirSync(instance.dataDir).some((name) =>
    readFileSync(join(instance.dataDir, name)).includes(bytes),
  );
}

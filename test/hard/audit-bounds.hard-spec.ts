import { auditKinds, tally } from '../support/audit-kinds.js';
import { newApiClient } from '../support/command.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { download, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { queryBeside } from '../support/other-connection.js';
import { makeInstance } from '../support/instance.js';
import { spawnTwo } from '../support/spawn-server.js';
import { amount } from './support/amount.js';

const MOST = 2000;
/** The number of entries in the log before the flood. */
const ALREADY = amount({ full: 0, short: 1900 });
const FLOOD = MOST - ALREADY + 100;
const AT_ONCE = 30;

describe('A flood at two processes', () => {
  const env = { OWNER_VIEWS_COUNT: 'false', TRUSTED_PROXIES: '127.0.0.1', EXPIRE_AFTER_VIEWS_MAX: '1000000' };
  const instance = forAllTests(makeInstance);
  const servers = forAllTests(() => spawnTwo(instance, env));
  const owner = forAllTests(() => newApiClient(servers.of(0), instance));

  const anyone = (caller: number) => servers.of(caller).anonymous;
  const asOwner = (caller: number) => anyone(caller).with(owner.headers);
  const setAll = async (table: string, column: string) => {
    await queryBeside(instance, `UPDATE ${table} SET ${column} = ?`, [ALREADY]);
  };
  /** Sends FLOOD requests to the two processes, AT_ONCE at a time. */
  const flood = async (ask: (caller: number) => Promise<unknown>) => {
    let asked = 0;
    await allAtOnce(AT_ONCE, async () => {
      while (asked < FLOOD) await ask(asked++);
    });
  };

  it('of retrievals after expiry leaves 2000 failures in the log (I3)', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', expire_after_views: 1 });
    await anyone(0).retrieve(url_token);
    await setAll('pushes', 'failures_audited');
    await flood(async (caller) => {
      const { status, body } = await anyone(caller).retrieve(url_token);
      expect([status, body.payload]).toEqual([200, null]);
    });

    expect(tally(await auditKinds(owner, url_token))).toEqual({
      creation: 1,
      view: 1,
      failed_view: MOST - ALREADY,
    });
  });

  it('of the owner’s views leaves 2000 of them in the log, and the push for its recipient (I3)', async () => {
    const { url_token } = await owner.push({ payload: 'tulip', expire_after_views: 1 });
    await setAll('pushes', 'owner_views_audited');
    await flood(async (caller) => {
      expect((await asOwner(caller).retrieve(url_token)).body.payload).toBe('tulip');
    });

    expect((await anyone(0).retrieve(url_token)).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 0,
    });
    expect(tally(await auditKinds(owner, url_token))).toEqual({
      creation: 1,
      owner_view: MOST - ALREADY,
      view: 1,
    });
  });

  it('of downloads leaves 2000 of them in the log, and the file available (I3)', async () => {
    const { url_token } = await pushFiles(owner, [{ name: 'a', content: 'hello' }]);
    await setAll('files', 'downloads_audited');
    await flood(async (caller) => {
      const { status, body } = await asOwner(caller).retrieve(url_token);
      expect({ status, body }).toMatchObject({ status: 200, body: { files: [{ filename: 'a' }] } });
      const [{ url }] = body.files;
      expect(String((await download(url)).bytes)).toBe('hello');
    });

    expect(tally(await auditKinds(owner, url_token))).toMatchObject({ file_download: MOST - ALREADY });
  });
});

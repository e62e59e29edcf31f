import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, newToken } from '../../src/platform/random/random.js';
import { command } from '../support/command.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { queryBeside } from '../support/other-connection.js';
import { makeInstance } from '../support/instance.js';
import { ask, respond } from '../support/requests.js';
import { run } from '../support/run.js';
import { startApp } from '../support/start-app.js';
import { bytesInSql } from '../support/server-database.js';

const key = () => randomBytes(32).toString('base64');
const BROKEN = { error: 'Something went wrong on our side.' };

describe('A stored push that was tampered with', () => {
  const running = forAllTests(() => startApp({ LOG_LEVEL: 'error' }));

  const idOf = async (payload: string, owner = running.anonymous) => {
    const push = await owner.push({ payload, name: `name ${payload}`, expire_after_views: 5 });
    const [row] = await running.dataSource.query('SELECT id FROM pushes ORDER BY id DESC LIMIT 1');
    return { id: row.id as string, urlToken: push.url_token as string };
  };
  const copy = (column: string, from: string, to: string) =>
    running.query(
      `UPDATE pushes SET ${column} = (SELECT other.${column} FROM (SELECT * FROM pushes) other WHERE other.id = ?) WHERE id = ?`,
      [from, to],
    );

  it.each(['payload', 'data_key'])(
    'never shows a secret copied from another row’s %s, and counts no view (J1)',
    async (column) => {
      const mine = await idOf('tulip');
      const theirs = await idOf('rose');
      await copy(column, theirs.id, mine.id);
      const { status, body } = await running.anonymous.retrieve(mine.urlToken);
      const [row] = await running.query('SELECT views_counted, expired_on FROM pushes WHERE id = ?', [
        mine.id,
      ]);

      expect([status, body]).toEqual([500, BROKEN]);
      expect(row).toEqual({ views_counted: 0, expired_on: null });
      expect((await running.anonymous.retrieve(theirs.urlToken)).body.payload).toBe('rose');
    },
  );

  it('never shows another row’s payload, even if all its sealed columns were copied (J1)', async () => {
    const mine = await idOf('tulip');
    const theirs = await idOf('rose');
    for (const column of ['payload', 'data_key', 'owner_key']) await copy(column, theirs.id, mine.id);

    expect(await running.anonymous.retrieve(mine.urlToken)).toMatchObject({ status: 500, body: BROKEN });
  });

  it.each(['name', 'url_token', 'owner_key'])(
    'shows nothing of another row in lists if its %s was copied from there (J1)',
    async (column) => {
      const { client } = await running.newUser();
      const theirs = await idOf('rose', (await running.newUser()).client);
      const mine = await idOf('tulip', client);
      await copy(column, theirs.id, mine.id);
      const { body } = await client.get('/api/v2/pushes/active');

      expect(body).toMatchObject([{ unreadable: true }]);
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`rose|${theirs.urlToken}`));
    },
  );

  it('stores no link, name or note without an owner', async () => {
    const { id, urlToken } = await idOf('tulip');
    const [row] = await running.query(
      'SELECT LENGTH(owner_key) AS owner_key, LENGTH(url_token) AS url_token, name, note FROM pushes WHERE id = ?',
      [id],
    );

    expect(row).toEqual({ owner_key: 0, url_token: 0, name: null, note: null });
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
  });

  it('never shows a name as a note, or a note as a name (J1)', async () => {
    const { client } = await running.newUser();
    const { id } = await idOf('tulip', client);
    await running.query('UPDATE pushes SET note = name WHERE id = ?', [id]);

    expect((await client.get('/api/v2/pushes/active')).body).toMatchObject([
      { name: 'name tulip', note: '', unreadable: true },
    ]);
  });

  it('cannot be opened by another link whose digest was written into its row (L15)', async () => {
    const theirs = await idOf('rose');
    const mine = newToken();
    await running.query('UPDATE pushes SET token_digest = ? WHERE id = ?', [digestOf(mine), theirs.id]);
    const { status, body } = await running.anonymous.retrieve(mine);
    const [row] = await running.query('SELECT views_counted FROM pushes WHERE id = ?', [theirs.id]);

    expect([status, body]).toEqual([500, BROKEN]);
    expect(row).toEqual({ views_counted: 0 });
  });

  it('cannot be opened if the links of two pushes were exchanged (L15)', async () => {
    const [mine, theirs] = [await idOf('tulip'), await idOf('rose')];
    const moved = [
      ['0'.repeat(64), mine.id],
      [digestOf(mine.urlToken), theirs.id],
      [digestOf(theirs.urlToken), mine.id],
    ];
    for (const values of moved)
      await running.query('UPDATE pushes SET token_digest = ? WHERE id = ?', values);

    for (const { urlToken } of [mine, theirs])
      expect(await running.anonymous.retrieve(urlToken)).toMatchObject({ status: 500, body: BROKEN });
  });

  it('cannot be opened by another link with any passphrase (L15)', async () => {
    await running.anonymous.push({ payload: 'tulip', passphrase: 'sesame' });
    const [{ id }] = await running.dataSource.query('SELECT id FROM pushes ORDER BY id DESC LIMIT 1');
    const mine = newToken();
    await running.query('UPDATE pushes SET token_digest = ? WHERE id = ?', [digestOf(mine), id]);

    expect(await running.anonymous.retrieve(mine, 'sesame')).toMatchObject({ status: 500, body: BROKEN });
    await running.query('UPDATE pushes SET passphrase_salt = NULL WHERE id = ?', [id]);
    expect(await running.anonymous.retrieve(mine)).toMatchObject({ status: 500, body: BROKEN });
  });

  it.each(['another account’s', 'an anonymous'])(
    'shows no link, name or note of %s push to an account that was written into its row (L15)',
    async (whose) => {
      const victim = whose === 'an anonymous' ? running.anonymous : (await running.newUser()).client;
      const { id, client } = await running.newUser();
      const theirs = await idOf('rose', victim);
      await running.query('UPDATE pushes SET user_id = ? WHERE id = ?', [id, theirs.id]);

      expect((await client.get('/api/v2/pushes/active')).body).toMatchObject([
        { url_token: '', json_url: '', html_url: '', name: '', note: '', unreadable: true },
      ]);
    },
  );

  it('does not count as an attempt at the passphrase', async () => {
    const push = await running.anonymous.push({ payload: 'tulip', passphrase: 'sesame' });
    const [{ id }] = await running.dataSource.query('SELECT id FROM pushes ORDER BY id DESC LIMIT 1');
    const theirs = await idOf('rose');
    await copy('data_key', theirs.id, id);
    const answers = [];
    for (let index = 0; index < 7; index++)
      answers.push(await running.anonymous.retrieve(push.url_token, 'sesame'));

    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(500));
    expect(await running.query('SELECT id FROM passphrase_attempts WHERE push_id = ?', [id])).toEqual([]);
  });
});

describe('A stored request that was tampered with', () => {
  const running = forAllTests(() =>
    startApp({ ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0', LOG_LEVEL: 'error' }),
  );

  const query = (sql: string, values: unknown[] = []) => running.query(sql, values);
  /** Requests of two accounts. */
  const two = async () => {
    const [mine, theirs] = [await running.newUser(), await running.newUser()];
    return {
      mine: { ...mine, urlToken: (await ask(mine.client, { request: 'tulip?', name: 'bed' })).url_token },
      theirs: {
        ...theirs,
        urlToken: (await ask(theirs.client, { request: 'rose?', name: 'pot' })).url_token,
      },
    };
  };

  it('shows nothing of another row whose sealed texts were copied, and takes no answer (J1)', async () => {
    const { mine, theirs } = await two();
    const [{ sealed }] = await query('SELECT sealed FROM requests WHERE user_id = ?', [theirs.id]);
    await query('UPDATE requests SET sealed = ? WHERE user_id = ?', [sealed, mine.id]);

    expect((await running.anonymous.get(`/api/v2/requests/${mine.urlToken}`)).status).toBe(404);
    expect((await respond(running.anonymous, mine.urlToken, 'secret')).status).toBe(404);
    expect(JSON.stringify((await mine.client.get('/api/v2/requests/open')).body)).not.toMatch(/rose|pot/);
  });

  it.each([
    ['account', 'user_id'],
    ['link', 'token_digest'],
  ])('cannot be read when it was given to another %s (L15)', async (_what, column) => {
    const { mine, theirs } = await two();
    const urlToken = newToken();
    const value = column === 'user_id' ? mine.id : digestOf(urlToken);
    await query(`UPDATE requests SET ${column} = ? WHERE user_id = ?`, [value, theirs.id]);

    for (const token of [urlToken, theirs.urlToken])
      for (const client of [mine.client, running.anonymous]) {
        expect((await client.get(`/api/v2/requests/${token}`)).status).toBe(404);
        expect((await respond(client, token, 'secret')).status).toBe(404);
      }
    expect(JSON.stringify((await mine.client.get('/api/v2/requests/open')).body)).not.toMatch(/rose|pot/);
  });

  it('hides no other in the lists of its owner (M8)', async () => {
    const { client, id } = await running.newUser();
    const tokens: string[] = [];
    for (const request of ['rose?', 'tulip?', 'lily?'])
      tokens.push((await ask(client, { request })).url_token);
    const rows = await query('SELECT id FROM requests WHERE user_id = ? ORDER BY id', [id]);
    await query(`UPDATE requests SET sealed = ${bytesInSql('00')} WHERE id = ?`, [rows[1].id]);
    const { status, body, headers } = await client.get('/api/v2/requests/open');

    expect([status, headers.get('x-total')]).toEqual([200, '3']);
    expect(body.map(({ request }: { request: string }) => request)).toEqual(['lily?', '', 'rose?']);
    expect((await respond(running.anonymous, tokens[0] ?? '', 'secret')).status).toBe(201);
  });

  it('has none of its texts in clear, and neither its passphrase nor a key of it (H1)', async () => {
    const { client, id } = await running.newUser();
    const texts = ['marker-request', 'marker-name', 'marker-note', 'marker-passphrase'];
    const [request = '', name = '', note = '', passphrase = ''] = texts;
    const { url_token } = await ask(client, { request, name, note, passphrase });
    await respond(running.anonymous.with({ 'X-Push-Passphrase': passphrase }), url_token, 'marker-answer');
    const stored = JSON.stringify(
      [
        await query('SELECT * FROM requests WHERE user_id = ?', [id]),
        await query('SELECT * FROM request_audit_entries'),
        await query('SELECT * FROM pushes WHERE user_id = ?', [id]),
      ],
      (_key, value) =>
        value?.type === 'Buffer'
          ? Buffer.from(value.data as number[]).toString('latin1')
          : (value as unknown),
    );

    expect(stored).not.toContain('marker-');
    expect(stored).not.toContain(url_token);
  });
});

describe('The master keys', () => {
  const instance = forEachTest(makeInstance);
  let urlToken: string;
  const oldKey = key();

  beforeEach(async () => {
    const running = await startApp({ MASTER_KEYS: oldKey }, { instance });
    urlToken = (await running.anonymous.push({ payload: 'tulip' })).url_token;
    await running.stop();
  });

  const failure = async () => {
    const [{ id }] = await queryBeside(instance, 'SELECT id FROM master_keys');
    return {
      code: 1,
      stdout: '',
      stderr:
        `sealpush: The database holds what was sealed with master key ${id}, which is not configured. ` +
        'Give it in MASTER_KEYS (or MASTER_KEYS_FILE), or put back DATA_DIR/master.key.\n',
    };
  };

  it('prevent the start with a one-line error if they are wrong (J2, H3)', async () => {
    expect(await run('main.js', instance, { env: { MASTER_KEYS: key() } })).toEqual(await failure());
  });

  it('prevent a command with a one-line error if they are wrong', async () => {
    expect(await command(instance, ['migration:run'], { env: { MASTER_KEYS: key() } })).toEqual(
      await failure(),
    );
  });

  it('prevent the start with a one-line error if they are missing, and no new one is created (J2, H3)', async () => {
    expect(await run('main.js', instance)).toEqual(await failure());
    await writeFile(join(instance.dataDir, 'master.key'), `${key()}\n`);
    expect(await run('main.js', instance)).toEqual(await failure());
    await rm(join(instance.dataDir, 'master.key'));
  });

  it('prevent the start with a one-line error if the file contains no key', async () => {
    await writeFile(join(instance.dataDir, 'master.key'), 'geheim');
    const { code, stdout, stderr } = await run('main.js', instance);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `sealpush: The master key in ${instance.dataDir}/master.key cannot be read: ` +
        'must be keys of 32 bytes in base64 or hex, separated by commas.\n',
    );
  });

  it('open data sealed by the old key after a new one is put first (J2)', async () => {
    const newKey = key();
    const running = await startApp({ MASTER_KEYS: `${newKey},${oldKey}` }, { instance });
    const { body } = await running.anonymous.retrieve(urlToken);
    const fresh = await running.anonymous.push({ payload: 'rose' });
    const ids = await running.dataSource.query('SELECT DISTINCT master_key_id FROM pushes');
    const freshBody = (await running.anonymous.retrieve(fresh.url_token)).body;
    await running.stop();

    expect(body.payload).toBe('tulip');
    expect(freshBody.payload).toBe('rose');
    expect(ids).toHaveLength(2);
    expect(await run('main.js', instance, { env: { MASTER_KEYS: newKey } })).toMatchObject({ code: 1 });
    expect(await run('main.js', instance, { env: { MASTER_KEYS: oldKey } })).toMatchObject({ code: 1 });
  });
});

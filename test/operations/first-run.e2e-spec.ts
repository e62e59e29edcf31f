import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { command } from '../support/command.js';
import { engine } from '../support/engine.js';
import { forEachTest } from '../support/for-tests.js';
import { makeNewInstance } from '../support/instance.js';
import { spawnServer } from '../support/spawn-server.js';

describe('Server start', () => {
  const instance = forEachTest(makeNewInstance);

  /** What the server logs at start, without times and what cron warns of when a slow machine runs a job late. */
  async function logged(env: Record<string, string> = {}): Promise<object[]> {
    const server = await spawnServer(instance, env);
    await server.anonymous.get('/up');
    await server.stop();
    return server
      .logLines()
      .filter(({ msg }) => msg !== 'request' && !msg.startsWith('[Cron] Missed'))
      .map((facts) => ({ ...facts, level: undefined, time: undefined }));
  }

  const database =
    engine.name === 'sqlite'
      ? () => ({ path: join(instance.dataDir, 'sealpush.sqlite3') })
      : () => ({ address: expect.stringMatching(/^127\.0\.0\.1:\d+\/sealpush_test_\w+$/) });
  const madeDatabase = () => ({ msg: 'Created the database', ...database() });
  const listening = { msg: 'Listening', address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) };
  const documentation = { msg: 'API documentation', address: expect.stringMatching(/:\d+\/api\/docs$/) };
  const setup = {
    msg: 'Create the first administrator at this address, with this code',
    address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/setup$/),
    code: expect.stringMatching(/^[0-9a-f]{32}$/),
  };
  const stopped = { msg: 'Stopped by SIGTERM', requests: 1 };

  it('logs what it created, where it listens and what to do next, and later the same setup code', async () => {
    const first = await logged();

    expect(first).toEqual([
      madeDatabase(),
      {
        msg: 'Created the master key. Keep a copy of it, separate from copies of the database: without it nothing can be decrypted',
        path: join(instance.dataDir, 'master.key'),
      },
      listening,
      documentation,
      setup,
      stopped,
    ]);
    expect(await logged({ HOST: '0.0.0.0', PUBLIC_URL: 'https://push.example.org' })).toEqual([
      { msg: 'audit', kind: 'settings_changed', by: 'service', settings: ['PUBLIC_URL'] },
      {
        msg: 'Listening',
        address: expect.stringMatching(/^http:\/\/localhost:\d+$/),
        publicUrl: 'https://push.example.org',
      },
      { ...setup, address: 'https://push.example.org/setup', code: (first.at(-2) as { code: string }).code },
      stopped,
    ]);
  });

  it('after a command that created the database and an administrator logs only where it listens', async () => {
    const create = ['user:create', 'ada@example.org', '--administrator', '--password-stdin'];
    await command(instance, create, { input: 'nine tall blue mountains' });

    expect(await logged()).toEqual([listening, stopped]);
  });

  it('with configured keys creates and logs no key', async () => {
    const MASTER_KEYS = randomBytes(32).toString('base64');

    expect(await logged({ MASTER_KEYS })).toEqual([madeDatabase(), listening, documentation, setup, stopped]);
    expect(await logged({ MASTER_KEYS: `${randomBytes(32).toString('base64')},${MASTER_KEYS}` })).toEqual([
      {
        msg: 'audit',
        kind: 'master_key_added',
        by: 'service',
        master_key: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      listening,
      setup,
      stopped,
    ]);
  });
});

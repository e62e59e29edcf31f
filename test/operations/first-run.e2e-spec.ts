import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { newApiToken } from '../support/command.js';
import { engine } from '../support/engine.js';
import type { Instance } from '../support/instance.js';
import { makeInstance } from '../support/instance.js';
import { spawnServer } from '../support/spawn-server.js';

describe('Server start', () => {
  let instance: Instance;

  beforeEach(async () => (instance = await makeInstance()));
  afterEach(() => instance.destroy());

  /** What the server logs at start, without times. */
  async function logged(env: Record<string, string> = {}): Promise<object[]> {
    const server = await spawnServer(instance, env);
    await server.anonymous.get('/up');
    await server.stop();
    const lines = server.output().trim().split('\n');
    return lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg !== 'request')
      .map((facts) => ({ ...facts, level: undefined, time: undefined }));
  }

  const database =
    engine.name === 'sqlite'
      ? () => ({ path: join(instance.dataDir, 'sealpush.sqlite3') })
      : () => ({ address: expect.stringMatching(/^127\.0\.0\.1:\d+\/sealpush_test_\w+$/) });
  const madeDatabase = () => ({ msg: 'Created the database', ...database() });
  const listening = { msg: 'Listening', address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) };
  const whatNext = [
    { msg: 'Create an account with: npm run -s cli -- user:create EMAIL' },
    { msg: 'API documentation', address: expect.stringMatching(/:\d+\/api\/docs$/) },
  ];

  it('for the first time logs in five lines what it created, where it listens, and what to do next', async () => {
    expect(await logged()).toEqual([
      madeDatabase(),
      {
        msg: 'Created the master key. Keep a copy of it, separate from copies of the database: without it nothing can be decrypted',
        path: join(instance.dataDir, 'master.key'),
      },
      listening,
      ...whatNext,
    ]);
  });

  it('for the second time logs only where it listens', async () => {
    await logged();

    expect(await logged()).toEqual([listening]);
  });

  it('after a command logs only where it listens', async () => {
    await newApiToken(instance);

    expect(await logged()).toEqual([listening]);
  });

  it('with configured keys creates and logs no key', async () => {
    const MASTER_KEYS = randomBytes(32).toString('base64');

    expect(await logged({ MASTER_KEYS })).toEqual([madeDatabase(), listening, ...whatNext]);
    expect(await logged({ MASTER_KEYS })).toEqual([listening]);
    expect(await logged({ MASTER_KEYS: `${randomBytes(32).toString('base64')},${MASTER_KEYS}` })).toEqual([
      listening,
    ]);
  });
});

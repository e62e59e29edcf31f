import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { engine } from '../support/engine.js';
import type { Place } from '../support/place.js';
import { makePlace } from '../support/place.js';
import { cli, spawnServer } from '../support/spawn-server.js';

describe('A start', () => {
  let place: Place;

  beforeEach(async () => (place = await makePlace()));
  afterEach(() => place.destroy());

  /** What a start writes, without times. */
  async function told(env: Record<string, string> = {}): Promise<object[]> {
    const server = await spawnServer(place, env);
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
      ? () => ({ path: join(place.dataDir, 'sealpush.sqlite3') })
      : () => ({ address: expect.stringMatching(/^127\.0\.0\.1:\d+\/sealpush_test_\w+$/) });
  const madeDatabase = () => ({ msg: 'Made the database', ...database() });
  const listening = { msg: 'Listening', address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) };
  const whatNext = [
    { msg: 'Make an account with: npm run -s cli -- user:create EMAIL' },
    { msg: 'Read how to use it', address: expect.stringMatching(/:\d+\/api\/docs$/) },
  ];

  it('that is the first tells in five lines what it made, where it listens, and what to do next', async () => {
    expect(await told()).toEqual([
      madeDatabase(),
      {
        msg: 'Made the master key. Keep a copy, apart from those of the database: without it nothing opens',
        path: join(place.dataDir, 'master.key'),
      },
      listening,
      ...whatNext,
    ]);
  });

  it('that is the second tells where it listens, and nothing else', async () => {
    await told();

    expect(await told()).toEqual([listening]);
  });

  it('after a command tells where it listens, and nothing else', async () => {
    await cli(place, 'user:create', 'ada@example.org');

    expect(await told()).toEqual([listening]);
  });

  it('with keys of the operator’s tells of no key that it made', async () => {
    const MASTER_KEYS = randomBytes(32).toString('base64');

    expect(await told({ MASTER_KEYS })).toEqual([madeDatabase(), listening, ...whatNext]);
    expect(await told({ MASTER_KEYS })).toEqual([listening]);
    expect(await told({ MASTER_KEYS: `${randomBytes(32).toString('base64')},${MASTER_KEYS}` })).toEqual([
      listening,
    ]);
  });
});

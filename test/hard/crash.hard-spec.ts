import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { engine } from '../support/engine.js';
import { forAllTests } from '../support/for-tests.js';
import type { Instance } from '../support/instance.js';
import { makeInstance } from '../support/instance.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { amount } from './support/amount.js';
import { halfDoneAt } from './support/incomplete-data.js';
import type { Callers } from './support/ledger.js';
import { isBrokenConnection, Ledger } from './support/ledger.js';
import { between, randomFrom, SEED } from './support/random.js';

const ROUNDS = amount({ full: 25, short: 3 });
const CLIENTS = 16;

describe(`A server that is killed repeatedly under load (HARD_SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  const ledger = new Ledger();
  const instance = forAllTests(makeInstance);
  let token: string;

  beforeAll(async () => {
    token = JSON.parse((await cli(instance, 'user:create', 'owner@example.org')).stdout).token;
  });

  const callersOf = ({ anonymous }: SpawnedServer): Callers => ({
    anonymous,
    owner: anonymous.with({ Authorization: `Bearer ${token}` }),
  });

  it('keeps everything it acknowledged, and shows no push too often (A1, A7)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const server = await spawnServer(instance);

      const load = Array.from({ length: CLIENTS }, () => actUntilItBreaks(callersOf(server)));
      await ledger.answersTo(between(random, 20, 300));
      if (round % 2 === 1) await setTimeout(random() * 30); // otherwise right after a response
      await server.stop('SIGKILL');
      await Promise.all(load);

      expect(ledger.faults).toEqual([]);
      if (engine.url === undefined) expect(damages(instance)).toEqual([]);
    }
    const server = await spawnServer(instance);
    expect(await halfDoneAt(instance)).toEqual([]);

    await ledger.settle(callersOf(server));
    await server.stop();

    expect(ledger.faults).toEqual([]);
    expect(await halfDoneAt(instance)).toEqual([]);
    expect(ledger.pushes.length).toBeGreaterThan(ROUNDS * 5);
  });

  async function actUntilItBreaks(callers: Callers): Promise<void> {
    try {
      for (;;) await ledger.act(callers, random);
    } catch (error) {
      if (!isBrokenConnection(error)) throw error;
    }
  }
});

/** The errors that SQLite's own checks find in the database file after the kill. */
function damages({ dataDir }: Instance): unknown[] {
  const database = new Database(join(dataDir, 'sealpush.sqlite3'), { readonly: true });
  const [integrity] = database.pragma('integrity_check', { simple: false }) as { integrity_check: string }[];
  const orphans = database.pragma('foreign_key_check') as unknown[];
  database.close();
  return integrity?.integrity_check === 'ok' ? orphans : [integrity, ...orphans];
}

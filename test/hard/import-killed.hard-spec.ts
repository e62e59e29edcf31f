import { command } from '../support/command.js';
import { allRows, assertWholePushes, killImport, releaseLease } from '../support/imports.js';
import type { Instance } from '../support/instance.js';
import { makeInstance } from '../support/instance.js';
import type { PasswordPusher } from '../support/passwordpusher.js';
import { makePasswordPusher, SOURCES } from '../support/passwordpusher.js';
import { amount } from './support/amount.js';

/** Columns that say nothing about an import: ids and what is sealed, and when it was. */
const comparable = (rows: Record<string, any[]>) => ({
  users: rows.users?.map(({ email, administrator }) => [email, administrator]).sort(),
  tokens: rows.api_tokens?.map(({ digest }) => digest).sort(),
  factors: [rows.authenticators?.length, rows.recovery_codes?.length, rows.recovery_keys?.length],
  pushes: rows.pushes
    ?.map(({ token_digest, views_counted, ended }) => [token_digest, views_counted, ended])
    .sort(),
  files: rows.files?.map(({ size }) => Number(size)).sort(),
  entries: rows.audit_entries?.map(({ kind, ip }) => `${kind} ${ip}`).sort(),
});

describe('An import from PasswordPusher that is killed', () => {
  let source: PasswordPusher;
  const instances: Instance[] = [];

  afterEach(async () => {
    for (const instance of instances.splice(0)) await instance.destroy();
    await source.destroy();
  });

  it('again and again, at any point, is completed by the next one: nothing is missing, twice, or given back', async () => {
    source = await makePasswordPusher(SOURCES.at(-1));
    const [whole, killed] = [await makeInstance(), await makeInstance()];
    instances.push(whole, killed);
    await command(whole, source.args);

    const kills = amount({ full: 20, short: 5 });
    for (let kill = 0; kill < kills; kill++) {
      await killImport(source, killed, Math.floor((314 * (kill + Math.random())) / kills));
      await releaseLease(killed);
      await assertWholePushes(killed);
    }
    await command(killed, source.args);

    expect(comparable(await allRows(killed))).toEqual(comparable(await allRows(whole)));
  });
});

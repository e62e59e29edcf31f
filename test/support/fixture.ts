import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import { command } from './command.js';
import type { Engine } from './engine.js';
import { engine } from './engine.js';
import type { Instance } from './instance.js';
import { makeNewInstance, makeSqliteInstance } from './instance.js';

/** What the data of an earlier version has in it; test/fixtures/make.mjs made it. */
export interface FixtureContents {
  email: string;
  password: string;
  token: string;
  /** The key of the push that its client encrypted. */
  fragment: string;
  /** The url_token of each push. */
  pushes: Record<PushOfFixture, string>;
}

type PushOfFixture =
  | 'text'
  | 'url'
  | 'qr'
  | 'file'
  | 'passphrase'
  | 'clientEncrypted'
  | 'expired'
  | 'deleted'
  | 'overdue'
  | 'anonymous';

/** A copy of the data that a version has left, for the engine of the specs. */
export async function copyOfVersion(version: string): Promise<{ instance: Instance; made: FixtureContents }> {
  return engine.name === 'postgres'
    ? movedToPostgres(version)
    : copyInto(await makeNewInstance(), version, engine.name);
}

/** The first versions did not have PostgreSQL, so what they have left on SQLite is moved there. */
async function movedToPostgres(version: string): Promise<{ instance: Instance; made: FixtureContents }> {
  const old = await copyInto(await makeSqliteInstance(), version, 'sqlite');
  const instance = await makeNewInstance();
  const file = join(old.instance.dataDir, 'moved.export');
  await cp(join(old.instance.dataDir, 'files'), join(instance.dataDir, 'files'), { recursive: true });
  await cp(join(old.instance.dataDir, 'master.key'), join(instance.dataDir, 'master.key'));
  for (const [of, args] of [
    [old.instance, ['export', file]],
    [instance, ['import', file]],
  ] as const) {
    const { code, stderr } = await command(of, [...args]);
    if (code !== 0) throw new Error(stderr);
  }
  await old.instance.destroy();
  return { instance, made: old.made };
}

async function copyInto(
  instance: Instance,
  version: string,
  name: Engine['name'],
): Promise<{ instance: Instance; made: FixtureContents }> {
  const folder = join('test/fixtures', version, name);
  const unzipped = async (name: string) => gunzipSync(await readFile(join(folder, name)));
  await mkdir(instance.dataDir, { recursive: true });
  await cp(join(folder, 'files'), join(instance.dataDir, 'files'), { recursive: true });
  await cp(join(folder, 'master.key'), join(instance.dataDir, 'master.key'));
  if (instance.env.DATABASE_URL === undefined) {
    await writeFile(join(instance.dataDir, 'sealpush.sqlite3'), await unzipped('sealpush.sqlite3.gz'));
  } else {
    await runSql(instance.env.DATABASE_URL, (await unzipped('sealpush.sql.gz')).toString('utf8'));
  }
  return { instance, made: JSON.parse(await readFile(join(folder, 'made.json'), 'utf8')) as FixtureContents };
}

async function runSql(uri: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri, multipleStatements: true });
  await connection.query(sql);
  await connection.end();
}

import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { PostgresAddress } from '../../settings/database-address.js';
import { shownServers } from '../../settings/database-address.js';
import { SECOND_MS } from '../../settings/units.js';
import { NoDatabaseConnection, StartError } from '../../settings/start-error.js';
import { CONNECT_TIMEOUT_MS } from '../engine/server-connections.js';
import { databaseErrorCode } from '../errors/database-error.js';
import type { Encryption } from './encryption.js';
import { isAboutEncryption, waysToEncrypt } from './encryption.js';
import type { ServerFacts } from './server-checks.js';
import { assertUsable, READ_FACTS } from './server-checks.js';
import { ServerConnection, ServerPool } from './server-pool.js';
import { TYPES } from './values.js';

/** TypeORM's options for a server of PostgreSQL; a query to it finds out how it is reached. */
export async function postgresOptions(
  address: PostgresAddress,
  poolSize: number,
): Promise<PostgresDataSourceOptions> {
  const { facts, encryption, isPooled } = await readServer(address);
  assertUsable(facts, isPooled);
  const { host, port, user, database, password } = loginOf(address);
  return {
    type: 'postgres',
    host,
    port,
    username: user,
    password,
    database,
    ssl: encryption as false,
    connectTimeoutMS: connectTimeoutOf(address),
    applicationName: address.applicationName,
    poolSize,
    installExtensions: false,
    poolErrorHandler: () => undefined, // the pool opens another connection when one is needed
    driver: { Pool: ServerPool },
    extra: { types: TYPES, servers: address.servers, isPooled },
  };
}

interface Server {
  facts: ServerFacts;
  encryption: Encryption;
  /** Whether a pooler, such as PgBouncer, is in front of it: what it says about the session is not of the session. */
  isPooled: boolean;
}

/** Asks the first server that answers, one that writes if there is one. */
export async function readServer(address: PostgresAddress): Promise<Server> {
  let failure: unknown;
  let standby: Server | undefined;
  for (const server of address.servers)
    for (const encryption of waysTo(address)) {
      try {
        const found = await ask({ ...loginOf(address), ...server, ssl: encryption }, address);
        if (!found.facts.isReadOnly) return { ...found, encryption };
        standby ??= { ...found, encryption };
        break;
      } catch (error) {
        if (failure === undefined || isAboutEncryption(failure)) failure = error;
        if (!isAboutEncryption(error)) break;
      }
    }
  if (standby) return standby;
  const where = `${shownServers(address.servers)}/${address.database}`;
  throw new NoDatabaseConnection(
    `The database at ${where} cannot be used (${databaseErrorCode(failure) || (failure as Error).message}).`,
  );
}

/** A socket is never encrypted, as for libpq. */
function waysTo({ servers, encryption }: PostgresAddress): Encryption[] {
  return servers.every(({ host }) => host.startsWith('/')) ? [false] : waysToEncrypt(encryption, contentOf);
}

async function ask(
  login: ClientConfig,
  address: PostgresAddress,
): Promise<{ facts: ServerFacts; isPooled: boolean }> {
  const client = new ServerConnection({
    ...login,
    application_name: address.applicationName,
    connectionTimeoutMillis: connectTimeoutOf(address),
    types: TYPES,
    servers: address.servers,
    isPooled: true,
  });
  try {
    await client.connect();
    const { rows } = (await client.query(READ_FACTS)) as { rows: (ServerFacts & { processId: number })[] };
    const [facts] = rows;
    if (!facts) throw new Error('no answer');
    const { processID } = client as unknown as { processID: number };
    return { facts, isPooled: processID !== facts.processId };
  } finally {
    await client.end();
  }
}

/** A function, so that nothing shows the password, and pg does not look for another in the environment. */
function loginOf({ servers: [first], username, password, database }: PostgresAddress) {
  return { ...first, user: username, password: () => password, database };
}

function connectTimeoutOf({ connectTimeoutSeconds }: PostgresAddress): number {
  return connectTimeoutSeconds === undefined ? CONNECT_TIMEOUT_MS : connectTimeoutSeconds * SECOND_MS;
}

function contentOf(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartError(`The file that ${name} of DATABASE_URL names, ${path}, cannot be read (${code}).`);
  }
}

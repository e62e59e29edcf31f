import type { Settings } from '../../settings/settings.js';
import { StartError } from '../../settings/start-error.js';
import { connectionsWarning } from '../engine/server-connections.js';

/** What a server says about itself and the database, as `READ_FACTS` reads it. */
export interface ServerFacts {
  /** Such as 150020. */
  version: number;
  /** Of the database. */
  encoding: string;
  synchronousCommit: string;
  fsync: string;
  fullPageWrites: string;
  maxConnections: number;
  reservedConnections: number;
  /** -1 is no limit of its own. */
  userConnections: number;
  databaseConnections: number;
  isReadOnly: boolean;
  /** In a session with the defaults of the server and of the user. */
  dateStyle: string;
  standardConformingStrings: string;
  clientEncoding: string;
  byteaOutput: string;
  /** The schema in which tables are created; null if there is none. */
  schema: string | null;
  /** Whether each of the other users of the server may create functions in it. */
  isSchemaOpen: boolean;
}

const setting = (name: string) => `current_setting('${name}')`;

export const READ_FACTS = `SELECT ${setting('server_version_num')}::integer AS "version",
  pg_encoding_to_char(encoding) AS "encoding", ${setting('synchronous_commit')} AS "synchronousCommit",
  ${setting('fsync')} AS "fsync", ${setting('full_page_writes')} AS "fullPageWrites",
  ${setting('max_connections')}::integer AS "maxConnections",
  ${setting('superuser_reserved_connections')}::integer AS "reservedConnections",
  (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS "userConnections",
  datconnlimit AS "databaseConnections",
  ${setting('transaction_read_only')} = 'on' AS "isReadOnly", ${setting('DateStyle')} AS "dateStyle",
  ${setting('standard_conforming_strings')} AS "standardConformingStrings",
  ${setting('client_encoding')} AS "clientEncoding", ${setting('bytea_output')} AS "byteaOutput",
  current_schema() AS "schema",
  EXISTS (SELECT FROM pg_namespace CROSS JOIN aclexplode(nspacl)
    WHERE nspname = current_schema() AND grantee = 0 AND privilege_type = 'CREATE')
  AND EXISTS (SELECT FROM pg_roles WHERE rolcanlogin AND NOT rolsuper AND rolname <> current_user) AS "isSchemaOpen",
  pg_backend_pid() AS "processId"
  FROM pg_database WHERE datname = current_database()`;

const OLDEST = 14;
const VERSION_DIVISOR = 10_000;

/** @throws StartError when the service cannot work with this server and database */
export function assertUsable(facts: ServerFacts, isPooled: boolean): void {
  const major = Math.floor(facts.version / VERSION_DIVISOR);
  if (major < OLDEST)
    throw new StartError(`The database server is PostgreSQL ${major}; ${OLDEST} or newer is needed.`);
  if (facts.encoding !== 'UTF8')
    throw new StartError(
      `The database has the encoding ${facts.encoding}, which cannot store all texts. Use one that was created with ENCODING 'UTF8'.`,
    );
  if (facts.schema === null)
    throw new StartError(
      'The database has no schema for tables: none that search_path of the user names exists. Create it, or change search_path.',
    );
  const differs = isPooled && Object.entries(sessionNeeds(facts)).find(([, isMet]) => !isMet);
  if (differs)
    throw new StartError(
      `The pooler in front of the database has sessions without ${differs[0]}, which the service cannot set there. Set it for the user or the database.`,
    );
}

/** What texts and bytes depend on, where sessions have the defaults of the user and of the database. */
function sessionNeeds(facts: ServerFacts): Record<string, boolean> {
  return {
    'client_encoding = UTF8': facts.clientEncoding === 'UTF8',
    'DateStyle = ISO': facts.dateStyle.startsWith('ISO'),
    'standard_conforming_strings = on': facts.standardConformingStrings === 'on',
    'bytea_output = hex': facts.byteaOutput === 'hex',
  };
}

/** What will not work on this server, or is not durable, a sentence each. */
export function serverWarnings(
  facts: ServerFacts,
  settings: Pick<Settings, 'DATABASE_POOL_SIZE' | 'WORKERS'>,
  isPooled: boolean,
): string[] {
  const limits = {
    'max_connections - superuser_reserved_connections': facts.maxConnections - facts.reservedConnections,
    'CONNECTION LIMIT of the user': facts.userConnections,
    'CONNECTION LIMIT of the database': facts.databaseConnections,
  };
  return [
    ...durabilityWarnings(facts),
    isPooled ? undefined : connectionsWarning(limits, settings),
    facts.isReadOnly
      ? 'The database server is read-only (a standby, or default_transaction_read_only = on): until it is not, it refuses writes, and nothing can be created'
      : undefined,
    facts.isSchemaOpen
      ? `Each user of the database server may create functions in the schema ${facts.schema}, which statements of the service could call instead of those of PostgreSQL. REVOKE CREATE ON SCHEMA ${facts.schema} FROM PUBLIC`
      : undefined,
  ].filter((sentence) => sentence !== undefined);
}

function durabilityWarnings({ synchronousCommit, fsync, fullPageWrites }: ServerFacts): string[] {
  const off = Object.entries({
    fsync,
    full_page_writes: fullPageWrites,
    synchronous_commit: synchronousCommit,
  })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  return off.map(
    (name) =>
      `The database server has ${name} = off: a crash of its machine loses what was acknowledged${name === 'synchronous_commit' ? '' : ', or the whole database'}. Set it to on`,
  );
}

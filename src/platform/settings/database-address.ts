import type { Parser } from './setting.js';
import type { MysqlAddress } from './server-addresses.js';
import { decoded, hostInUrl, mysqlUrl, showMysqlUrl } from './server-addresses.js';

/** A database of PostgreSQL, and the login. */
export interface PostgresAddress {
  /** Which of them writes is found out by connecting; a host that begins with `/` is the folder of a socket. */
  servers: { host: string; port: number }[];
  username: string;
  password: string;
  database: string;
  encryption: PostgresEncryption;
  /** By which an administrator of the server finds the connections. */
  applicationName: string;
  connectTimeoutSeconds?: number;
}

/** What the parameters of libpq with these names say. */
export interface PostgresEncryption {
  sslmode: SslMode;
  sslrootcert?: string;
  sslcert?: string;
  sslkey?: string;
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** The address of a database server, and the login. */
export type DatabaseAddress = MysqlAddress | PostgresAddress;

export function isPostgresAddress(address: DatabaseAddress): address is PostgresAddress {
  return 'servers' in address;
}

const KNOWN = [
  ...['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['application_name', 'connect_timeout', 'target_session_attrs'],
];
/** A service that creates pushes needs a server that writes, whichever of these is given. */
const TARGETS = ['any', 'read-write', 'primary'];

const POSTGRES_URL = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/**
 * `postgresql://user:password@host:port/database` with the parameters of libpq, also with several hosts, separated by
 * commas, or the folder of a socket: `postgresql:///database?host=/run/postgresql`.
 */
const postgresUrl: Parser = (text): PostgresAddress => {
  const [, login = '', hosts = '', path = '', query = ''] = POSTGRES_URL.exec(text) ?? fail(EXAMPLE);
  const given = parametersOf(query);
  const [username = '', ...password] = login.split(':');
  const database = given.dbname ?? decoded(path);
  const user = given.user ?? decoded(username);
  if (database === '') fail(EXAMPLE);
  if (user === '') fail('must have the name of a user: postgresql://user@host/database');
  const { target_session_attrs: target = 'any', connect_timeout: timeout } = given;
  if (!TARGETS.includes(target)) fail(`must have a target_session_attrs of ${TARGETS.join(', ')}`);
  if (timeout !== undefined && !/^[1-9]\d{0,2}$/.test(timeout))
    fail('must have a connect_timeout of 1 to 999 seconds');
  return {
    servers: serversOf(given.host ?? hosts, given.port),
    username: user,
    password: given.password ?? decoded(password.join(':')),
    database,
    encryption: encryptionOf(given),
    applicationName: given.application_name ?? 'sealpush',
    ...(timeout !== undefined && { connectTimeoutSeconds: Number(timeout) }),
  };
};

/** The address without the login, and without names of files. */
function showPostgresUrl({ servers, database, encryption: { sslmode } }: PostgresAddress): string {
  return `postgresql://${shownServers(servers)}/${database}?sslmode=${sslmode}`;
}

/** `host:port`, separated by commas. */
export function shownServers(servers: PostgresAddress['servers']): string {
  return servers.map(({ host, port }) => `${hostInUrl(host)}:${port}`).join(',');
}

const EXAMPLES = {
  mysql: 'mysql://user:password@host:3306/database',
  postgresql: 'postgresql://user:password@host:5432/database',
};
const EXAMPLE = `must look like ${EXAMPLES.postgresql}`;

/** A URL of one of the servers that can be used. */
export const databaseUrl: Parser = (text): DatabaseAddress => {
  if (/^postgres(ql)?:/.test(text)) return postgresUrl(text) as PostgresAddress;
  if (/^(mysql|mariadb):/.test(text)) return mysqlUrl(text) as MysqlAddress;
  return fail(`must look like ${EXAMPLES.mysql} or ${EXAMPLES.postgresql}`);
};

/** The address without the login. */
export function showDatabaseUrl(address: DatabaseAddress): string {
  return isPostgresAddress(address) ? showPostgresUrl(address) : showMysqlUrl(address);
}

function parametersOf(query: string): Record<string, string> {
  const given = new URLSearchParams(query);
  const unknown = [...given.keys()].find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) fail(`must have no query parameter other than ${KNOWN.join(', ')}`);
  if (new Set(given.keys()).size < given.size) fail('must give each parameter once');
  return Object.fromEntries(given);
}

/** As libpq has it: a list of hosts, each with a port, or one port for all. */
function serversOf(hosts: string, ports?: string): PostgresAddress['servers'] {
  const named = hosts.split(',').map((each) => /^(\[[\da-f:.]+\]|[^:[\]]*)(?::(\d+))?$/i.exec(decoded(each)));
  const separate = ports?.split(',') ?? [];
  if (separate.length > 1 && separate.length !== named.length)
    fail('must have one port for all hosts, or one for each');
  return named.map((match, index) => {
    const [, host = '', port = separate[index] ?? separate[0] ?? '5432'] = match ?? fail(EXAMPLE);
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535) fail(EXAMPLE);
    return { host: host.replace(/^\[|\]$/g, '') || 'localhost', port: Number(port) };
  });
}

/** Without `verify-` it is not checked who the server is. */
function encryptionOf({
  sslrootcert,
  sslmode = sslrootcert === 'system' ? 'verify-full' : 'prefer',
  sslcert,
  sslkey,
}: Record<string, string | undefined>): PostgresEncryption {
  const mode =
    SSL_MODES.find((each) => each === sslmode) ?? fail(`must have an sslmode of ${SSL_MODES.join(', ')}`);
  if (sslrootcert === 'system' && mode !== 'verify-full')
    fail('must have sslmode=verify-full with sslrootcert=system');
  if (mode === 'verify-ca' && sslrootcert === undefined)
    fail('must have sslrootcert with sslmode=verify-ca, or sslmode=verify-full');
  if ((sslcert === undefined) !== (sslkey === undefined))
    fail('must have both sslcert and sslkey, or none of them');
  return { sslmode: mode, sslrootcert, sslcert, sslkey };
}

function fail(message: string): never {
  throw new Error(message);
}

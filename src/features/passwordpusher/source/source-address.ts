import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { MysqlAddress } from '../../../platform/settings/server-addresses.js';
import { mysqlUrl } from '../../../platform/settings/server-addresses.js';
import { Refusal } from '../../../platform/errors/refusal.js';

/** How a connection is encrypted; false is not at all. */
type Encryption = ConnectionOptions | false;

/** A server of PostgreSQL, and the ways to encrypt the connection, which are tried in turn. */
interface PostgresqlAddress {
  type: 'postgresql';
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  encryption: Encryption[];
}

/** The same for MySQL and MariaDB. */
interface MysqlSource {
  type: 'mysql';
  address: MysqlAddress;
  encryption: Encryption[];
}

export type SourceAddress = PostgresqlAddress | MysqlSource;

const EXAMPLES =
  'sqlite:FILE, mysql://user:password@host/database or postgresql://user:password@host/database';

const UNVERIFIED: Encryption = { rejectUnauthorized: false };

/** Parameters of libpq without which a connection is none that was asked for; others change nothing here. */
const REFUSED = [
  ...['hostaddr', 'service', 'servicefile', 'passfile', 'sslpassword', 'sslcrl', 'sslcrldir', 'require_auth'],
  ...['requirepeer', 'requiressl', 'options', 'schema_search_path', 'replication', 'krbsrvname', 'gsslib'],
];
/** Values of parameters that only ask for what is not needed, or for what happens anyway. */
const ONLY: Record<string, string[]> = {
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
  sslnegotiation: ['postgres'],
  target_session_attrs: ['any'],
};

/**
 * Reads the URL of a server as Rails and libpq do. Parameters that only Rails knows, such as `pool`, have no effect.
 * @throws Refusal whose message has no value of the URL but names of files
 */
export function sourceAddress(text: string): SourceAddress {
  const scheme = /^(\w+):/.exec(text)?.[1] ?? '';
  if (/^(postgres|postgresql|postgis)$/.test(scheme)) return postgresqlAddress(text);
  if (/^(mysql2?|trilogy|mariadb)$/.test(scheme)) return mysqlSource(text.replace(scheme, 'mysql'));
  throw new Refusal(`--database must look like ${EXAMPLES}.`);
}

function postgresqlAddress(text: string): PostgresqlAddress {
  const url = URL.parse(text);
  if (!url) throw new Refusal(`--database must look like ${EXAMPLES}, with one host.`);
  const given = parametersOf(url);
  for (const name of REFUSED)
    if (given[name] !== undefined) throw new Refusal(`--database must be given without ${name}.`);
  for (const [name, allowed] of Object.entries(ONLY))
    if (given[name] !== undefined && !allowed.includes(given[name]))
      throw new Refusal(`--database must be given without ${name}, or with ${name}=${allowed.at(-1)}.`);

  const port = Number(given.port ?? (url.port || 5432));
  if (!(port > 0 && port < 65536)) throw new Refusal('--database has a port that is none.');
  return {
    type: 'postgresql',
    host: given.host ?? (decoded(url.hostname).replace(/^\[|\]$/g, '') || 'localhost'),
    port,
    username: given.user ?? decoded(url.username),
    password: given.password ?? decoded(url.password),
    database: given.dbname ?? decoded(url.pathname.slice(1)),
    encryption: encryptionOfPostgresql(given),
  };
}

/** As libpq has it (PostgreSQL, 34.19.1): without `verify-` it is not checked who the server is. */
function encryptionOfPostgresql(given: Record<string, string>): Encryption[] {
  const { sslrootcert, sslmode = sslrootcert === 'system' ? 'verify-full' : 'prefer' } = given;
  const own = ownCertificate(given.sslcert, given.sslkey, 'sslcert and sslkey');
  const unverified = { ...UNVERIFIED, ...own };
  if (sslrootcert === 'system' && sslmode !== 'verify-full')
    throw new Refusal('--database must have sslmode=verify-full with sslrootcert=system.');
  const authority =
    sslrootcert === undefined || sslrootcert === 'system'
      ? {}
      : { ca: contentOf(sslrootcert, 'sslrootcert') };
  const whoeverItIs = { ...authority, ...own, checkServerIdentity: () => undefined };
  switch (sslmode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, unverified];
    case 'prefer':
      return [unverified, false];
    case 'require':
      return [sslrootcert === undefined ? unverified : whoeverItIs];
    case 'verify-ca':
      if (sslrootcert === undefined)
        throw new Refusal('--database must have sslrootcert with sslmode=verify-ca, or sslmode=verify-full.');
      return [whoeverItIs];
    case 'verify-full':
      return [{ ...authority, ...own }];
    default:
      throw new Refusal(
        '--database must have an sslmode of disable, allow, prefer, require, verify-ca or verify-full.',
      );
  }
}

function mysqlSource(text: string): MysqlSource {
  const url = URL.parse(text);
  const { tls, socket, ...given } = url ? parametersOf(url) : {};
  if (socket !== undefined) throw new Refusal('--database must name a host, and no socket.');
  if (url) url.search = tls === undefined ? '' : `?tls=${encodeURIComponent(tls)}`;
  try {
    const address = mysqlUrl(url?.href ?? text) as MysqlAddress;
    return { type: 'mysql', address, encryption: encryptionOfMysql(address, given) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`--database ${(error as Error).message}.`);
  }
}

/** As the adapters of Rails have it. Without any of it the connection is in clear, unless it is `tls=true`. */
function encryptionOfMysql({ tls }: MysqlAddress, given: Record<string, string>): Encryption[] {
  const { sslca = given.ssl_ca, sslcert = given.ssl_cert, sslkey = given.ssl_key } = given;
  const own = ownCertificate(sslcert, sslkey, 'sslcert and sslkey');
  const authority = sslca === undefined ? {} : { ca: contentOf(sslca, 'sslca') };
  const implied = tls || given.sslverify === 'true' ? 'verify_identity' : sslca ? 'verify_ca' : 'disabled';
  const mode = (given.ssl_mode ?? implied).toLowerCase().replace(/^ssl_mode_|^ssl_/, '');
  switch (mode) {
    case 'disabled':
      return [false];
    case 'preferred':
      return [{ ...UNVERIFIED, ...own }, false];
    case 'required':
      return [{ ...UNVERIFIED, ...own }];
    case 'verify_ca':
      return [{ ...authority, ...own, checkServerIdentity: () => undefined }];
    case 'verify_identity':
      return [{ ...authority, ...own }];
    default:
      throw new Refusal(
        '--database must have an ssl_mode of disabled, preferred, required, verify_ca or verify_identity.',
      );
  }
}

function ownCertificate(certFile: string | undefined, keyFile: string | undefined, names: string): object {
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Refusal(`--database must have both ${names}, or none of them.`);
  if (certFile === undefined || keyFile === undefined) return {};
  return { cert: contentOf(certFile, 'sslcert'), key: contentOf(keyFile, 'sslkey') };
}

function contentOf(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Refusal(`The file that ${name} of --database names, ${path}, cannot be read (${code}).`);
  }
}

/** The last one counts of those that are given twice, as for libpq. */
function parametersOf({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries(searchParams);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('--database must have percent signs written as %25.');
  }
}

import { readFileSync } from 'node:fs';
import type { Encryption } from '../../../platform/database/postgres/encryption.js';
import { waysToEncrypt } from '../../../platform/database/postgres/encryption.js';
import type { PostgresAddress } from '../../../platform/settings/database-address.js';
import { databaseUrl } from '../../../platform/settings/database-address.js';
import type { MysqlAddress } from '../../../platform/settings/server-addresses.js';
import { mysqlUrl } from '../../../platform/settings/server-addresses.js';
import { Refusal } from '../../../platform/errors/refusal.js';

/** A server of PostgreSQL, and the ways to encrypt the connection, which are tried in turn. */
interface PostgresqlSource {
  type: 'postgresql';
  address: PostgresAddress;
  encryption: Encryption[];
}

/** The same for MySQL and MariaDB. */
interface MysqlSource {
  type: 'mysql';
  address: MysqlAddress;
  encryption: Encryption[];
}

export type SourceAddress = PostgresqlSource | MysqlSource;

const EXAMPLES =
  'sqlite:FILE, mysql://user:password@host/database or postgresql://user:password@host/database';

const UNVERIFIED: Encryption = { rejectUnauthorized: false };

/** Parameters of libpq that are read. */
const READ = ['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
/** Those without which a connection is none that was asked for; others change nothing here. */
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
  if (/^(postgres|postgresql|postgis)$/.test(scheme))
    return postgresqlSource(text.replace(scheme, 'postgresql'));
  if (/^(mysql2?|trilogy|mariadb)$/.test(scheme)) return mysqlSource(text.replace(scheme, 'mysql'));
  throw new Refusal(`--database must look like ${EXAMPLES}.`);
}

function postgresqlSource(text: string): PostgresqlSource {
  const [location = '', query = ''] = text.split('?', 2);
  const given = parametersOf(new URLSearchParams(query));
  for (const name of REFUSED)
    if (given[name] !== undefined) throw new Refusal(`--database must be given without ${name}.`);
  for (const [name, allowed] of Object.entries(ONLY))
    if (given[name] !== undefined && !allowed.includes(given[name]))
      throw new Refusal(`--database must be given without ${name}, or with ${name}=${allowed.at(-1)}.`);

  const read = new URLSearchParams(Object.entries(given).filter(([name]) => READ.includes(name)));
  const address = asOption(() => databaseUrl(`${location}?${read.toString()}`)) as PostgresAddress;
  if (address.servers.length > 1) throw new Refusal(`--database must look like ${EXAMPLES}, with one host.`);
  return { type: 'postgresql', address, encryption: waysToEncrypt(address.encryption, contentOf) };
}

function mysqlSource(text: string): MysqlSource {
  const url = URL.parse(text);
  const { tls, socket, ...given } = url ? parametersOf(url.searchParams) : {};
  if (socket !== undefined) throw new Refusal('--database must name a host, and no socket.');
  if (url) url.search = tls === undefined ? '' : `?tls=${encodeURIComponent(tls)}`;
  const address = asOption(() => mysqlUrl(url?.href ?? text)) as MysqlAddress;
  return { type: 'mysql', address, encryption: encryptionOfMysql(address, given) };
}

/** What reads the address of a setting says what is wrong without its name. */
function asOption<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
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
function parametersOf(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries(parameters);
}

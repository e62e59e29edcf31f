import type { ConnectionOptions } from 'node:tls';
import type { PostgresEncryption } from '../../settings/database-address.js';
import { databaseErrorCode } from '../errors/database-error.js';

/** How a connection is encrypted; false is not at all. */
export type Encryption = ConnectionOptions | false;

/**
 * The ways to encrypt a connection that libpq would try, in their order.
 * @param contentOf reads the file that a parameter names
 */
export function waysToEncrypt(
  { sslmode, sslrootcert, sslcert, sslkey }: PostgresEncryption,
  contentOf: (path: string, name: string) => string,
): Encryption[] {
  const own =
    sslcert === undefined || sslkey === undefined
      ? {}
      : { cert: contentOf(sslcert, 'sslcert'), key: contentOf(sslkey, 'sslkey') };
  const authority =
    sslrootcert === undefined || sslrootcert === 'system'
      ? {}
      : { ca: contentOf(sslrootcert, 'sslrootcert') };
  const unverified = { rejectUnauthorized: false, ...own };
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
      return [whoeverItIs];
    case 'verify-full':
      return [{ ...authority, ...own }];
  }
}

/** Whether the server accepts the connection only with encryption, or only without. */
export function isAboutEncryption(error: unknown): boolean {
  return databaseErrorCode(error) === '28000' || /\bSSL\b/.test(String(error));
}

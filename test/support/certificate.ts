import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate that is its own authority, and its key. */
export interface Certificate {
  key: Buffer;
  cert: Buffer;
  /** The file that clients need in order to trust it. */
  authorityFile: string;
}

export async function makeCertificate(folder: string, host: string): Promise<Certificate> {
  const [keyFile, authorityFile] = [join(folder, `${host}.key`), join(folder, `${host}.pem`)];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
    ...['-keyout', keyFile, '-out', authorityFile],
  ]);
  return { key: await readFile(keyFile), cert: await readFile(authorityFile), authorityFile };
}

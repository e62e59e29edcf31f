import { randomBytes } from 'node:crypto';

const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');

/** What age makes of a file with a passphrase, except that nobody has the key. */
export function ageFile(contentBytes = 300, workFactor = '18'): Buffer {
  const header = `age-encryption.org/v1\n-> scrypt ${base64(16)} ${workFactor}\n${base64(32)}\n--- ${base64(32)}\n`;
  return Buffer.concat([Buffer.from(header), randomBytes(32 + contentBytes)]);
}

/** The same as text. */
export function armoured(bytes: Buffer, endOfLine = '\n'): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN AGE ENCRYPTED FILE-----', ...lines, '-----END AGE ENCRYPTED FILE-----', ''].join(
    endOfLine,
  );
}

/** A push as a client sends it that has encrypted it (docs/end-to-end.md). */
export function clientEncryptedPush() {
  return {
    client_encrypted: true,
    payload: armoured(ageFile()),
    passphrase: randomBytes(32).toString('base64url'),
  };
}

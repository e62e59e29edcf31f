/** Limits how long a recipient's device, and so a browser, is occupied by one file: 2^20 takes seconds and 1 GiB. */
const MAX_LOG_N = 20;

/** Maximum length of an accepted header, in bytes. */
export const AGE_HEADER_BYTES = 150;

/** 16 and 32 bytes in canonical base64 without padding. */
const SALT = '[A-Za-z0-9+/]{21}[AQgw]';
const BODY = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]';

const HEADER = new RegExp(
  `^age-encryption\\.org/v1\\n-> scrypt ${SALT} ([1-9][0-9]?)\\n${BODY}\\n--- ${BODY}\\n`,
);

export const AGE_REQUIREMENT = `with one scrypt stanza of work factor at most ${MAX_LOG_N}`;

/**
 * Whether bytes begin with the header of an age file that a passphrase opens (https://c2sp.org/age): version, exactly
 * one scrypt stanza, MAC. Such a header can only have 149 or 150 bytes, so no more are read.
 */
export function beginsWithAgeHeader(bytes: Buffer): boolean {
  const logN = HEADER.exec(bytes.toString('latin1', 0, AGE_HEADER_BYTES))?.[1];
  return logN !== undefined && Number(logN) <= MAX_LOG_N;
}

export const RECIPIENT_REQUIREMENT = 'for the recipient of the request';

/**
 * Whether bytes begin like an age file that an identity opens: its first stanza is not one of a passphrase. Whose
 * identity that is cannot be seen.
 */
export function beginsWithRecipientStanza(bytes: Buffer): boolean {
  return /^age-encryption\.org\/v1\n-> (?!scrypt )[!-~]+ [!-~]/.test(
    bytes.toString('latin1', 0, AGE_HEADER_BYTES),
  );
}

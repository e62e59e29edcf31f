const MAX_LENGTH = 300;
/** What of it is looked at for addresses: what is removed may be longer than what is shown. */
const MAX_READ = 1000;
const REMOVED = '***';

/** Parts of a word between which an address may stand, such as those of a URL. */
const ADDRESS_PART = '[^\\s<>()[\\]{}:;,"\'`=&?/|]+';
const ADDRESS = new RegExp(`${ADDRESS_PART}(?:@|[%=+]40)${ADDRESS_PART}`, 'gi');
/** What credentials and parts of them look like when a server repeats what it was sent; longer than ids such as UUIDs. */
const LONG_RUN = /(?:\beyJ[\w-]*\.)?[\w+/=~-]{40,}/g;

interface Unsayable {
  /** Credentials that the server was sent. */
  secrets: string[];
  /** Who a mail goes to. Addresses are only removed if this is given. */
  recipient?: string;
}

/**
 * What a server has said, in one line without control characters, for the operator: without credentials, also parts of
 * long ones, and without addresses of people.
 */
export function serverWords(said: string, { secrets, recipient }: Unsayable): string {
  let line = said;
  for (const secret of sentForms(secrets)) line = line.replaceAll(secret, REMOVED);
  line = cut(line, MAX_READ)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  if (recipient !== undefined) line = withoutAddresses(line, recipient);
  return cut(line.replace(LONG_RUN, REMOVED), MAX_LENGTH);
}

/** Credentials as they are, and in base64 as clients send them; the longest first. */
function sentForms(secrets: string[]): string[] {
  return secrets
    .filter((text) => text !== '')
    .flatMap((text) => [text, Buffer.from(text).toString('base64')])
    .toSorted((one, other) => other.length - one.length);
}

/** Also the part before the `@` alone, in the text after the reply code: `550 5.1.1 User bob is unknown`. */
function withoutAddresses(line: string, recipient: string): string {
  const name = recipient.slice(0, recipient.lastIndexOf('@'));
  const exactly = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return line
    .replace(new RegExp(exactly(recipient), 'giu'), REMOVED)
    .replace(ADDRESS, REMOVED)
    .replace(new RegExp(`(?<!^|[\\p{L}\\p{N}])${exactly(name)}(?![\\p{L}\\p{N}])`, 'giu'), REMOVED);
}

function cut(text: string, length: number): string {
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('');
}

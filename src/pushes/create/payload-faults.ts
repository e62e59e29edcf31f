import type { PushKind } from '../push-kind.js';

/** Characters, of the longest text there can be. */
export const LONGEST_TEXT = 1_048_576;
const LONGEST_URL = 8192;
const LONGEST_QR = 1024;

/** What is wrong with a text of at most `most` characters (Unicode code points); undefined when nothing is. */
export function textFault(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return isLonger(value, most) ? `must have at most ${most} characters` : undefined;
}

/** What is wrong with a payload of this kind. */
export function payloadFault(kind: PushKind, value: unknown): string | undefined {
  switch (kind) {
    case 'url':
      return requiredFault(value) ?? textFault(value, LONGEST_URL) ?? urlFault(value as string);
    case 'qr':
      return requiredFault(value) ?? textFault(value, LONGEST_QR);
    case 'file':
      return value === undefined ? undefined : textFault(value, LONGEST_TEXT);
    default:
      return requiredFault(value) ?? textFault(value, LONGEST_TEXT) ?? blankFault(value as string);
  }
}

function requiredFault(value: unknown): string | undefined {
  return value === undefined || value === '' ? "can't be blank" : undefined;
}

function blankFault(text: string): string | undefined {
  return text.trim() === '' ? "can't be blank" : undefined;
}

/** Only what a browser takes for an address of the web, spelled so that nobody can take it for another. */
function urlFault(text: string): string | undefined {
  const isPlain = /^https?:\/\/[^/\\?#]+([/?#]|$)/i.test(text) && !/[\s\p{Cc}\p{Cf}]/u.test(text);
  return isPlain && URL.canParse(text) ? undefined : 'must be an absolute http or https address';
}

/** A character is one or two code units, so only the length of some texts has to be counted. */
function isLonger(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && countCharacters(text) > most);
}

function countCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs += 1; // the text is well-formed: each has its other half
  }
  return text.length - surrogatePairs;
}

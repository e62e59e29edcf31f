import { textError } from '../platform/http/validation/text-error.js';
import type { PushKind } from './push-kind.js';
import { Problem } from '../platform/errors/problem.js';

/** The maximum length of a text, in characters. */
export const MAX_TEXT = 1_048_576;
const MAX_URL = 8192;
const MAX_QR = 1024;

/** What is wrong with a payload of this kind. */
export function payloadError(kind: PushKind, value: unknown): Problem | undefined {
  switch (kind) {
    case 'url':
      return requiredError(value) ?? textError(value, MAX_URL) ?? urlError(value as string);
    case 'qr':
      return requiredError(value) ?? textError(value, MAX_QR);
    case 'file':
      return value === undefined ? undefined : textError(value, MAX_TEXT);
    default:
      return requiredError(value) ?? textError(value, MAX_TEXT) ?? blankError(value as string);
  }
}

function requiredError(value: unknown): Problem | undefined {
  return value === undefined || value === '' ? new Problem('blank') : undefined;
}

function blankError(text: string): Problem | undefined {
  return text.trim() === '' ? new Problem('blank') : undefined;
}

/** What is wrong with a URL. It must be one that a browser opens, in a form that cannot be mistaken for another one. */
export function urlError(text: string): Problem | undefined {
  const isPlain = /^https?:\/\/[^/\\?#]+([/?#]|$)/i.test(text) && !/[\s\p{Cc}\p{Cf}]/u.test(text);
  if (isPlain && URL.canParse(text)) return undefined;
  return new Problem(/^https?:\S+\s+\S/i.test(text) ? 'web_address_with_space' : 'not_a_web_address');
}

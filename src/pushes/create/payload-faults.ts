import { textFault } from '../../http/text.js';
import type { PushKind } from '../push-kind.js';
import { urlFault } from './url-fault.js';

/** The maximum length of a text, in characters. */
export const MAX_TEXT = 1_048_576;
const MAX_URL = 8192;
const MAX_QR = 1024;

/** What is wrong with a payload of this kind. */
export function payloadFault(kind: PushKind, value: unknown): string | undefined {
  switch (kind) {
    case 'url':
      return requiredFault(value) ?? textFault(value, MAX_URL) ?? urlFault(value as string);
    case 'qr':
      return requiredFault(value) ?? textFault(value, MAX_QR);
    case 'file':
      return value === undefined ? undefined : textFault(value, MAX_TEXT);
    default:
      return requiredFault(value) ?? textFault(value, MAX_TEXT) ?? blankFault(value as string);
  }
}

function requiredFault(value: unknown): string | undefined {
  return value === undefined || value === '' ? "can't be blank" : undefined;
}

function blankFault(text: string): string | undefined {
  return text.trim() === '' ? "can't be blank" : undefined;
}

import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { MIB } from '../../settings/units.js';
import { malformedBody } from './body-errors.js';
import type { FormFields } from './urlencoded.js';

/**
 * Decodes form fields whose values have one character below 256 for each byte. If the parser decoded them, it would
 * replace invalid UTF-8 with U+FFFD, and a secret must be returned exactly as it was sent.
 * @throws BadRequestException when a value is not UTF-8
 */
export async function fieldTexts(fields: FormFields): Promise<FormFields> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string')
      fields[name] = value.length > MIB ? await longText(value) : shortText(value);
    else if (typeof value === 'object') await fieldTexts(value as FormFields);
  }
  return fields;
}

function shortText(characters: string): string {
  const bytes = Buffer.from(characters, 'latin1');
  if (!isUtf8(bytes)) throw malformedBody();
  return bytes.toString();
}

/** Decodes a mebibyte in each turn of the event loop, because it copies the text several times. */
async function longText(characters: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  try {
    for (let start = 0; start < characters.length; start += MIB) {
      await setImmediate();
      const bytes = Buffer.from(characters.slice(start, start + MIB), 'latin1');
      text += decoder.decode(bytes, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    throw malformedBody();
  }
}

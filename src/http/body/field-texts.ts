import { isUtf8 } from 'node:buffer';
import { malformedBody } from './body-errors.js';
import type { FormFields } from './urlencoded.js';

/**
 * Decodes form fields whose values have one character below 256 for each byte. If the parser decoded them, it would
 * replace invalid UTF-8 with U+FFFD, and a secret must be returned exactly as it was sent.
 * @throws BadRequestException when a value is not UTF-8
 */
export function fieldTexts(fields: FormFields): FormFields {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') fields[name] = decoded(value);
    else if (typeof value === 'object') fieldTexts(value as FormFields);
  }
  return fields;
}

function decoded(characters: string): string {
  const bytes = Buffer.from(characters, 'latin1');
  if (!isUtf8(bytes)) throw malformedBody();
  return bytes.toString();
}

import { isUtf8 } from 'node:buffer';
import { malformedBody } from './refusals.js';
import type { FormFields } from './urlencoded.js';

/**
 * The fields of a form of which each value is its bytes, as characters below 256, with the texts that they are. A
 * parser that decodes them itself would put U+FFFD for what is no UTF-8, and a secret must come out as it went in.
 * @throws BadRequestException where they are no UTF-8
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

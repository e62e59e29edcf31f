import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { MIB } from '../../settings/units.js';
import { notUtf8 } from './body-errors.js';

/** `a[b]=c` becomes `{ a: { b: 'c' } }`, and a repeated name has an array. */
export type FormFields = Record<string, unknown>;

/**
 * Decodes form fields whose values have one character below 256 for each byte. If the parser decoded them, it would
 * replace invalid UTF-8 with U+FFFD, and a secret must be returned exactly as it was sent.
 * @throws BadRequestException when a value is not UTF-8
 */
export async function fieldTexts(fields: FormFields): Promise<FormFields> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string')
      fields[name] =
        value.length > MIB ? await longText(slicesOf(value)) : shortText(Buffer.from(value, 'latin1'));
    else if (typeof value === 'object') fields[name] = await fieldTexts(withoutGaps(value) as FormFields);
  }
  return fields;
}

/** A list whose numbers in the names of fields are not those of its items. */
function withoutGaps(value: unknown): unknown {
  return Array.isArray(value) ? Object.values(value) : value;
}

function* slicesOf(characters: string): Generator<Buffer> {
  for (let start = 0; start < characters.length; start += MIB)
    yield Buffer.from(characters.slice(start, start + MIB), 'latin1');
}

/** @throws BadRequestException when the bytes are not UTF-8 */
export function shortText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8();
  return bytes.toString();
}

/**
 * Decodes each of the slices in a turn of the event loop, so that a text of megabytes does not block it.
 * @throws BadRequestException when the slices together are not UTF-8
 */
export async function longText(slices: Iterable<Buffer>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  try {
    for (const slice of slices) {
      text += decoder.decode(slice, { stream: true });
      await setImmediate();
    }
    return text + decoder.decode();
  } catch {
    throw notUtf8();
  }
}

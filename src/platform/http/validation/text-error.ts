import { Problem } from '../../errors/problem.js';

/** A string of JSON that is too long for a text, such as the content of a file in base64. */
export class LongText {
  constructor(readonly pieces: readonly string[]) {}
}

/** What is wrong with a text of at most `max` characters (Unicode code points); undefined when it is valid. */
export function textError(value: unknown, max: number): Problem | undefined {
  const tooLong = () => new Problem('too_long', { count: max });
  if (value instanceof LongText) return tooLong();
  if (typeof value !== 'string') return new Problem('not_a_string');
  if (value.length > 2 * max) return tooLong(); // a code point is one or two code units
  if (!value.isWellFormed()) return new Problem('malformed_text');
  return hasMoreCodePointsThan(max, value) ? tooLong() : undefined;
}

/** The same for one line that must not be blank, such as a name. */
export function lineError(value: string, max: number): Problem | undefined {
  const error = textError(value, max);
  if (error) return error;
  if (!/\S/.test(value)) return new Problem('blank');
  return /\p{Cc}/u.test(value) ? new Problem('control_characters') : undefined;
}

/** Whether a text has more than `max` Unicode code points. Does not count them if it is far longer. */
export function hasMoreCodePointsThan(max: number, text: string): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let codePoints = 0;
  for (let at = 0; at < text.length && codePoints <= max; codePoints++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return codePoints > max;
}

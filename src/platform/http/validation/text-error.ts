import { LongText } from '../body/long-text.js';
import { Problem } from '../../errors/problem.js';

/** What is wrong with a text of at most `max` characters (Unicode code points); undefined when it is valid. */
export function textError(value: unknown, max: number): Problem | undefined {
  const tooLong = () => new Problem('too_long', { count: max });
  if (value instanceof LongText) return tooLong();
  if (typeof value !== 'string') return new Problem('not_a_string');
  if (value.length > 2 * max) return tooLong(); // a character is one or two code units
  if (!value.isWellFormed()) return new Problem('malformed_text');
  return value.length > max && countCharacters(value) > max ? tooLong() : undefined;
}

/** The same for one line that must not be blank, such as a name. */
export function lineError(value: string, max: number): Problem | undefined {
  const error = textError(value, max);
  if (error) return error;
  if (!/\S/.test(value)) return new Problem('blank');
  return /\p{Cc}/u.test(value) ? new Problem('control_characters') : undefined;
}

function countCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs += 1; // the text is well-formed: each has its other half
  }
  return text.length - surrogatePairs;
}

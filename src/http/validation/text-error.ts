import { LongText } from '../body/long-text.js';

/** What is wrong with a text of at most `max` characters (Unicode code points); undefined when it is valid. */
export function textError(value: unknown, max: number): string | undefined {
  const tooLong = `must have at most ${max} characters`;
  if (value instanceof LongText) return tooLong;
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > 2 * max) return tooLong; // a character is one or two code units
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return value.length > max && countCharacters(value) > max ? tooLong : undefined;
}

function countCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs += 1; // the text is well-formed: each has its other half
  }
  return text.length - surrogatePairs;
}

/** What is wrong with a text of at most `max` characters (Unicode code points); undefined when it is valid. */
export function textError(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  return isLonger(value, max) ? `must have at most ${max} characters` : undefined;
}

/** A character is one or two code units, so characters have to be counted only for some lengths. */
function isLonger(text: string, max: number): boolean {
  return text.length > 2 * max || (text.length > max && countCharacters(text) > max);
}

function countCharacters(text: string): number {
  let surrogatePairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs += 1; // the text is well-formed: each has its other half
  }
  return text.length - surrogatePairs;
}

/** Whether a text has more than `max` Unicode code points. Does not count them if it is far longer. */
export function hasMoreCodePointsThan(max: number, text: string): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || Array.from(text).length > max;
}

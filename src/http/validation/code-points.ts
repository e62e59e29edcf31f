/** Whether a text has more than `most` Unicode code points. Does not count them if it is far longer. */
export function hasMoreCodePointsThan(most: number, text: string): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}

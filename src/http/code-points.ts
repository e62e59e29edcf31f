/** Whether a text has more Unicode code points than that, without counting those of one that is far longer. */
export function hasMoreCodePointsThan(most: number, text: string): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}

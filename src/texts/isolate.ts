/**
 * A text as a part of a sentence in the other direction, in Unicode's isolates (UAX #9). A URL is left as it is, because
 * programs would take them as a part of it.
 */
export function isolate(text: string): string {
  return /^\w+:\/\//.test(text) ? text : `\u2068${text}\u2069`;
}

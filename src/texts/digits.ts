/**
 * The locale with the digits of our texts. Regions that share a language write others: 12 is ١٢ in Egypt, and numbers
 * from a script would differ from those in the sentences around them.
 */
export function withDigits(locale: string): string {
  return new Intl.Locale(locale, { numberingSystem: 'latn' }).toString();
}

/** Finds a text in others, whatever their case and Unicode form. */
export class TextSearch {
  private readonly wanted: string;

  constructor(text: string) {
    this.wanted = foldCase(text);
  }

  matches(text: string): boolean {
    return foldCase(text).includes(this.wanted);
  }
}

/** Converts to upper case, because lower case depends on the place in a word (sigma) and distinguishes ß from ss. */
function foldCase(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toUpperCase();
  return text.normalize('NFKC').toUpperCase().normalize('NFKC');
}

/**
 * Characters that could end a line, send a command to a terminal, or change the order in which text is shown: control
 * and format characters, line and paragraph separators, and halves of surrogate pairs.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** One line of text without such characters: they are escaped, as `\n` or `\u{202e}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}` : escaped;
  });
}

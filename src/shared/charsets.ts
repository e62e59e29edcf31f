import { ASCII_LETTERS } from './generator.js';

/** The scripts whose letters a password can be made of. */
export const CHARSETS = ['ascii', 'latin', 'cyrillic', 'greek'] as const;
export type Charset = (typeof CHARSETS)[number];

/** In lower case. */
export const LETTERS: Record<Charset, string> = {
  ascii: ASCII_LETTERS,
  latin: `${ASCII_LETTERS}àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ`,
  cyrillic: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  greek: 'αβγδεζηθικλμνξοπρστυφχψω',
};

import { ASCII_LETTERS, characterClasses, Passwords } from '../../shared/generator.js';

const WORDS = 2 ** 32;

const LETTERS_AND_DIGITS = {
  letters: ASCII_LETTERS,
  uppercase: true,
  lowercase: true,
  digits: true,
  avoidAmbiguous: true,
  minDigits: 1,
  minSymbols: 1,
};

/** Uniformly distributed: random numbers that would favour some results are discarded. */
export function randomBelow(bound: number): number {
  const limit = WORDS - (WORDS % bound);
  for (;;) {
    const [word = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (word < limit) return word % bound;
  }
}

/** A password without characters that are easily confused, and with at least one of each class. */
export function randomPassword(length: number, symbols: boolean): string {
  const classes = characterClasses({ ...LETTERS_AND_DIGITS, symbols });
  return new Passwords(classes, length).next(randomBelow);
}

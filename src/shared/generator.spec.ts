import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CHARSETS, LETTERS } from './charsets.js';
import {
  ASCII_LETTERS,
  characterClasses,
  passphraseBits,
  passphraseOf,
  Passwords,
  WORD_LANGUAGES,
} from './generator.js';

const ALL = {
  letters: ASCII_LETTERS,
  uppercase: true,
  lowercase: true,
  digits: true,
  symbols: true,
  avoidAmbiguous: false,
  minDigits: 1,
  minSymbols: 1,
};
const MANY = 2000;

describe('Generated passwords', () => {
  it('are each equally likely, and their entropy is the logarithm of their number', () => {
    const classes = [
      { characters: ['x', 'y'], min: 1 },
      { characters: ['0'], min: 1 },
    ];
    const passwords = new Passwords(classes, 3);
    const counts = new Map<string, number>();
    for (let i = 0; i < MANY; i++) {
      const password = passwords.next(randomInt);
      counts.set(password, (counts.get(password) ?? 0) + 1);
    }

    const possible = 3 ** 3 - 2 ** 3 - 1; // without those of letters alone, and without 000
    expect(passwords.entropyBits).toBeCloseTo(Math.log2(possible), 10);
    expect([...counts.keys()].filter((password) => !/^[xy0]{3}$/.test(password))).toEqual([]);
    expect(counts.size).toBe(possible);
    for (const count of counts.values()) expect(Math.abs(count - MANY / possible)).toBeLessThan(70); // 6.7 sigma
  });

  it('have as many digits and symbols as they must, also when there is room for nothing else', () => {
    const classes = characterClasses({ ...ALL, minDigits: 60, minSymbols: 66 });
    const password = new Passwords(classes, 128).next(randomInt);

    expect(password.match(/\d/g)).toHaveLength(60);
    expect(password.match(/[-_.+!?]/g)).toHaveLength(66);
    expect(password.match(/[a-z]/g)).toHaveLength(1);
    expect(password.match(/[A-Z]/g)).toHaveLength(1);
  });

  it('have an entropy that is that of independent characters where none is required', () => {
    const one = [{ characters: [...'abcdefgh'], min: 0 }];

    expect(new Passwords(one, 128).entropyBits).toBeCloseTo(3 * 128, 8);
  });

  it.each(CHARSETS)('of %s have letters of both cases', (charset) => {
    const [lower, upper] = characterClasses({ ...ALL, letters: LETTERS[charset] });

    expect(lower?.characters.every((one) => /^\p{Ll}$/u.test(one))).toBe(true);
    expect(upper?.characters.every((one) => /^\p{Lu}$/u.test(one))).toBe(true);
    expect(new Set(upper?.characters).size).toBe(lower?.characters.length);
  });

  it('avoid characters that are easily confused', () => {
    const characters = characterClasses({ ...ALL, avoidAmbiguous: true }).flatMap((one) => one.characters);

    expect(characters.filter((one) => 'Il1O0o'.includes(one))).toEqual([]);
    expect(characters).toHaveLength(26 + 26 + 10 + 6 - 6);
  });
});

describe('Generated passphrases', () => {
  const RULES = { wordCount: 3, separator: ' ', capitalize: true, number: true, symbol: true };
  const listOf = (language: string) =>
    readFileSync(`dist/client/words-${language}.txt`, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));

  it.each(WORD_LANGUAGES)('in %s are unambiguous, because no word begins with another one', (language) => {
    const words = listOf(language);
    const all = new Set(words);
    const ambiguous = words.filter((word) =>
      Array.from(word).some((_, index) => index > 0 && all.has(word.slice(0, index))),
    );

    expect(ambiguous).toEqual([]);
    expect(all.size).toBe(words.length);
    expect(words.length).toBeGreaterThan(1900);
    expect(words.filter((word) => !/^[\p{Ll}-]+$/u.test(word) || word.normalize('NFC') !== word)).toEqual([]);
  });

  it('are written as their rules say, and have the entropy of what was chosen', () => {
    expect(passphraseOf(['ábaco'], RULES, randomInt)).toMatch(/^Ábaco Ábaco Ábaco\d\d[!@#$%^&*]$/);
    expect(passphraseBits(2048, RULES)).toBeCloseTo(33 + Math.log2(100) + 3, 10);
  });
});

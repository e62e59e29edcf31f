/** Returns a random integer from 0 to below a bound, each equally likely. */
type RandomBelow = (bound: number) => number;

export const GENERATED_TYPES = ['password', 'passphrase', 'pin'] as const;
export type GeneratedType = (typeof GENERATED_TYPES)[number];

/** The languages of passphrases: those that have a list of words. */
export const WORD_LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'cs', 'pt'] as const;
export type WordLanguage = (typeof WORD_LANGUAGES)[number];

/** Characters of which a password has at least `min`. */
export interface CharacterClass {
  characters: string[];
  min: number;
}

export const ASCII_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
/** Typed easily, and accepted nearly everywhere. */
const PASSWORD_SYMBOLS = '-_.+!?';
/** Characters that are easily confused with each other. */
const AMBIGUOUS = 'Il1O0o';

const PASSPHRASE_SYMBOLS = '!@#$%^&*';
/** Two digits. */
const NUMBERS = 100;

interface PasswordClasses {
  /** In lower case. */
  letters: string;
  uppercase: boolean;
  lowercase: boolean;
  digits: boolean;
  symbols: boolean;
  avoidAmbiguous: boolean;
  minDigits: number;
  minSymbols: number;
}

/** The classes of characters that were chosen, of each of which a password has at least one. */
export function characterClasses(chosen: PasswordClasses): CharacterClass[] {
  const some = (isChosen: boolean, characters: string, min: number): CharacterClass[] => {
    const usable = Array.from(characters).filter((one) => !chosen.avoidAmbiguous || !AMBIGUOUS.includes(one));
    return isChosen ? [{ characters: usable, min: Math.max(min, 1) }] : [];
  };
  return [
    ...some(chosen.lowercase, chosen.letters, 1),
    ...some(chosen.uppercase, chosen.letters.toUpperCase(), 1),
    ...some(chosen.digits, DIGITS, chosen.minDigits),
    ...some(chosen.symbols, PASSWORD_SYMBOLS, chosen.minSymbols),
  ];
}

/** Passwords of a length and of some classes of characters, each equally likely. */
export class Passwords {
  /** For each class, and each number of characters left for it and for those after it: how many ways there are. */
  private readonly ways: bigint[][];

  /** @param length at least the sum of what the classes have at least */
  constructor(
    private readonly classes: CharacterClass[],
    private readonly length: number,
  ) {
    this.ways = countWays(classes, length);
  }

  /** The binary logarithm of their number. */
  get entropyBits(): number {
    return log2(this.ways[0]?.[this.length] ?? 1n);
  }

  next(randomBelow: RandomBelow): string {
    let left = this.length;
    const characters = this.classes.flatMap(({ characters, min }, index) => {
      const counts = waysWith(characters.length, this.ways[index + 1] ?? [], left, min);
      const count = min + pick(counts, randomBelow);
      left -= count;
      return Array.from({ length: count }, () => characters[randomBelow(characters.length)] ?? '');
    });
    return shuffled(characters, randomBelow).join('');
  }
}

function countWays(classes: CharacterClass[], length: number): bigint[][] {
  const none = Array.from({ length: length + 1 }, (_, left) => (left === 0 ? 1n : 0n));
  return classes.reduceRight<bigint[][]>(
    ([next = none, ...later], { characters, min }) => {
      const ways = Array.from({ length: length + 1 }, (_, left) =>
        waysWith(characters.length, next, left, min).reduce((sum, one) => sum + one, 0n),
      );
      return [ways, next, ...later];
    },
    [none],
  );
}

/** In how many ways `left` positions are filled, for each number of them from `min` on that has a character of a class. */
function waysWith(size: number, next: bigint[], left: number, min: number): bigint[] {
  const found: bigint[] = [];
  let combinations = 1n; // of `count` positions out of `left`, times the characters at them
  for (let count = 0; count <= left; count++) {
    if (count >= min) found.push(combinations * (next[left - count] ?? 0n));
    combinations = (combinations * BigInt(left - count) * BigInt(size)) / BigInt(count + 1);
  }
  return found;
}

/** The index of a weight, each with a probability in proportion to it. */
function pick(weights: bigint[], randomBelow: RandomBelow): number {
  let at = bigRandomBelow(
    weights.reduce((sum, weight) => sum + weight, 0n),
    randomBelow,
  );
  return weights.findIndex((weight) => (at -= weight) < 0n);
}

const WORD_BITS = 32;

/** Uniformly distributed: numbers at or above the bound are discarded. */
function bigRandomBelow(bound: bigint, randomBelow: RandomBelow): bigint {
  const bits = bound.toString(2).length;
  for (;;) {
    let number = 0n;
    for (let have = 0; have < bits; have += WORD_BITS)
      number = (number << 32n) | BigInt(randomBelow(2 ** WORD_BITS));
    number >>= BigInt((WORD_BITS - (bits % WORD_BITS)) % WORD_BITS);
    if (number < bound) return number;
  }
}

/** By the algorithm of Fisher and Yates. */
function shuffled<T>(items: T[], randomBelow: RandomBelow): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = randomBelow(last + 1);
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
  return items;
}

/** Of any number from 1 on. */
function log2(number: bigint): number {
  const bits = number.toString(2).length;
  const shift = Math.max(0, bits - 53);
  return Math.log2(Number(number >> BigInt(shift))) + shift;
}

/** The language of the words for a language such as `pt-BR`: English if it has no list. */
export function wordLanguage(language: string): WordLanguage {
  return WORD_LANGUAGES.find((one) => one === language.split('-')[0]) ?? 'en';
}

/** How many words make a passphrase of more than 64 bits: English and German have 7,776 of them, the others 2,048. */
export function usualWordCount(language: WordLanguage): number {
  return language === 'en' || language === 'de' ? 5 : 6;
}

interface PassphraseRules {
  wordCount: number;
  separator: string;
  capitalize: boolean;
  number: boolean;
  symbol: boolean;
}

/** Words with a separator between them, and at the end, if chosen, two digits and a symbol. */
export function passphraseOf(words: string[], rules: PassphraseRules, randomBelow: RandomBelow): string {
  const chosen = Array.from({ length: rules.wordCount }, () => words[randomBelow(words.length)] ?? '');
  const written = chosen.map((word) => (rules.capitalize ? capitalized(word) : word)).join(rules.separator);
  const number = rules.number ? String(randomBelow(NUMBERS)).padStart(2, '0') : '';
  const symbol = rules.symbol ? PASSPHRASE_SYMBOLS.charAt(randomBelow(PASSPHRASE_SYMBOLS.length)) : '';
  return written + number + symbol;
}

/**
 * The binary logarithm of the number of passphrases. No two choices of words are written alike, with any separator,
 * because no word of a list begins with another one.
 */
export function passphraseBits(listed: number, { wordCount, number, symbol }: PassphraseRules): number {
  return (
    wordCount * Math.log2(listed) +
    (number ? Math.log2(NUMBERS) : 0) +
    (symbol ? Math.log2(PASSPHRASE_SYMBOLS.length) : 0)
  );
}

function capitalized(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { GeneratorProblem } from './generator.problems.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { RateLimiter } from '../../platform/limits/rate-limiter.js';
import type { Charset } from '../../shared/charsets.js';
import { CHARSETS, LETTERS } from '../../shared/charsets.js';
import { GeneratorSettings } from './generator.settings.js';
import type { CharacterClass, WordLanguage } from '../../shared/generator.js';
import {
  characterClasses,
  GENERATED_TYPES,
  passphraseBits,
  passphraseOf,
  Passwords,
  WORD_LANGUAGES,
} from '../../shared/generator.js';
import type { GeneratedDto } from './generate.dto.js';
import { Choices, refusal } from './generate.dto.js';

/** Of the lists of words, which the pages load too. */
const FOLDER = join(__dirname, '../../../dist/client');
const lists = new Map<WordLanguage, string[]>();
/** For an account or an address. */
const ALLOWANCE = { name: 'generate:', limit: 30, problem: new GeneratorProblem('too_many_generated') };
const MAX_SEPARATOR = 8;
const DIGITS: CharacterClass = { characters: [...'0123456789'], min: 0 };

/** Generates passwords, passphrases and PINs by rules that a request chooses; what it does not say are settings. */
@Injectable()
export class GeneratorService {
  constructor(
    private readonly settings: GeneratorSettings,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts a request, before its body is read.
   * @throws TooManyRequests
   */
  async assertNotTooOften({ userId, ip }: Visitor): Promise<void> {
    if (userId === undefined) await this.limiter.admit(ALLOWANCE, clientNetworks(ip));
    else await this.limiter.admitAccount(ALLOWANCE, userId);
  }

  /** @throws UnprocessableEntityException */
  generate(fields: Record<string, unknown>): GeneratedDto {
    const chosen = new Choices(fields);
    const type = chosen.oneOf('type', GENERATED_TYPES, this.settings.GENERATOR_TYPE, (text) =>
      refusal(new GeneratorProblem('generator_type_unknown', { type: text })),
    );
    const count = chosen.integer('count', 1, 10, 1);
    switch (type) {
      case 'password':
        return { type, ...results(count, this.passwords(chosen)) };
      case 'pin':
        return { type, ...results(count, this.pins(chosen)) };
      case 'passphrase':
        return { type, ...this.passphrases(chosen, count) };
    }
  }

  private pins(chosen: Choices): Passwords {
    return new Passwords([DIGITS], chosen.integer('length', 4, 12, this.settings.GENERATOR_PIN_LENGTH));
  }

  private passwords(chosen: Choices): Passwords {
    const length = chosen.integer('length', 4, 128, this.settings.GENERATOR_LENGTH);
    const classes = this.classes(chosen);
    if (classes.length === 0) throw refusal(new GeneratorProblem('generator_no_class'));
    if (classes.reduce((sum, { min }) => sum + min, 0) > length)
      throw refusal(new GeneratorProblem('generator_too_short'));
    return new Passwords(classes, length);
  }

  private classes(chosen: Choices): CharacterClass[] {
    const { settings } = this;
    const options = {
      uppercase: chosen.boolean('uppercase', settings.GENERATOR_UPPERCASE),
      lowercase: chosen.boolean('lowercase', settings.GENERATOR_LOWERCASE),
      digits: chosen.boolean('digits', settings.GENERATOR_DIGITS),
      symbols: chosen.boolean('symbols', settings.GENERATOR_SYMBOLS),
      avoidAmbiguous: chosen.boolean('avoid_ambiguous', settings.GENERATOR_AVOID_AMBIGUOUS),
      minDigits: chosen.least('min_digits', 1),
      minSymbols: chosen.least('min_symbols', 1),
    };
    const charset = chosen.text('charset') ?? settings.GENERATOR_CHARSET;
    return isCharset(charset)
      ? characterClasses({ letters: LETTERS[charset], ...options })
      : [ownClass(charset)];
  }

  private passphrases(chosen: Choices, count: number): Omit<GeneratedDto, 'type'> {
    const { settings } = this;
    const language = chosen.oneOf('language', WORD_LANGUAGES, settings.GENERATOR_LANGUAGE, (text) =>
      refusal(new GeneratorProblem('generator_language_unknown', { language: text })),
    );
    const rules = {
      wordCount: chosen.integer('word_count', 3, 10, settings.GENERATOR_WORDS),
      separator: chosen.text('separator') ?? settings.GENERATOR_SEPARATOR,
      capitalize: chosen.boolean('capitalize', settings.GENERATOR_CAPITALIZE),
      number: chosen.boolean('number', settings.GENERATOR_NUMBER),
      symbol: chosen.boolean('symbol', settings.GENERATOR_SYMBOL),
    };
    if (Array.from(rules.separator).length > MAX_SEPARATOR)
      throw refusal(new GeneratorProblem('generator_separator_too_long'));
    const words = wordsOf(language);
    const next = () => passphraseOf(words, rules, randomInt);
    return { language, ...results(count, { entropyBits: passphraseBits(words.length, rules), next }) };
  }
}

interface Generator {
  entropyBits: number;
  next: (randomBelow: typeof randomInt) => string;
}

function results(count: number, generator: Generator): Pick<GeneratedDto, 'entropy_bits' | 'results'> {
  return {
    entropy_bits: Math.round(generator.entropyBits * 10) / 10,
    results: Array.from({ length: count }, () => generator.next(randomInt)),
  };
}

function isCharset(text: string): text is Charset {
  return (CHARSETS as readonly string[]).includes(text);
}

/** The different characters of a text, of which a password needs none in particular. */
function ownClass(text: string): CharacterClass {
  if (text === '') throw refusal(new GeneratorProblem('generator_no_characters'));
  return { characters: [...new Set(text)], min: 0 };
}

/** The words of a language, none of which begins with another one; read at the first use. */
function wordsOf(language: WordLanguage): string[] {
  const known = lists.get(language);
  if (known) return known;

  const lines = readFileSync(join(FOLDER, `words-${language}.txt`), 'utf8').split('\n');
  const words = lines.filter((line) => line !== '' && !line.startsWith('#'));
  lists.set(language, words);
  return words;
}

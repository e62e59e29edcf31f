import { declareCrossChecks } from '../../platform/settings/cross-checks.js';
import { flag, line, oneOf, wholeNumber } from '../../platform/settings/parsers.js';
import { Setting, shown } from '../../platform/settings/setting.js';
import type { Charset } from '../../shared/charsets.js';
import { CHARSETS } from '../../shared/charsets.js';
import type { GeneratedType, WordLanguage } from '../../shared/generator.js';
import { GENERATED_TYPES, WORD_LANGUAGES } from '../../shared/generator.js';

export class GeneratorSettings {
  // Generator

  /** What POST /api/v2/generate makes when it is not told. */
  @Setting(oneOf(...GENERATED_TYPES)) GENERATOR_TYPE: GeneratedType = 'password';
  /** Characters of a password. */
  @Setting(wholeNumber(4, 128)) GENERATOR_LENGTH: number = 20;
  /** Digits of a PIN. */
  @Setting(wholeNumber(4, 12)) GENERATOR_PIN_LENGTH: number = 6;
  /** The letters of which passwords are made. */
  @Setting(oneOf(...CHARSETS)) GENERATOR_CHARSET: Charset = 'ascii';
  /** Whether passwords have uppercase letters; at least one of these four must be true. */
  @Setting(flag) GENERATOR_UPPERCASE: boolean = true;
  /** Whether passwords have lowercase letters. */
  @Setting(flag) GENERATOR_LOWERCASE: boolean = true;
  /** Whether passwords have digits. */
  @Setting(flag) GENERATOR_DIGITS: boolean = true;
  /** Whether passwords have symbols. */
  @Setting(flag) GENERATOR_SYMBOLS: boolean = true;
  /** Whether passwords are without `I l 1 O 0 o`. */
  @Setting(flag) GENERATOR_AVOID_AMBIGUOUS: boolean = true;
  /** The language of the words of a passphrase. */
  @Setting(oneOf(...WORD_LANGUAGES)) GENERATOR_LANGUAGE: WordLanguage = 'en';
  /** Words of a passphrase. */
  @Setting(wholeNumber(3, 10)) GENERATOR_WORDS: number = 5;
  /** What stands between the words of a passphrase; at most 8 characters. */
  @Setting(shown(line(8))) GENERATOR_SEPARATOR: string = '-';
  /** Whether each word of a passphrase begins with an uppercase letter. */
  @Setting(flag) GENERATOR_CAPITALIZE: boolean = false;
  /** Whether a passphrase has two digits at its end. */
  @Setting(flag) GENERATOR_NUMBER: boolean = false;
  /** Whether a passphrase has a symbol at its end. */
  @Setting(flag) GENERATOR_SYMBOL: boolean = false;
}

declareCrossChecks(GeneratorSettings, {
  GENERATOR_LOWERCASE: (settings) =>
    !settings.GENERATOR_UPPERCASE &&
    !settings.GENERATOR_LOWERCASE &&
    !settings.GENERATOR_DIGITS &&
    !settings.GENERATOR_SYMBOLS &&
    'must be true when the other classes of characters are false',
});

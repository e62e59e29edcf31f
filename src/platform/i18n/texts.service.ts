import { Injectable } from '@nestjs/common';
import { Settings } from '../settings/settings.js';
import { catalogueOf } from '../../texts/catalogue.js';
import type { Language } from '../../texts/languages.js';
import { languageOfTag } from '../../texts/languages.js';
import { Translator } from '../../texts/translator.js';

/** The texts in the languages that the operator offers, with the operator's own sentences among them. */
@Injectable()
export class TextsService {
  readonly languages: readonly Language[];
  readonly defaultLanguage: Language;
  private readonly translators = new Map<Language, Translator>();

  constructor(private readonly settings: Settings) {
    const { LANGUAGES, DEFAULT_LANGUAGE } = settings;
    this.languages = LANGUAGES;
    this.defaultLanguage = DEFAULT_LANGUAGE ?? LANGUAGES[0] ?? 'en';
  }

  /** The texts in a language; in the default one if it is not offered. */
  in(language: Language | null | undefined): Translator {
    const offered = this.offered(language) ?? this.defaultLanguage;
    const translator = this.translators.get(offered) ?? this.translatorFor(offered);
    this.translators.set(offered, translator);
    return translator;
  }

  /** The texts in the language of the first tag (RFC 5646) that is one of an offered language. */
  inLanguageOf(...tags: (string | undefined)[]): Translator {
    return this.in(this.languageOf(...tags));
  }

  /** The offered language of the first tag (RFC 5646) that is one of such. */
  languageOf(...tags: (string | undefined)[]): Language | undefined {
    return tags
      .map((tag) => this.offered(languageOfTag(tag ?? '')))
      .find((language) => language !== undefined);
  }

  private offered(language: Language | null | undefined): Language | undefined {
    return language && this.languages.includes(language) ? language : undefined;
  }

  private translatorFor(language: Language): Translator {
    return new Translator(language, { ...catalogueOf(language), ...this.settings.TEXTS_FILE?.[language] });
  }
}

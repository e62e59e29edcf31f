interface LanguageOfPages {
  /** The name in the language itself. */
  name: string;
  /** The locale for times and numbers, where it is not the code. */
  locale?: string;
  direction?: 'rtl';
}

/** The languages of the pages, whose texts are in `locales/` (docs/translating.md). */
const ALL = {
  en: { name: 'English', locale: 'en-GB' },
  de: { name: 'Deutsch' },
  fr: { name: 'Français' },
  es: { name: 'Español' },
  it: { name: 'Italiano' },
  nl: { name: 'Nederlands' },
  pl: { name: 'Polski' },
  'pt-BR': { name: 'Português (Brasil)' },
  cs: { name: 'Čeština' },
  ja: { name: '日本語' },
  'zh-CN': { name: '简体中文' },
  ar: { name: 'العربية', direction: 'rtl' },
} satisfies Record<string, LanguageOfPages>;

export type Language = keyof typeof ALL;

export const LANGUAGES: Readonly<Record<Language, LanguageOfPages>> = ALL;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

export function isLanguage(code: unknown): code is Language {
  return (LANGUAGE_CODES as unknown[]).includes(code);
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return LANGUAGES[language].direction ?? 'ltr';
}

const TAG = /^([a-z]{2,3})([-_][a-z0-9]{2,8})*$/i;
const MAX_TAG = 35;

/**
 * The language of a tag such as `de`, `de-AT`, `pt` or `zh_Hans` (RFC 5646): the very one, otherwise the same language of
 * another region. Undefined when there are no texts in it.
 */
export function languageOfTag(tag: string): Language | undefined {
  if (tag.length > MAX_TAG || !TAG.test(tag.trim())) return undefined;
  const wanted = tag.trim().toLowerCase().replaceAll('_', '-');
  const [base] = wanted.split('-');
  return (
    LANGUAGE_CODES.find((code) => code.toLowerCase() === wanted) ??
    LANGUAGE_CODES.find((code) => code.split('-')[0] === base)
  );
}

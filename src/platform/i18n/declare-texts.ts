import { addTexts, catalogueOf } from '../../texts/catalogue.js';
import type { Language } from '../../texts/languages.js';
import { isLanguage, LANGUAGE_CODES } from '../../texts/languages.js';
import { faultOf, parametersOf } from '../../texts/message.js';
import type { DeclaredText, ParametersIn } from '../../texts/text-types.js';
import { StartError } from '../settings/start-error.js';

type Texts = Readonly<Record<string, string>>;

/** What a language lacks is shown in English. */
type InOtherLanguages<Name extends string> = Partial<
  Record<Exclude<Language, 'en'>, Partial<Record<Name, string>>>
>;

/**
 * Declares the texts of a module, by language and name, in ICU MessageFormat. Returns their keys by name: that of the
 * module, a dot and that of the text. The type of each has the parameters of its text.
 * @throws StartError that says what is wrong with each text
 */
export function declareTexts<const English extends Texts>(
  module: string,
  texts: { en: English } & InOtherLanguages<keyof English & string>,
): { readonly [Name in keyof English]: DeclaredText<ParametersIn<English[Name]>> } {
  const byLanguage = Object.entries(texts as Record<string, Texts>);
  const faults = isTaken(module)
    ? ['another module has this name']
    : byLanguage.flatMap(([language, own]) => faultsIn(language, own, texts.en));
  if (faults.length > 0) throw new StartError(`The texts of ${module}: ${faults.join('; ')}`);

  const keyOf = (name: string) => `${module}.${name}`;
  for (const [language, own] of byLanguage) {
    const byKey = Object.entries(own).map(([name, text]) => [keyOf(name), text] as const);
    addTexts(language as Language, Object.fromEntries(byKey));
  }
  return Object.fromEntries(Object.keys(texts.en).map((name) => [name, keyOf(name)])) as never;
}

function isTaken(module: string): boolean {
  return Object.keys(catalogueOf('en')).some((key) => key.startsWith(`${module}.`));
}

function faultsIn(language: string, texts: Texts, english: Texts): string[] {
  if (!isLanguage(language)) return [`${language} is none of ${LANGUAGE_CODES.join(', ')}`];
  return Object.entries(texts).flatMap(([name, text]) => {
    const fault = faultOf(name, text, english) ?? lackOf(text, english[name]);
    return fault === undefined ? [] : [`${language}, ${name}: ${fault}`];
  });
}

function lackOf(text: string, original = ''): string | undefined {
  const own = parametersOf(text);
  const lacking = [...parametersOf(original).keys()].find((name) => !own.has(name));
  return lacking === undefined ? undefined : `the text lacks the parameter ${lacking}`;
}

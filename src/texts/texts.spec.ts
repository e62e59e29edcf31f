import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import ts from 'typescript';
import { readCatalogue } from './catalogue.js';
import { LANGUAGE_CODES } from './languages.js';
import { allElements, parametersOf } from './message.js';
import type { TextKey } from './text-parameters.js';
import { Translator } from './translator.js';
import { makeFolder } from '../../test/support/folder.js';

const FOLDER = 'src/texts/locales';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.ts$|^texts\/text-parameters\.ts$/.test(path))
  .map((path) => join('src', path));

const fileOf = (language: string) => join(FOLDER, `${language}.json`);
const textsIn = (language: string): Record<string, string> => readCatalogue(fileOf(language));

type Head = Partial<Record<'@@locale' | '@@x-glossary' | '@@x-same-as-english' | '@@x-long-buttons', string>>;
const headOf = (language: string) => JSON.parse(readFileSync(fileOf(language), 'utf8')) as Head;

const english = textsIn('en');
const KEYS = Object.keys(english) as TextKey[];

/** Names that are the same in every language. */
const NAMES = ['Sealpush', 'Content-Type', 'JSON'];

/** What is on buttons, tabs and folds of pages. */
const buttons = new Set(sources.flatMap((path) => buttonTexts(readFileSync(path, 'utf8'))));
const BUTTONS = KEYS.filter((key) => buttons.has(key));

it('A text that is empty, as tools write it before it is translated, counts as missing', async () => {
  const folder = await makeFolder();
  const texts = '{"@@locale": "sv", "site.signIn": "", "site.signUp": "Skapa konto"}';

  expect(readCatalogue(folder.file(texts, 'sv.json'))).toEqual({ 'site.signUp': 'Skapa konto' });
  await folder.destroy();
});

it.each(readdirSync(FOLDER))('The catalogue %s belongs to a language in languages.ts', (file) => {
  expect(LANGUAGE_CODES).toContain(file.replace('.json', ''));
});

// Each test lists all keys that it finds fault with, and what is wrong.
describe.each(LANGUAGE_CODES)('The texts in %s', (language) => {
  const texts = textsIn(language);

  const faults = (faultOf: (text: string, original: string) => string | undefined) =>
    Object.entries(texts).flatMap(([key, text]) => {
      const fault = faultOf(text, english[key] ?? '');
      return fault === undefined ? [] : [`${key}: ${fault}`];
    });

  /** Those of the texts that are messages; the others have a test of their own. */
  const faultsOfMessages = (faultOf: (text: string, original: string) => string | undefined) =>
    faults((text, original) => (syntaxFaultOf(text) === undefined ? faultOf(text, original) : undefined));

  it('are all there', () => {
    expect(KEYS.filter((key) => !texts[key])).toEqual([]);
  });

  it('have keys of the English catalogue, each once', () => {
    const keys = [...readFileSync(fileOf(language), 'utf8').matchAll(/^\s*"([^"]+)": "/gm)].map(
      ([, key]) => key,
    );
    const twice = keys.filter((key, index) => keys.indexOf(key) !== index && key !== 'description');

    expect([...Object.keys(texts).filter((key) => !(key in english)), ...twice]).toEqual([]);
  });

  it('are valid messages', () => {
    expect(faults(syntaxFaultOf)).toEqual([]);
  });

  it('have no straight apostrophe, which is a special character', () => {
    expect(faults((text) => (text.includes("'") ? text : undefined))).toEqual([]);
  });

  it('have the parameters of the English ones', () => {
    const differing = faultsOfMessages((text, original) => {
      const [own, expected] = [parameterNames(text), parameterNames(original)].map((names) =>
        names.join(' '),
      );
      return own === expected ? undefined : `has ${own || 'none'} instead of ${expected || 'none'}`;
    });

    expect(differing).toEqual([]);
  });

  it('use only numbers as numbers', () => {
    const misused = faultsOfMessages((text, original) => {
      const known = parametersOf(original);
      return [...parametersOf(text)].find(
        ([name, type]) => type === 'number' && known.get(name) !== 'number',
      )?.[0];
    });

    expect(misused).toEqual([]);
  });

  it('have each plural form of the language', () => {
    const forms = [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort().join(' ');
    const lacking = faultsOfMessages((text) => {
      const others = pluralsIn(text)
        .map(formsOf)
        .filter((own) => own !== forms);
      return others.length > 0 ? `has ${others[0]} instead of ${forms}` : undefined;
    });

    expect(lacking).toEqual([]);
  });

  it('have no space at their ends', () => {
    expect(faults((text) => (text.trim() === text ? undefined : text))).toEqual([]);
  });

  it('for browser scripts can be formatted there, and cannot end the element that they are in', () => {
    const keys = KEYS.filter((key) => key.startsWith('script.'));

    expect(new Translator(language).scriptTexts(keys)).not.toContain('<');
  });
});

describe.each(LANGUAGE_CODES)('The head of the texts in %s', (language) => {
  const head = headOf(language);

  it('has the code of the language, and a glossary of its own', () => {
    expect(head['@@locale']).toBe(language);
    expect(head['@@x-glossary']).toMatch(/^secret: /);
    if (language !== 'en') expect(head['@@x-glossary']).not.toBe(headOf('en')['@@x-glossary']);
  });

  if (language === 'en') return;
  const texts = textsIn(language);

  it('lists the texts that are the same as in English', () => {
    const same = KEYS.filter((key) => texts[key] === english[key] && /\p{L}{2}/u.test(wordsOf(english[key])));

    expect(head['@@x-same-as-english'] ?? '').toBe(same.join(', '));
  });

  it('lists the buttons that are much longer than in English, which somebody has then looked at', () => {
    const long = BUTTONS.filter((key) => (texts[key]?.length ?? 0) > (english[key]?.length ?? 0) * 1.6 + 4);

    expect(head['@@x-long-buttons'] ?? '').toBe(long.join(', '));
  });
});

it('The types are those of the English catalogue, and the other catalogues have its order', () => {
  execFileSync('npm', ['run', '-s', 'texts', '--', '--check'], { shell: process.platform === 'win32' });
});

describe('The English catalogue', () => {
  it('has no text that nothing uses', () => {
    const code = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
    const isUsed = (key: string) =>
      code.includes(`'${key}'`) ||
      code.includes(`"${key}"`) ||
      /^(kind|audit|instanceAudit|filter|linkMail|tokens\.scope)\./.test(key);

    expect(KEYS.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('has every text of views and browser scripts', () => {
    const files = sources.filter((path) => /\.tsx$|\/client\//.test(path));
    const literal = files.flatMap((path) => literalTexts(path).map((text) => `${path}: ${text}`));

    expect(files.length).toBeGreaterThan(20);
    expect(literal).toEqual([]);
  });

  it.each([
    ['<p>Hello</p>', ['Hello']],
    ['<p title="Say it">{t.text("a.b")}</p>', ['Say it']],
    ["<p>{isLast ? 'End' : null}</p>", ['End']],
    ["button.textContent = 'Copied'", ['Copied']],
    ["show(form, 'Try again')", ['Try again']],
    ['<a href="/a/b" class="a b">{t.text("a.b")} · {count}</a>', []],
  ])('is needed for the texts in %s', (code, texts) => {
    expect(literalTextsIn(`const x = () => { ${code}; };`.replace(/\{ </, '{ return <'))).toEqual(texts);
  });
});

/** A message without its parameters. */
function wordsOf(text = ''): string {
  return text.replace(/\{\w+(, number)?\}/g, '');
}

/** The keys of the texts of buttons and of the headings of folded parts. */
function buttonTexts(code: string): TextKey[] {
  const file = ts.createSourceFile('x.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node, isButton: boolean): void => {
    if (isButton && ts.isStringLiteral(node)) found.push(node.text);
    const isOne =
      (ts.isJsxElement(node) && /^(button|summary|\w*Button)$/.test(node.openingElement.tagName.getText())) ||
      (ts.isJsxAttribute(node) && node.name.getText() === 'submit');
    ts.forEachChild(node, (child) => {
      visit(child, isButton || isOne);
    });
  };
  visit(file, false);
  return found.filter((key): key is TextKey => key in english);
}

function parameterNames(text: string): string[] {
  return [...parametersOf(text)].map(([name, type]) => (type === 'Markup' ? `<${name}>` : name)).sort();
}

function syntaxFaultOf(text: string): string | undefined {
  try {
    parametersOf(text);
    return undefined;
  } catch (error) {
    return `${(error as Error).message}: ${text}`;
  }
}

/** The plural forms that a message has, without those for single numbers. */
function formsOf(options: object): string {
  return Object.keys(options)
    .filter((form) => !form.startsWith('='))
    .sort()
    .join(' ');
}

function pluralsIn(text: string): object[] {
  const isPlural = (element: MessageFormatElement) => element.type === TYPE.plural;
  return allElements(parse(text))
    .filter(isPlural)
    .map(({ options }) => options);
}

function literalTexts(path: string): string[] {
  return literalTextsIn(readFileSync(path, 'utf8'));
}

/** Text between tags, and strings that read like a sentence or are in an attribute that people read. */
function literalTextsIn(code: string): string[] {
  const file = ts.createSourceFile('x.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) found.push(node.text.trim());
    if (isString(node) && (isRead(node) || looksLikeSentence(node.text))) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter((text) => !NAMES.includes(text) && !(text in english));
}

const isString = (node: ts.Node): node is ts.StringLiteralLike => ts.isStringLiteralLike(node);

function isRead(node: ts.StringLiteralLike): boolean {
  if (!/\p{L}/u.test(node.text)) return false;
  const { parent } = node;
  if (ts.isJsxAttribute(parent))
    return /^(title|label|hint|alt|placeholder|aria-label)$/.test(parent.name.getText());
  if (ts.isBinaryExpression(parent)) return parent.left.getText().endsWith('.textContent');
  const around = ts.isConditionalExpression(parent) && parent.condition !== node ? parent.parent : parent;
  return ts.isJsxExpression(around) && !ts.isJsxAttribute(around.parent);
}

function looksLikeSentence(text: string): boolean {
  return /^\p{Lu}\p{L}*( \p{L}+)+/u.test(text);
}

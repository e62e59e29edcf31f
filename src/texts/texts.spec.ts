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

const FOLDER = 'src/texts/locales';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.ts$|^texts\/text-parameters\.ts$/.test(path))
  .map((path) => join('src', path));

const fileOf = (language: string) => join(FOLDER, `${language}.json`);
const textsIn = (language: string): Record<string, string> => readCatalogue(fileOf(language));

/** The keys that a catalogue lists in its head. */
function listedIn(language: string, name: '@@x-same-as-english' | '@@x-long-buttons'): string[] {
  const head = JSON.parse(readFileSync(fileOf(language), 'utf8')) as Partial<Record<string, string>>;
  return head[name]?.split(', ') ?? [];
}

const english = textsIn('en');
const KEYS = Object.keys(english) as TextKey[];

/** Names that are the same in every language. */
const NAMES = ['Sealpush', 'Content-Type', 'JSON'];

/** What is on buttons, tabs and folds of pages. */
const BUTTONS = [...new Set(sources.flatMap((path) => buttonTexts(readFileSync(path, 'utf8'))))];

it.each(readdirSync(FOLDER))('The catalogue %s belongs to a language', (file) => {
  expect(LANGUAGE_CODES).toContain(file.replace('.json', ''));
});

describe.each(LANGUAGE_CODES)('The texts in %s', (language) => {
  const texts = textsIn(language);
  const entries = Object.entries(texts) as [TextKey, string][];

  it('are those of the English catalogue, in the same order', () => {
    expect(Object.keys(texts)).toEqual(KEYS);
  });

  it('are messages with the same parameters', () => {
    for (const [key, text] of entries)
      expect([key, parameterNames(text)]).toEqual([key, parameterNames(english[key] ?? '')]);
  });

  it('use only numbers as numbers', () => {
    const misused = entries.filter(([key, text]) => {
      const known = parametersOf(english[key] ?? '');
      return [...parametersOf(text)].some(
        ([name, type]) => type === 'number' && known.get(name) !== 'number',
      );
    });

    expect(misused).toEqual([]);
  });

  it('have each plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;

    for (const [key, text] of entries)
      for (const options of pluralsIn(text))
        expect([
          key,
          Object.keys(options)
            .filter((form) => !form.startsWith('='))
            .sort(),
        ]).toEqual([key, [...forms].sort()]);
  });

  it('are not empty, and have no space at their ends', () => {
    expect(entries.filter(([, text]) => text === '' || text.trim() !== text)).toEqual([]);
  });

  it('for browser scripts can be formatted there, and cannot end the element that they are in', () => {
    expect(new Translator(language).scriptTexts).not.toContain('<');
  });
});

describe.each(LANGUAGE_CODES.filter((language) => language !== 'en'))('The translation to %s', (language) => {
  const texts = textsIn(language);

  it('is in English only where its head says that the words are the same', () => {
    const same = KEYS.filter((key) => texts[key] === english[key] && /\p{L}{2}/u.test(wordsOf(english[key])));

    expect(same.join(', ')).toEqual(listedIn(language, '@@x-same-as-english').join(', '));
  });

  it('has short buttons, except where its head says that somebody has looked at them', () => {
    const long = BUTTONS.filter((key) => (texts[key]?.length ?? 0) > (english[key]?.length ?? 0) * 1.6 + 4);

    expect(long.join(', ')).toEqual(listedIn(language, '@@x-long-buttons').join(', '));
  });
});

it('The types of the texts are those of the English catalogue', () => {
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
      (ts.isJsxElement(node) && /^(button|summary)$/.test(node.openingElement.tagName.getText())) ||
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

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import ts from 'typescript';
import type { TextKey } from './en.js';
import { en } from './en.js';
import { LANGUAGE_CODES, LANGUAGES } from './languages.js';
import { Translator } from './translator.js';

const KEYS = Object.keys(en) as TextKey[];

/** Names that are the same in every language. */
const NAMES = ['Sealpush', 'Content-Type', 'JSON'];

describe.each(LANGUAGE_CODES)('The texts in %s', (language) => {
  const { texts, locale } = LANGUAGES[language];

  it('use the same values as in English', () => {
    for (const key of KEYS) {
      expect([key, valuesIn(texts[key], locale)]).toEqual([key, valuesIn(en[key], 'en')]);
    }
  });

  it('are not empty, and have no space at their ends', () => {
    expect(KEYS.filter((key) => texts[key] === '' || texts[key].trim() !== texts[key])).toEqual([]);
  });

  it('for browser scripts have no value but a plain one', () => {
    const ofScripts = KEYS.filter((key) => key.startsWith('script.'));

    expect(ofScripts.filter((key) => /[{<]/.test(texts[key].replaceAll(/\{\w+\}/g, '')))).toEqual([]);
  });

  it('for browser scripts cannot end the element that they are in', () => {
    expect(new Translator(language).scriptTexts).not.toContain('<');
  });
});

describe('The catalogue', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.ts$|^texts\/(en|de)\.ts$/.test(path))
    .map((path) => join('src', path));

  it('has no text that nothing uses', () => {
    const code = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
    const isUsed = (key: string) =>
      code.includes(`'${key}'`) ||
      code.includes(`"${key}"`) ||
      /^(kind|audit|instanceAudit|filter|linkMail|tokens\.scope)\./.test(key);

    expect(KEYS.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('has every text of views and browser scripts', () => {
    const files = sources.filter((path) => /\/(views|client|docs)\//.test(path));
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

function valuesIn(text: string, locale: string): string[] {
  const found = new Set<string>();
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(collect);
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { type?: number; value?: unknown };
    if (type !== undefined && type !== 0 && typeof value === 'string') found.add(value);
    Object.values(node).forEach(collect);
  };
  collect(new IntlMessageFormat(text, locale).getAst());
  return [...found].sort();
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
  return found.filter((text) => !NAMES.includes(text));
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

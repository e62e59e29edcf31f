import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { errorText, hasErrorText } from './error-texts.js';
import { LANGUAGE_CODES } from '../../texts/languages.js';
import { translatorFor } from '../../texts/translator.js';

/** Their messages may be on a page. */
const FOLDERS = ['auth', 'files', 'http', 'pushes', 'sealing', 'throttling', 'web', 'webhooks'];

/** Messages that only the API and the commands show. */
const NEVER_ON_PAGES = [
  'This account was created by signing up, and the owner of its email address has not been ',
  'passphrase must be given once.',
  'X-Push-Passphrase must be percent-encoded UTF-8.',
  'must stand for 7 to 7 days',
  'must be an array of objects with filename, content in base64 and, if known, content_type',
  'The first administrator needs a password.',
  'must be a locale, such as en or de',
  'Use --existing if you know whose account it is.',
  'The file has no such range.',
  'Only the owner may read the audit log.',
  'after must be the id of an entry of the audit log, or 0',
  'limit must be a whole number from 1 to 7',
  'Only the owner may delete this push. A valid API token is needed.',
  'Only the owner may delete this push.',
];

describe('The messages of the rules', () => {
  const messages = FOLDERS.flatMap((folder) =>
    readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.spec.ts'))
      .flatMap((path) => messagesIn(join('src', folder, path))),
  );

  it('each have a text in the language of the page', () => {
    const without = messages.filter(
      (message) => !hasErrorText(message) && !NEVER_ON_PAGES.some((other) => message.startsWith(other)),
    );

    expect(messages.length).toBeGreaterThan(60);
    expect(without).toEqual([]);
  });

  it('have texts whose values are known', () => {
    for (const message of messages.filter(hasErrorText)) {
      for (const language of LANGUAGE_CODES) {
        expect(errorText(message, translatorFor(language))).not.toMatch(/NaN|undefined|\{/);
      }
    }
  });

  it.each([
    ['must be a whole number from 1 to 1000', 'Geben Sie eine ganze Zahl von 1 bis 1.000 ein.'],
    ['must have at most 10485760 bytes each', 'Eine Datei darf höchstens 10,4 MB groß sein.'],
    ['must be at most 1 files', 'Wählen Sie nur eine Datei.'],
    [
      'must be one of those enabled here: text, qr',
      'Das ist hier nicht verfügbar. Verfügbar: Text, QR-Code.',
    ],
  ])('%s is shown in German as %s', (message, text) => {
    expect(errorText(message, translatorFor('de'))).toBe(text);
  });

  it('are shown as they are if an added module has its own', () => {
    expect(errorText('Ask Ann first.', translatorFor('de'))).toBe('Ask Ann first.');
  });
});

/**
 * The messages of exceptions, and what rules return: strings in the arguments of exceptions, in `message`, and in what
 * ends with `error` or is a getter. Numbers stand for what is inserted.
 */
function messagesIn(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && isSentence(text) && isMessage(node)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `7${literal.text}`).join('');
}

/** More than one word. */
function isSentence(text: string): boolean {
  return /\p{L} \p{L}/u.test(text);
}

function isMessage(node: ts.Node): boolean {
  for (let around: ts.Node = node.parent; !ts.isSourceFile(around); around = around.parent) {
    if (ts.isNewExpression(around))
      return /(Exception|TooManyRequests|AccountError)$/.test(around.expression.getText());
    if (
      ts.isCallExpression(around) &&
      /^(super|Rule|refusal|unauthorized|unprocessable)$/.test(around.expression.getText())
    )
      return true;
    if (ts.isPropertyAssignment(around) && /^(message)$/.test(around.name.getText())) return true;
    if (ts.isFunctionDeclaration(around)) return /error$/i.test(around.name?.text ?? '');
    if (ts.isGetAccessor(around)) return true;
  }
  return false;
}

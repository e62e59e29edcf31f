import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ERROR_TEXTS, errorText, numbersIn } from './error-texts.js';
import { LANGUAGE_CODES } from '../../texts/languages.js';
import { translatorFor } from '../../texts/translator.js';

/** Nothing in these responds to a request of a page. */
const WITHOUT_PAGES = ['commands', 'database', 'health', 'settings', 'texts', 'workers'];

/** The wording of messages: a sentence, or what is wrong with a field. */
const MESSAGE =
  /^\p{Lu}.* .*\.\s*$|^([\w-]+ )?must .|^(can't be|cannot be|is not|are not|need an?|has|contains|The maximum|You can) ./su;

/** Messages that only the API and the commands show. */
const NEVER_ON_PAGES = [
  'This account was created by signing up, and the owner of its email address has not been ',
  'Use --existing if you know whose account it is.',
  'passphrase must be given once.',
  'X-Push-Passphrase must be percent-encoded UTF-8.',
  'must stand for 7 to 7 days',
  'must be an array of objects with filename, content in base64 and, if known, content_type',
  'The first administrator needs a password.',
  'is not available',
  'is not allowed for unknown users',
  'Recipient(s) are added to the queue to be sent.',
  'Not sent to 7',
  'is not within the available options',
  'The file has no such range.',
  'Only the owner may read the audit log.',
  'after must be the id of an entry of the audit log, or 0',
  'limit must be a whole number from 1 to 7',
  'Only the owner may delete this push. A valid API token is needed.',
  'Only the owner may delete this push.',
  'The request cannot be read: 7.',
  'The client has disconnected.',
];

describe('The messages of the rules', () => {
  const messages = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.ts$|error-texts\.ts$/.test(path))
    .filter((path) => !WITHOUT_PAGES.includes(path.split('/')[0] ?? ''))
    .flatMap((path) => messagesIn(join('src', path)));

  it('each have a text in the language of the page', () => {
    const without = messages.filter(
      (message) => !hasErrorText(message) && !NEVER_ON_PAGES.some((other) => message.startsWith(other)),
    );

    expect(without).toEqual([]);
  });

  it('are all found by this test, and none of the texts is for a message that has changed', () => {
    const unused = ERROR_TEXTS.filter(
      ([pattern]) => !messages.some((message) => numbersIn(message, pattern)),
    );

    expect(unused).toEqual([]);
    expect(NEVER_ON_PAGES.filter((other) => !messages.some((message) => message.startsWith(other)))).toEqual(
      [],
    );
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

function hasErrorText(message: string): boolean {
  return ERROR_TEXTS.some(([pattern]) => numbersIn(message, pattern));
}

/**
 * The strings of a file that are worded like a message: rules return them, exceptions have them and constants hold them,
 * so the wording is all that they have in common. Sevens stand for what is inserted.
 */
function messagesIn(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isInternalError(node)) return;
    const text = textOf(node);
    if (text !== undefined && MESSAGE.test(text)) found.push(text);
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

/** These are never in a response. */
function isInternalError(node: ts.Node): boolean {
  return ts.isNewExpression(node) && /^(Error|StartError)$/.test(node.expression.getText());
}

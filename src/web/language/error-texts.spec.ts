import '../../app.module.js'; // declares the problems of all features
import { HttpException } from '@nestjs/common';
import { apiText, pageTextKey, Problem, problemCodes, problemOf } from '../../platform/errors/problem.js';
import { LANGUAGE_CODES } from '../../texts/languages.js';
import { Translator } from '../../texts/translator.js';
import { errorText } from './error-texts.js';

/** A problem with exactly those parameters that its message has, and the entry, which only texts of pages name. */
function withParameters(code: string): Problem {
  const problem = Object.assign(
    Object.create(Object.getPrototypeOf(new Problem('blank')) as object) as Problem,
    { code },
  );
  const values: Record<string, unknown> = { entry: 'text' };
  const recorded = new Proxy(values, {
    get: (_, name: string) => (values[name] ??= /s$/.test(name) && name !== 'bytes' ? ['text', 'url'] : 7),
  });
  apiText(Object.assign(problem, { values: recorded }));
  return Object.assign(problem, { values });
}

describe('The text of a problem', () => {
  it.each(LANGUAGE_CODES)('has only parameters that the problem has, in %s', (language) => {
    const texts = new Translator(language);

    for (const code of problemCodes())
      expect(errorText(withParameters(code), texts)).not.toMatch(/NaN|undefined|\{/);
  });

  it.each([
    [new Problem('out_of_range', { min: 1, max: 1000 }), 'Geben Sie eine ganze Zahl von 1 bis 1.000 ein.'],
    [new Problem('file_too_large', { bytes: 10_485_760 }), 'Eine Datei darf höchstens 10\u00a0MB groß sein.'],
    [new Problem('too_many_files', { count: 1 }), 'Wählen Sie nur eine Datei.'],
    [
      new Problem('not_open_yet', { at: '2026-12-01T09:00:00.000Z' }),
      'Es lässt sich frühestens öffnen: 01.12.2026, 09:00 UTC. Kommen Sie dann wieder.',
    ],
    [
      new Problem('kind_disabled', { kinds: ['text', 'qr'] }),
      'Das ist hier nicht verfügbar. Verfügbar: Text und QR-Code.',
    ],
  ])('is in the language of the page, as in case %#', (problem, text) => {
    expect(errorText(problem, new Translator('de'))).toBe(text);
  });

  it('is the message of the API where pages have none of their own', () => {
    const problem = new Problem('range_not_satisfiable');

    expect(pageTextKey(problem)).toBeNull();
    expect(errorText(problem, new Translator('de'))).toBe(apiText(problem));
  });

  it('is the message of the exception in an added module', () => {
    const problem = problemOf(new HttpException('Ask Ann first.', 403));

    expect(errorText(problem, new Translator('de'))).toBe('Ask Ann first.');
  });
});

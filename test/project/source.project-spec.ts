import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The source files of the server, without specs. */
const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('spec.ts'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));

const thatHave = (pattern: RegExp) =>
  SOURCES.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('The source', () => {
  it('reads and decrypts the payload of a push in one place, which counts the view (A11)', () => {
    expect(thatHave(/\bfindWithPayload\(|\bpushSeal\.unseal\(/i).sort()).toEqual([
      'pushes/push/push.repository.ts', // defines it
      'pushes/retrieve/retrievals.service.ts',
    ]);
    expect(thatHave(/\b(PushSeal|PushRepository)\b/)).not.toContainEqual(
      expect.stringMatching(/^(web|features|files)\//),
    );
  });

  it('of pushes names no answer to a request, and no request for a secret', () => {
    expect(thatHave(/answer|secret-?request/i).filter((path) => path.startsWith('pushes/'))).toEqual([]);
  });

  it('has a rule for each property of a DTO: none is accepted unchecked', () => {
    expect(thatHave(/@Allow\(|\bvalidationPipe\.transform\(/)).toEqual([]);
  });

  it('says in one way which fields of a request are not valid', () => {
    expect(thatHave(/new UnprocessableEntityException\(/).sort()).toEqual([
      'features/generator/generate.dto.ts', // whose error names no field
      'platform/http/validation/validation.pipe.ts',
    ]);
  });

  it('makes a response of an error in one place, and a form that is shown again in another', () => {
    expect(thatHave(/instanceof (?!DOMException)\w*Exception\b/).sort()).toEqual([
      'platform/http/body/multipart-form.ts', // ends the reading at once by an error of ours
      'platform/http/errors/errors.filter.ts', // every response that is an error
      'pushes/create/creations.service.ts', // looks whether the account of a refused push still exists
      'pushes/owner-lists/own-pushes.service.ts', // of several pushes, one was removed in the meantime
      'web/forms/form.ts', // every form that is shown again
    ]);
    expect(thatHave(/\.getStatus\(/).sort()).toEqual([
      'platform/http/errors/errors.filter.ts',
      'platform/http/errors/retry-after.ts',
      'web/forms/form.ts',
      'web/web-error-pages.tsx', // the pages of the filter
    ]);
  });

  it('catches no error in a page, but where something else than a form or an error page follows', () => {
    expect(thatHave(/\bcatch\b *[({]/).filter((path) => path.endsWith('.page.tsx'))).toEqual([
      'features/oidc/provider-sign-in.page.tsx', // the sign-in page with what went wrong at the provider
      'web/sender/sign-in-first.page.tsx', // what could be read of a form
    ]);
  });

  it('sets the body of a request only where a form is read', () => {
    expect(thatHave(/request\.body \??\??=[^=]/).sort()).toEqual([
      'platform/http/body/multipart-form.ts',
      'web/forms/form.ts',
      'web/owner/delete-several.page.tsx',
    ]);
  });

  it('has no parameter of a route that is validated by a type-only import: the pipe would create a function (E7)', () => {
    const built = readdirSync('dist', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.js'))
      .map((path) => readFileSync(join('dist', path), 'utf8'));
    const methods = built.flatMap(
      (text) => text.match(/__decorate\(\[[^]*?\], \w+\.prototype, "\w+", null\)/g) ?? [],
    );
    const wrong = methods.filter((method) => {
      const types = /"design:paramtypes", \[([^\]]*)\]/.exec(method)?.[1]?.split(/,\s*/) ?? [];
      const validated = [...method.matchAll(/__param\((\d+), \(0, common_\d+\.(?:Param|Query|Body)\)/g)];
      return validated.some(([, index]) => types[Number(index)] === 'Function');
    });

    expect(methods.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('parses IP addresses in one place, which takes no odd form of them (B2, N12)', () => {
    expect(thatHave(/from 'ipaddr\.js'/)).toEqual(['platform/settings/networks.ts']);
  });

  it('rounds a wait to seconds, and sets the header that tells it, in one place', () => {
    const ofServer = ({ path }: { path: string }) => !path.startsWith('client/');
    const setters = SOURCES.filter(ofServer).filter(({ text }) => /['"]Retry-After/i.test(text));
    expect(setters.map(({ path }) => path)).toEqual(['platform/http/errors/retry-after.ts']);
    expect(thatHave(/\bwholeSeconds\(/).sort()).toEqual([
      'platform/http/errors/not-yet.ts',
      'platform/http/errors/retry-after.ts',
      'platform/http/errors/too-many-requests.ts',
    ]);
    expect(thatHave(/\bnew TooManyRequests\([^;]*?(?:Math\.|SECONDS|\/ (?:1000|SECOND_MS))/)).toEqual([]);
  });

  it('runs no external command, and loads only code with a fixed name or in MODULES (E7, E8)', () => {
    expect(SOURCES.length).toBeGreaterThan(150);
    expect(thatHave(/child_process|node:vm\b|(?<![.\w])eval\(|\bnew Function\b/)).toEqual([]);
    expect(thatHave(/\b(require|import)\((?!'[^']+'\))/)).toEqual(['start/load-modules.ts']); // those that MODULES names
  });
});

import { forAllTests } from '../support/for-tests.js';
import { document, errorsOf, errorsOfExamples, paths } from '../support/openapi.js';
import { routesOf } from '../support/routes.js';
import { startApp } from '../support/start-app.js';

const FOR_PROGRAMS = [
  /^\/(api($|\/v[12]\/)|files\/(?!all\/)|up$|ready$)/,
  /\.json$/,
  /^\/[fr]\//,
  /^\/:locale\//,
  /^\/(p\/:url_token(\/r)?\/preview|api_tokens|help\/api)$/,
];

describe('openapi.json', () => {
  const running = forAllTests(startApp);

  it('is checked in a way that detects responses that differ from it', () => {
    const answer = { status: 200, headers: new Headers({ 'X-Request-Id': '1' }), body: { up: true } };

    expect(errorsOf('get', '/up', answer)).toEqual([]);
    expect(errorsOf('get', '/up', { ...answer, headers: new Headers() })).toEqual(['no header X-Request-Id']);
    expect(errorsOf('get', '/up', { ...answer, body: { up: false } })).toHaveLength(1);
    expect(errorsOf('get', '/up', { ...answer, body: { up: true, also: 1 } })).toHaveLength(1);
    expect(errorsOf('get', '/up', { ...answer, status: 418 })).toHaveLength(1);
    expect(errorsOf('get', '/ready', { ...answer, status: 503, body: { error: '' } })).toEqual([
      'no header Retry-After',
    ]);
  });

  it('is served as in the repository', async () => {
    const { headers, body } = await running.anonymous.get('/api/v2/openapi.json');

    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual(document);
  });

  it('describes all routes of the API except documentation pages, and the pages that clients use', () => {
    const described = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    const routes = routesOf(running.app)
      .filter(({ path }) => FOR_PROGRAMS.some((pattern) => pattern.test(path)))
      .map(({ method, path }) => `${method} ${path.replace(/\/openapi$/, '/openapi.json')}`);

    expect(described.sort()).toEqual(routes.sort());
  });

  it('has a separate tag for version 1, and a unique id for each operation', () => {
    const ofV1 = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.values<any>(item).flatMap(({ tags }) => (tags.includes('v1') ? [path] : [])),
    );
    const names = Object.values<object>(document.paths).flatMap((item) =>
      Object.values<any>(item).map(({ operationId }) => operationId),
    );

    expect(ofV1).toHaveLength(26);
    for (const path of ofV1) expect(path).toMatch(/^(\/[pfr](\/.+)?\.json|\/api\/v1\/version)$/);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has a summary, a description, security and examples for every operation', () => {
    const operations = Object.values<any>(document.paths).flatMap((item) =>
      Object.values<any>(item as object),
    );

    for (const { summary, description, security = document.security } of operations) {
      expect(summary).toMatch(/^[A-Z].+\.$/);
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect(security).not.toHaveLength(0);
    }
    expect(errorsOfExamples()).toEqual([]);
  });

  it('refers to each of its components, and to no others', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g);
    const components = Object.entries<object>(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `${kind}/${name}`));
    const named = ['schemas/AuditLineDto']; // of lines of text

    expect([...new Set([...references].map(([, name]) => name)), ...named].sort()).toEqual(components.sort());
  });
});

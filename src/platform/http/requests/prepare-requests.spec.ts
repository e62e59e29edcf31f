import { growthOfTime, LINEAR } from '../../../../test/support/growth-of-time.js';
import { basePathRemover, hasDecodablePath, normalizePath } from './prepare-requests.js';

const TOKEN = 'aaaaaaaaaaaaaaaaaaaaaa';

describe('A path of a request', () => {
  it.each([
    ['/api', '/api'],
    ['/api/', '/api'],
    ['/api.json', '/api'],
    ['/api.json/', '/api'],
    ['//api//v2///version', '/api/v2/version'],
    ['/api/v2/version.json/', '/api/v2/version'],
    ['/api/v1/version.json', '/api/v1/version'],
    [`//p//${TOKEN}.json/`, `/p/${TOKEN}.json`],
    ['/p.json/', '/p.json'],
    ['//api//%/', '/api/%'],
  ])('of the API, %s, is the route %s', (path, route) => {
    expect(normalizePath(path)).toBe(route);
  });

  it.each([
    ['/', '/'],
    ['//', '/'],
    [`//p/${TOKEN}`, `/p/${TOKEN}`],
    [`/p/${TOKEN}/`, `/p/${TOKEN}`],
    [`/p//${TOKEN}//r//`, `/p/${TOKEN}/r`],
    [`//en//p/${TOKEN}/`, `/en/p/${TOKEN}`],
    ['/users//sign_in/', '/users/sign_in'],
    ['//evil.example/p', '/evil.example/p'],
    [`/p/${TOKEN}%23key`, `/p/${TOKEN}`],
    [`//p/${TOKEN}/r/%2523key/`, `/p/${TOKEN}/r`],
    [`/p/${TOKEN}%252523key%zz?a%23b`, `/p/${TOKEN}?a%23b`],
    [`/p/${TOKEN}%24key`, `/p/${TOKEN}%24key`],
    [`/requests/${TOKEN}%23key`, `/requests/${TOKEN}`],
    [`/requests/${TOKEN}%2523key`, `/requests/${TOKEN}`],
    [`/x/${TOKEN}%23key`, `/x/${TOKEN}%23key`],
  ])('of a page, %s, is the route %s', (path, route) => {
    expect(normalizePath(path)).toBe(route);
  });

  it.each(['en', 'fr', 'pt-BR', 'zh-CN'])('of the legacy API may begin with the locale %s', (locale) => {
    for (const route of [
      '/p.json',
      '/f.json',
      '/r.json',
      `/p/${TOKEN}.json`,
      `/f/${TOKEN}/preview.json`,
      `/r/${TOKEN}/audit.json`,
      '/p/active.json',
      '/f/expired.json',
      '/api/v1/version',
    ]) {
      expect(normalizePath(`/${locale}${route}`)).toBe(route);
      expect(normalizePath(`//${locale}/${route}/`)).toBe(route);
    }
    expect(normalizePath(`/${locale}/api/v1/version.json`)).toBe('/api/v1/version');
  });

  it.each([
    '/apis',
    '/apix.json',
    '/nothing.json',
    '*',
    'http://example.org//p',
    `/en/p/${TOKEN}`,
    '/en/api/v2/version',
    '/en/api',
    '/en/up',
    '/e/p.json',
    '/eng/p.json',
    '/EN/p.json',
    '/en-us/p.json',
    '/en_US/p.json',
    '/en-USA/p.json',
    '/en/fr/p.json',
    '/en/x/p.json',
    '/en/s.json',
    '/en.json',
  ])('%s is not changed', (path) => {
    expect(normalizePath(path)).toBe(path);
  });

  it.each([
    ['/api/v2/pushes.json?page=1', '/api/v2/pushes?page=1'],
    ['/api/v2/pushes/?passphrase=a//b.json/', '/api/v2/pushes?passphrase=a//b.json/'],
    ['/api/v2/pushes?a?b//c', '/api/v2/pushes?a?b//c'],
    ['//p/token.json/?a//b', '/p/token.json?a//b'],
    ['/api/v2/a%2Fb.json', '/api/v2/a%2Fb'],
  ])('%s keeps its query and its percent-encoding: %s', (url, normal) => {
    expect(normalizePath(url)).toBe(normal);
  });

  it.each(['/api/%', '/%zz', '/api/v2/pushes/%C3%28', '/api/%//', '/%?a'])('%s cannot be decoded', (url) => {
    expect(hasDecodablePath(url)).toBe(false);
  });

  it.each(['/api', '/%C3%A9', '/?%', '/a?%zz?%'])('%s can be decoded', (url) => {
    expect(hasDecodablePath(url)).toBe(true);
  });

  it.each([
    ['slashes', (count: number) => `/api${'/'.repeat(5 * count)}x${'.json'.repeat(count)}`],
    ['segments', (count: number) => `/en${'/p'.repeat(3 * count)}${'.json/'.repeat(count)}x`],
  ])('of many %s is normalized in time linear in its length (I5)', async (_, path) => {
    expect(await growthOfTime(3000, path, normalizePath)).toBeLessThan(LINEAR);
  });
});

describe('The path of PUBLIC_URL', () => {
  const remove = basePathRemover('/tools/push.v1');

  it.each([
    ['/tools/push.v1', '/'],
    ['/tools/push.v1/', '/'],
    ['/tools/push.v1?views=1', '/?views=1'],
    ['/tools/push.v1/?views=1', '/?views=1'],
    ['/tools/push.v1/p/TOKEN?a=/tools/push.v1', '/p/TOKEN?a=/tools/push.v1'],
    ['//tools//push.v1///p//TOKEN', '/p//TOKEN'],
    ['/tools/push.v1/tools/push.v1/p', '/tools/push.v1/p'],
  ])('is removed from %s', (url, rest) => {
    expect(remove(url)).toBe(rest);
  });

  it.each([
    '/',
    '*',
    '/p/TOKEN',
    '/tools',
    '/tools/push.v10/p',
    '/tools/pushxv1/p',
    '/TOOLS/push.v1/p',
    '/p/tools/push.v1',
    '/p/TOKEN?/tools/push.v1/',
    'http://push.example.org/tools/push.v1/p',
  ])('is not found in %s', (url) => {
    expect(remove(url)).toBe(url);
  });

  it('is removed in time that grows linearly', () => {
    const url = `${'/'.repeat(100_000)}tools${'/'.repeat(100_000)}x`;

    expect(remove(url)).toBe(url);
  });

  it('changes nothing if it is that of the host', () => {
    expect(basePathRemover('')('//p/TOKEN')).toBe('//p/TOKEN');
  });
});

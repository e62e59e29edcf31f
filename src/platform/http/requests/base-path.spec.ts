import { basePathRemover } from './base-path.js';

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

import { localPath } from './local-path.js';

describe('A path to return to', () => {
  it.each(['/', '/pushes?page=2', '/p/abc/audit', '/users/sign_in?next=%2F'])('may be %s', (path) => {
    expect(localPath(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'pushes',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '//localhost@evil.example',
    'javascript:alert(1)',
  ])('is replaced by the front page if it is %p', (path) => {
    expect(localPath(path)).toBe('/');
  });

  it('keeps no line break that could end the header', () => {
    expect(localPath('/a\r\nSet-Cookie: b=c')).toBe('/aSet-Cookie:%20b=c');
  });
});

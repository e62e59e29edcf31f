import { publicUrl } from './parse-public-url.js';

describe('A public URL', () => {
  it.each([
    ['https://push.example.org/', 'https://push.example.org'],
    ['https://example.org/push', 'https://example.org/push'],
    ['https://example.org/push/', 'https://example.org/push'],
    ['https://example.org/Tools/push_v1.2/~me-too//', 'https://example.org/Tools/push_v1.2/~me-too'],
    ['https://example.org/a/../push', 'https://example.org/push'],
    ['https://example.org/pushes-of-secrets', 'https://example.org/pushes-of-secrets'],
  ])('may be %s', (text, value) => {
    expect(publicUrl(text)).toBe(value);
  });

  it.each([
    'https://example.org/my push',
    'https://example.org/my%20push',
    'https://example.org/p\u00fcsh',
    'https://example.org/a//b',
    'https://example.org/push;a=b',
    "https://example.org/push'",
    'https://example.org/(push)',
    'https://example.org/push\r\nSet-Cookie:a',
    'https://example.org/push$host',
  ])('cannot be %j, whose path needs an encoding somewhere (D4)', (text) => {
    expect(() => publicUrl(text)).toThrow(/^must have a path of letters, digits and \. _ ~ - only$/);
  });

  it.each(['p', 'api', 'api.json', 'p.json', 'users', 'files/push', 'pushes/'])(
    'cannot have the path /%s, which a request could mean in two ways',
    (path) => {
      expect(() => publicUrl(`https://example.org/${path}`)).toThrow(
        /^must not have a path that begins with \/[\w.]+, as pages of Sealpush do$/,
      );
    },
  );

  it('cannot be something else than an http URL (D4)', () => {
    expect(() => publicUrl('ftp://example.org/push')).toThrow(
      /^must be an http or https address without query$/,
    );
  });
});

import { emailError, isNewEmail, isPlainEmail } from './emails.js';

describe('The email address of an account or a recipient', () => {
  it.each([
    'jose@example.org',
    'josé@example.org',
    'o’neil@example.org'.replace('’', "'"),
    'a.b+tag_1=x@example.org',
    'иван@почта.рф',
    'ivan@почта.рф',
    'ivan@xn--80a1acny.xn--p1ai',
    'δοκιμή@παράδειγμα.ελ',
    '山田taro@例え.jp',
    'ヤマダ山田@example.jp',
    '김철수@example.kr',
    'محمد@example.org',
    'भारत@example.in',
    'müller@bücher.example',
    'yıldız@example.org',
  ])('can be %s', (email) => {
    expect([emailError(email), isNewEmail(email)]).toEqual([undefined, true]);
  });

  it.each([
    ['a zero-width space', 'ad\u200bmin@example.org'],
    ['a zero-width joiner', 'ad\u200dmin@example.org'],
    ['a soft hyphen', 'ad\u00admin@example.org'],
    ['a mark that changes the direction', 'ad\u202emin@example.org'],
    ['an isolate', '\u2066admin@example.org'],
    ['a word joiner', 'admin@exam\u2060ple.org'],
    ['a grapheme joiner', 'ad\u034fmin@example.org'],
    ['a variation selector', 'admin\ufe0f@example.org'],
    ['a Hangul filler', 'admin\u3164@example.org'],
    ['a tag', 'admin\u{e0061}@example.org'],
    ['one Cyrillic letter', '\u0430dmin@example.org'],
    ['one Greek letter', 'admin\u03bf@example.org'],
    ['one Cyrillic letter in the domain', 'admin@ex\u0430mple.org'],
    ['the same in the encoding of domains', 'admin@xn--exmple-4nf.org'],
    ['a letter of the phonetic alphabet', '\u0251dmin@example.org'],
    ['a fraction slash', 'a\u2044b@example.org'],
  ])('cannot have %s, for which it could be taken for another one (N12)', (_what, email) => {
    expect([isNewEmail(email), emailError(email)?.code]).toEqual([false, 'email_confusable']);
  });

  it.each([
    ['a no-break space', 'ad\u00a0min@example.org'],
    ['a route with %', 'x%evil.example@example.org'],
    ['a route with % and an invisible character', 'x%evil.example\u200b@example.org'],
    ['a route with !', 'evil.example!x@example.org'],
    ['an invalid encoding', 'admin@xn--a-ecp-.org'],
    ['an emoji', 'admin😀@example.org'],
    ['a bold letter of an unknown script', 'admin\u{10400}@example.org'],
    ['a line break', 'admin@example.org\r\nBcc: x@example.org'],
    ['a comma and an invisible character', 'admin@example.org,\u200bx@example.org'],
  ])('cannot have %s (N12)', (_what, email) => {
    expect([isNewEmail(email), emailError(email)?.code]).toEqual([false, 'email_invalid']);
  });

  it('that was given before stays usable for mails', () => {
    expect(['x%y@example.org', '\u0430dmin@example.org'].map(isPlainEmail)).toEqual([true, true]);
    expect(isPlainEmail('ad\u200bmin@example.org')).toBe(false);
  });
});

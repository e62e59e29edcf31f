import { fragmentInPath, newFragment, parseFragment } from '../../packages/client/src/end-to-end/fragment.js';

const { text } = newFragment({ needsPassphrase: true });
const TOKEN = 'a'.repeat(43);

describe('The fragment of a link', () => {
  it.each([true, false])(
    'is 44 random characters that say whether a passphrase is needed: %p',
    (needsPassphrase) => {
      const fragments = Array.from({ length: 50 }, () => newFragment({ needsPassphrase }));

      expect(new Set(fragments.map(({ key }) => key)).size).toBe(50);
      for (const fragment of fragments) {
        expect(fragment.text).toMatch(needsPassphrase ? /^2[\w-]{43}$/ : /^1[\w-]{43}$/);
        expect(parseFragment(fragment.text)).toEqual(fragment);
        expect(parseFragment(`#${fragment.text}`)).toEqual(fragment);
        expect(fragment.needsPassphrase).toBe(needsPassphrase);
      }
    },
  );

  it('is not accepted when it was cut to any length, at the end or at the start', () => {
    for (let length = 0; length < text.length; length++) {
      expect(parseFragment(text.slice(0, length))).toBeUndefined();
      expect(parseFragment(text.slice(-length - 1, -1))).toBeUndefined();
    }
  });

  it('is not accepted with another character or version, nor with anything added', () => {
    for (const character of ['%', '=', '+', '/', ' ', '.', '|', '\n', 'ä', '\0', '#']) {
      for (let i = 0; i < text.length; i++)
        expect(parseFragment(text.slice(0, i) + character + text.slice(i + 1))).toBeUndefined();
      expect(parseFragment(text + character)).toBeUndefined();
      expect(parseFragment(character + text)?.text).toBe(character === '#' ? text : undefined);
    }
    for (const version of ['0', '3', '_', '１'])
      expect(parseFragment(version + text.slice(1))).toBeUndefined();
    expect(parseFragment(text + text)).toBeUndefined();
    expect(parseFragment(`##${text}`)).toBeUndefined();
  });

  it('has one form only: a last character with other unused bits is not accepted', () => {
    const accepted = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter((last) =>
      parseFragment(text.slice(0, -1) + last),
    );

    expect(accepted.join('')).toBe('AEIMQUYcgkosw048');
  });

  it.each(['%23', '%2523', '%252523', '%25252523'])('is found in a path where it follows %s', (encoded) => {
    expect(fragmentInPath(`/p/${TOKEN}${encoded}${text}`)).toEqual({ path: `/p/${TOKEN}`, fragment: text });
    expect(fragmentInPath(`/base/p/${TOKEN}${encoded}cut`)).toEqual({
      path: `/base/p/${TOKEN}`,
      fragment: 'cut',
    });
  });

  it.each([
    '',
    `/p/${TOKEN}`,
    `/p/${TOKEN}%24${text}`,
    `/p/${TOKEN}/${text}`,
    `/p/${TOKEN}%2`,
    '/'.repeat(9999),
  ])('is not found in the path %.60s', (path) => {
    expect(fragmentInPath(path)).toBeUndefined();
  });
});

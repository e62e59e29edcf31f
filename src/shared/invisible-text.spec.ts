import { isInvisible } from './invisible-text.js';

describe('A text', () => {
  it.each([
    ...['', ' ', '   ', '\t\n', '\u00a0', '\u3000', '\u2028', '\0', '\u00ad', '\u200b\u200d\ufeff', '\u202e'],
    ...['\u2060', '\u115f\u3164\uffa0', '\u180e', '\u034f', '\ufe0f', '\u2800', '\u{e0041}', '\u{1d173}'],
  ])('like %j is invisible (L21)', (text) => {
    expect(isInvisible(text)).toBe(true);
  });

  it.each(['a', ' . ', '0', '\u200bx', 'é', '\u0301', '。', 'ا', '😀', '\ufffd', '\ue000'])(
    'like %j is not',
    (text) => {
      expect(isInvisible(text)).toBe(false);
    },
  );

  it('of a million characters is read once (M4)', () => {
    expect(isInvisible(`${' '.repeat(1_000_000)}x`)).toBe(false);
  });
});

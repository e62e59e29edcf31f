import { textError } from './text-error.js';

describe('A text', () => {
  it('is counted in code points', () => {
    expect(textError('\u{1f331}'.repeat(255), 255)).toBeUndefined();
    expect(textError('\u{1f331}'.repeat(256), 255)).toBe('must have at most 255 characters');
    expect(textError('e\u0301'.repeat(128), 255)).toBe('must have at most 255 characters');
  });

  it.each([['\ud83c'], ['\udf31'], ['a\udf31\ud83cb'], ['tulip\ud83c']])(
    'cannot have an unpaired surrogate, as in case %#',
    (text) => {
      expect(textError(text, 255)).toBe('must be well-formed Unicode');
    },
  );

  it.each([[1], [true], [['tulip']], [{ toString: 'tulip' }], [{}], [null]])(
    'must be a string, not %j',
    (value) => {
      expect(textError(value, 255)).toBe('must be a string');
    },
  );
});

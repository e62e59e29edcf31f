import { textError } from './text-error.js';
import { Problem } from '../../errors/problem.js';

describe('A text', () => {
  it('is counted in code points', () => {
    expect(textError('\u{1f331}'.repeat(255), 255)).toBeUndefined();
    expect(textError('\u{1f331}'.repeat(256), 255)).toEqual(new Problem('too_long', { count: 255 }));
    expect(textError('e\u0301'.repeat(128), 255)).toEqual(new Problem('too_long', { count: 255 }));
  });

  it.each([['\ud83c'], ['\udf31'], ['a\udf31\ud83cb'], ['tulip\ud83c']])(
    'cannot have an unpaired surrogate, as in case %#',
    (text) => {
      expect(textError(text, 255)).toEqual(new Problem('malformed_text'));
    },
  );

  it('that is both too long and malformed is too long only beyond twice the code units', () => {
    expect(textError(`${'a'.repeat(300)}\ud83c`, 255)).toEqual(new Problem('malformed_text'));
    expect(textError(`${'a'.repeat(600)}\ud83c`, 255)).toEqual(new Problem('too_long', { count: 255 }));
  });

  it.each([[1], [true], [['tulip']], [{ toString: 'tulip' }], [{}], [null]])(
    'must be a string, not %j',
    (value) => {
      expect(textError(value, 255)).toEqual(new Problem('not_a_string'));
    },
  );
});

import { growthOfTime } from '../../test/support/growth-of-time.js';
import { cleanFileName } from './file-name.js';

const MIB = 1024 * 1024;

describe('The name of a file', () => {
  it.each(['\u202e', 'a', '/', 'a\u200d'])(
    'of megabytes of %j takes no longer than a short one',
    async (unit) => {
      const nameOf = (bytes: number) => Buffer.alloc(bytes, unit).toString();

      expect(await growthOfTime(12 * MIB, nameOf, cleanFileName)).toBeLessThan(0.2);
    },
  );

  it('is what follows the last slash, however long it is before', () => {
    expect(cleanFileName(`${'a/'.repeat(MIB)}b\\${'\u202e'.repeat(1000)}tulip.txt`)).toBe('tulip.txt');
  });
});

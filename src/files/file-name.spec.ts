import { growthOfTime } from '../../test/support/growth-of-time.js';
import { cleanFileName } from './file-name.js';
import { MIB } from '../settings/units.js';

describe('The name of a file', () => {
  it.each(['\u202e', 'a', '/', 'a\u200d'])(
    'of megabytes of %j is cleaned as fast as a short one',
    async (unit) => {
      const nameOf = (bytes: number) => Buffer.alloc(bytes, unit).toString();

      expect(await growthOfTime(12 * MIB, nameOf, cleanFileName)).toBeLessThan(0.5);
    },
  );

  it('is the part after the last slash, however long the part before it is', () => {
    expect(cleanFileName(`${'a/'.repeat(MIB)}b\\${'\u202e'.repeat(1000)}tulip.txt`)).toBe('tulip.txt');
  });
});

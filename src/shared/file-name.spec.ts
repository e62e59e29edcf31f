import { growthOfTime, LINEAR } from '../../test/support/growth-of-time.js';
import { cleanFileName } from './file-name.js';
import { KIB, MIB } from '../platform/settings/units.js';

describe('The name of a file', () => {
  it.each(['\u202e', 'a', '/', 'a\u200d'])(
    'of many %j takes time linear in its length at most',
    async (unit) => {
      const nameOf = (bytes: number) => Buffer.alloc(bytes, unit).toString();

      expect(await growthOfTime(64 * KIB, nameOf, cleanFileName)).toBeLessThan(LINEAR);
    },
  );

  it('is the part after the last slash, however long the part before it is', () => {
    expect(cleanFileName(`${'a/'.repeat(MIB)}b\\${'\u202e'.repeat(1000)}tulip.txt`)).toBe('tulip.txt');
  });
});

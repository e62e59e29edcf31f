import { growthOfTime } from '../../test/support/growth-of-time.js';
import { undoBrowserEncoding } from './browser-encoding.js';

const MIB = 1024 * 1024;

describe('The lines of a form', () => {
  const taken = (payload: string) => {
    const fields = { payload };
    undoBrowserEncoding(fields);
    return fields.payload;
  };

  it('end as they were typed, in the longest text that is taken', () => {
    expect(taken('\r\n'.repeat(MIB))).toBe('\n'.repeat(MIB));
  });

  it('are not looked at in a text that is far too long', async () => {
    const linesOf = (bytes: number) => Buffer.alloc(bytes, '\r\n').toString();

    expect(await growthOfTime(12 * MIB, linesOf, taken)).toBeLessThan(0.2);
  });
});

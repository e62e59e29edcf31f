import { growthOfTime } from '../../../test/support/growth-of-time.js';
import { prepareHomeFields } from './form-fields.js';
import { MIB } from '../../platform/settings/units.js';

describe('Line breaks in a form', () => {
  const decoded = (payload: string) => {
    const fields = { payload };
    prepareHomeFields(fields);
    return fields.payload;
  };

  it('are restored to line feeds in the longest text that is accepted', () => {
    expect(decoded('\r\n'.repeat(MIB))).toBe('\n'.repeat(MIB));
  });

  it('are not converted in a text that is far too long', async () => {
    const linesOf = (bytes: number) => Buffer.alloc(bytes, '\r\n').toString();

    expect(await growthOfTime(12 * MIB, linesOf, decoded)).toBeLessThan(0.5);
  });
});

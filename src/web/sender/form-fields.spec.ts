import { growthOfTime } from '../../../test/support/growth-of-time.js';
import { prepareHomeFields, typedIn } from './form-fields.js';
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

describe('What is shown again of a form', () => {
  it('has no number that is longer than any could be, because the page has it several times (L5)', () => {
    const typed = '"'.repeat(10_000);
    const shown = typedIn({
      expire_after_views: typed,
      custom_views: typed,
      expire_after_days: typed,
      note: typed,
    });

    expect(shown.note).toHaveLength(10_000);
    for (const name of ['expire_after_views', 'custom_views', 'expire_after_days'])
      expect(shown[name]).toHaveLength(20);
  });
});

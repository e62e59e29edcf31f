import { validate, version } from 'uuid';
import { newId } from './ids.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const timeOf = (id: string) => parseInt(id.replace('-', '').slice(0, 12), 16);

describe('New ids', () => {
  it('are UUIDs of version 7 that begin with the time', () => {
    const before = Date.now();
    const id = newId();

    expect(validate(id) && version(id)).toBe(7);
    expect(timeOf(id)).toBeGreaterThanOrEqual(before);
    expect(timeOf(id)).toBeLessThanOrEqual(Date.now());
  });

  it('sort in the order of generation, however many are generated in a millisecond', () => {
    const now = Date.now();
    const ids = range(10_000).map(() => newId(now));

    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
  });

  it('sort after earlier ones when the clock is set back', () => {
    const before = newId();

    expect(newId(Date.now() - 60_000) > before).toBe(true);
  });
});

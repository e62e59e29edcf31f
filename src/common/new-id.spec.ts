import { validate, version } from 'uuid';
import { newId } from './new-id.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('New ids', () => {
  afterEach(() => jest.useRealTimers());

  it('are UUIDs of version 7 with the time in front', () => {
    jest.useFakeTimers({ now: Date.now() + 1000 });
    const id = newId();

    expect(validate(id) && version(id)).toBe(7);
    expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.now());
  });

  it('sort in the order in which they were made, however many in a millisecond', () => {
    jest.useFakeTimers({ now: Date.now() + 2000 });
    const ids = range(10_000).map(newId);

    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
  });

  it('sort behind earlier ones when the clock is set back', () => {
    jest.useFakeTimers({ now: Date.now() + 3000 });
    const before = newId();
    jest.setSystemTime(Date.now() - 60_000);

    expect(newId() > before).toBe(true);
  });
});

import { randomPassword, randomBelow } from '../../src/client/sender/random.js';

describe('Random numbers for passwords', () => {
  afterEach(() => jest.restoreAllMocks());

  /** Has the browser give these numbers, one at a time. */
  function give(...numbers: number[]): void {
    jest.spyOn(crypto, 'getRandomValues').mockImplementation((values) => {
      (values as Uint32Array)[0] = numbers.shift() ?? 0;
      return values;
    });
  }

  it.each([
    [10, [2 ** 32 - 1, 2 ** 32 - 6, 25], 5], // 2 ** 32 is 6 more than a multiple of 10
    [10, [2 ** 32 - 7], 9],
    [7776, [2 ** 32 - 1, 7776], 0],
    [64, [2 ** 32 - 1], 63],
    [1, [2 ** 32 - 1], 0],
  ])('below %d discard those of %j that would favour some results', (bound, numbers, result) => {
    give(...numbers);

    expect(randomBelow(bound)).toBe(result);
  });

  it.each([
    [8, true],
    [8, false],
    [64, true],
  ])('make passwords of %d characters with one of each class', (length, hasSymbols) => {
    for (let i = 0; i < 200; i++) {
      const password = randomPassword(length, hasSymbols);

      expect(password).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)/);
      expect(/[-_.+!?]/.test(password)).toBe(hasSymbols);
      expect(password).toHaveLength(length);
    }
  });
});

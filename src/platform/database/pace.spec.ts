import { Pace } from './pace.js';

describe('A pace', () => {
  /** The length of the pause after a step. */
  const restAfter = async (milliseconds: number) => {
    const now = jest.fn().mockReturnValueOnce(0).mockReturnValueOnce(milliseconds).mockReturnValue(0);
    const pace = new Pace(now);
    const restsAt = Date.now();
    await pace.pause();
    expect(now).toHaveBeenCalledTimes(3); // the next step begins after the pause
    return Date.now() - restsAt;
  };

  it('rests as long as a step took', async () => {
    expect(await restAfter(60)).toBeGreaterThanOrEqual(58);
  });

  it('does not rest long after a step that had to wait', async () => {
    expect(await restAfter(600_000)).toBeLessThan(10_000);
  });
});

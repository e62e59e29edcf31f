import { DAY_MS, HOUR_MS } from '../settings/units.js';
import { FailingDestinations } from './failing-destinations.js';

const NOW = new Date('2026-01-01T12:00:00.000Z');
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

describe('A destination that fails', () => {
  it('is paused, and not for a month when the clock was a month ahead (M7)', () => {
    const failing = new FailingDestinations();
    failing.recordFailure('a', 'TIMEOUT', after(30 * DAY_MS));
    failing.recordFailure('b', 'TIMEOUT', NOW);

    expect(failing.isPaused('a', NOW)).toBe(false);
    expect(failing.isPaused('b', NOW)).toBe(true);
    expect(failing.pausedAt(NOW)).toEqual(['b']);
    expect(failing.isPaused('b', after(HOUR_MS))).toBe(false);
  });
});

import type { RemainingLimits } from '../../pushes/push/pushes.service.js';
import { Sentence } from './texts.js';
import { Time } from './words.js';

/** What is left of a push before it is opened. */
export function RemainingViews({ remaining: { views, until } }: { remaining: RemainingLimits }) {
  return (
    <p class="remaining">
      <Sentence of="open.remaining" views={views} time={<Time at={until} hasWeekday />} />
    </p>
  );
}

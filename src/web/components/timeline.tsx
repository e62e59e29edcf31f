import type { ComponentChildren } from 'preact';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';

/** Entries of a log by day, the newest first: `TimelineDay`s. */
export function Timeline({ children }: { children: ComponentChildren }) {
  return <div data-days>{children}</div>;
}

interface DayProps {
  /** The `Time` of one of its entries, in the format `day`. A script goes by the days of the reader: client/owner.ts. */
  day: ComponentChildren;
  children: ComponentChildren;
}

/** The entries of one day. */
export function TimelineDay({ day, children }: DayProps) {
  return (
    <div data-day>
      <p class="day">{day}</p>
      <ol class="timeline">{children}</ol>
    </div>
  );
}

/** A few entries whose times have the day, the newest first. */
export function ShortTimeline({ children }: { children: ComponentChildren }) {
  return <ol class="timeline">{children}</ol>;
}

/** How an entry is shown: as it should be, to be minded, or at fault. */
export type EventKind = 'good' | 'warn' | 'bad';

interface EventProps {
  icon: IconName;
  kind?: EventKind;
  /** Who did it from where, in a second line. */
  more?: ComponentChildren;
  time: ComponentChildren;
  children: ComponentChildren;
}

/** Something that happened. */
export function TimelineEvent({ icon, kind, more, time, children }: EventProps) {
  return (
    <li class={kind}>
      <span class="spot">
        <Icon name={icon} />
      </span>
      <div class="event">
        {children}
        {more !== undefined && <span class="sub">{more}</span>}
      </div>
      {time}
    </li>
  );
}

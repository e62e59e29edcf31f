import type { ComponentChildren } from 'preact';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import { UNTRANSLATED } from './site.js';

interface SplitProps {
  /** What the page is about. */
  children: ComponentChildren;
  /** What belongs to it, if anything: beside it, on narrow screens below it. */
  aside?: ComponentChildren;
}

/** A page in two columns. */
export function Split({ children, aside }: SplitProps) {
  if (!aside) return <>{children}</>;
  return (
    <div class="split">
      <div>{children}</div>
      <div class="aside">{aside}</div>
    </div>
  );
}

/** Who may do something: `Person`s. */
export function People({ children }: { children: ComponentChildren }) {
  return <ul class="people">{children}</ul>;
}

interface PersonProps {
  icon?: IconName;
  name: ComponentChildren;
  /** What they have done. */
  state?: ComponentChildren;
  /** A button with an icon alone. */
  action?: ComponentChildren;
}

export function Person({ icon = 'person', name, state, action }: PersonProps) {
  return (
    <li>
      <Icon name={icon} />
      <span class="name">
        {name}
        {state !== undefined && <span class="sub">{state}</span>}
      </span>
      {action}
    </li>
  );
}

/** A text of several lines that somebody has typed. */
export function Lines({ text }: { text: string }) {
  return (
    <span class="lines" dir="auto" {...UNTRANSLATED}>
      {text}
    </span>
  );
}

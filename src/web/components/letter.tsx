import type { ComponentChildren, VNode } from 'preact';
import { SummaryButton } from './button.js';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import type { BoxAttributes } from './site.js';

/** The seal of a letter: closed, done, at fault, gone, opened, or to be opened elsewhere. */
export type Seal = 'sealed' | 'done' | 'fault' | 'gone' | 'open' | 'elsewhere';

const SEALS: Record<Seal, { class: string; icon: IconName }> = {
  sealed: { class: 'wax', icon: 'lock' },
  done: { class: 'wax good', icon: 'check' },
  fault: { class: 'wax bad', icon: 'link' },
  gone: { class: 'wax gone', icon: 'hide' },
  open: { class: 'wax open', icon: 'unlock' },
  elsewhere: { class: 'wax', icon: 'globe' },
};

/** A seal alone, for a letter of which a script shows one of several. */
export function Wax({ seal, ...rest }: BoxAttributes & { seal: Seal }) {
  const { class: name, icon } = SEALS[seal];
  return (
    <div class={name} {...rest}>
      <Icon name={icon} />
    </div>
  );
}

type LetterProps = BoxAttributes & {
  /** One, or several `Wax`. */
  seal: Seal | VNode;
  /** Its heading, unless one of several is among what is inside. */
  title?: string;
  /** What is below its lower edge. */
  strip?: ComponentChildren;
  children?: ComponentChildren;
  /** Whether it is the sender's own, whose link is ready. */
  isReady?: boolean;
};

/** A secret as its sender and its recipient hold it: an envelope with its seal. */
export function Letter({ seal, title, strip, children, isReady, ...rest }: LetterProps) {
  return (
    <article class={isReady ? 'card letter ready' : 'card letter'} {...rest}>
      <div class="tint" />
      {typeof seal === 'string' ? <Wax seal={seal} /> : seal}
      <div class="inside">
        {title !== undefined && <h1>{title}</h1>}
        {children}
      </div>
      {strip && <div class="strip">{strip}</div>}
    </article>
  );
}

/** An opened letter: the paper without its envelope. */
export function OpenedLetter({ seal, title, children, ...rest }: Omit<LetterProps, 'strip' | 'isReady'>) {
  return (
    <article class="card letter opened-letter" {...rest}>
      {typeof seal === 'string' ? <Wax seal={seal} /> : seal}
      <div class="inside">
        {title !== undefined && <h1>{title}</h1>}
        {children}
      </div>
    </article>
  );
}

/** What is in a letter: its kind, or how many files. */
export function LetterContent({
  icon,
  children,
  ...rest
}: BoxAttributes & { icon: IconName; children: ComponentChildren }) {
  return (
    <p class="what" {...rest}>
      <Icon name={icon} size="small" />
      <span>{children}</span>
    </p>
  );
}

interface StripFoldProps extends BoxAttributes {
  icon: IconName;
  title: string;
  children: ComponentChildren;
}

/** What a click opens in the strip of a letter. */
export function StripFold({ icon, title, children, ...rest }: StripFoldProps) {
  return (
    <details {...rest}>
      <SummaryButton look="quiet" icon={icon}>
        {title}
      </SummaryButton>
      <div class="fold-body">{children}</div>
    </details>
  );
}

/** What is said below a letter in small type. */
export function UnderLetter({ children }: { children: ComponentChildren }) {
  return <div class="under-letter">{children}</div>;
}

/** What separates what is to be sent from what is said about it. */
export function Rule() {
  return <hr class="rule" />;
}

/** What is true of a secret, a line each. */
export function Facts({ children, ...rest }: BoxAttributes & { children: ComponentChildren }) {
  return (
    <ul class="facts" {...rest}>
      {children}
    </ul>
  );
}

type FactProps = BoxAttributes & {
  icon: IconName;
  /** Whether to mind it. */
  isWarning?: boolean;
  /** Whether it is a relief. */
  isGood?: boolean;
  /** What follows from it, in a line of its own. */
  more?: ComponentChildren;
  children: ComponentChildren;
};

export function Fact({ icon, isWarning, isGood, more, children, ...rest }: FactProps) {
  return (
    <li class={isWarning ? 'warn' : isGood ? 'good' : undefined} {...rest}>
      <Icon name={icon} />
      <span>
        {children}
        {more !== undefined && <span class="sub">{more}</span>}
      </span>
    </li>
  );
}

import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import type { IconName } from './icon.js';
import { LinkButton } from './button.js';
import { Icon } from './icon.js';
import type { BoxAttributes } from './site.js';
import { useTexts } from './site.js';

type CardProps = BoxAttributes & {
  /** Its heading. */
  title?: TextKey;
  /** Whether the heading is only heard. */
  isTitleHidden?: boolean;
  /** What it is called where its heading is that of the page. */
  label?: TextKey;
  /** What can be done with all of it, beside the heading. */
  action?: ComponentChildren;
  /** Its lower edge, with folds and buttons. */
  strip?: ComponentChildren;
  children: ComponentChildren;
};

/** A surface with content of its own. */
export function Card({ title, isTitleHidden, label, action, strip, children, ...rest }: CardProps) {
  const t = useTexts();
  if (title === undefined) {
    const Element = label === undefined ? 'div' : 'section';
    return (
      <Element class="card pad" aria-label={label && t.text(label)} {...rest}>
        {children}
      </Element>
    );
  }
  const content = (
    <>
      <div class={isTitleHidden ? 'visually-hidden' : 'heading'}>
        <h2>{t.text(title)}</h2>
        {action}
      </div>
      {children}
    </>
  );
  return (
    <section class={strip ? 'card' : 'card pad'} aria-label={t.text(title)} {...rest}>
      {strip ? <div class="pad">{content}</div> : content}
      {strip && <CardStrip>{strip}</CardStrip>}
    </section>
  );
}

interface SectionProps {
  /** What a link to it ends with. */
  id?: string;
  title: TextKey;
  /** What to know about all of it. */
  lede?: ComponentChildren;
  /** Whether the heading is only heard. */
  isTitleHidden?: boolean;
  children: ComponentChildren;
}

/** A part of a page with a heading above what is in it. */
export function Section({ id, title, lede, isTitleHidden, children }: SectionProps) {
  const text = useTexts().text(title);
  return (
    <section class="section" id={id} aria-label={text}>
      <h2 class={isTitleHidden ? 'visually-hidden' : undefined}>{text}</h2>
      {lede !== undefined && <p class="about">{lede}</p>}
      {children}
    </section>
  );
}

/** Several `SectionRow`s on one surface. */
export function SectionRows({ children }: { children: ComponentChildren }) {
  return <div class="card sections">{children}</div>;
}

/** The same with a heading on the surface. */
export function TitledRows({ title, children }: { title: TextKey; children: ComponentChildren }) {
  const text = useTexts().text(title);
  return (
    <section class="card" aria-label={text}>
      <div class="pad pad-top">
        <h2>{text}</h2>
      </div>
      <div class="sections">{children}</div>
    </section>
  );
}

interface SectionRowProps {
  /** What a link to it ends with. */
  id?: string;
  icon: IconName;
  title: ComponentChildren;
  /** How it is set now. */
  state?: ComponentChildren;
  /** A link or a button, if there is no form. */
  action?: ComponentChildren;
  /** The form that changes it, which is shown after a click. */
  children?: ComponentChildren;
  /** What the click is called, for example "Change"; an arrow without it. */
  open?: string;
  /** Whether the form is shown from the start, for example because it was rejected. */
  isOpen?: boolean;
  /** Whether the form destroys something. */
  isDangerous?: boolean;
}

/** What something is and how it is set, with the form that changes it folded below. */
export function SectionRow(props: SectionRowProps) {
  const { id, icon, title, state, action, children, open, isOpen, isDangerous } = props;
  const words = <RowWords title={title} state={state} />;
  if (children === undefined)
    return (
      <div class="section-row" id={id}>
        <Icon name={icon} />
        {words}
        {action}
      </div>
    );
  return (
    <details id={id} open={isOpen}>
      <summary class="section-row">
        <Icon name={icon} />
        {words}
        {open === undefined ? (
          <Icon name="down" />
        ) : (
          <span class={isDangerous ? 'btn sm danger' : 'btn sm'} aria-hidden="true">
            {open}
          </span>
        )}
      </summary>
      <div class="section-form">{children}</div>
    </details>
  );
}

interface HealthRowProps {
  title: string;
  /** Undefined while that is not known. */
  isInOrder?: boolean;
  state: ComponentChildren;
  /** Details, which a click shows. */
  children?: ComponentChildren;
}

/** A part of the installation, and whether it is in order: an icon and words say so. */
export function HealthRow({ title, isInOrder, state, children }: HealthRowProps) {
  const t = useTexts();
  const [look, icon] =
    isInOrder === undefined
      ? ['', 'clock' as const]
      : isInOrder
        ? ['in-order', 'check' as const]
        : ['soon', 'alert' as const];
  const row = `section-row tight ${look}`.trimEnd();
  const content = (
    <>
      <Icon name={icon} />
      <span>
        {isInOrder !== undefined && (
          <span class="visually-hidden">{t.text(isInOrder ? 'state.inOrder' : 'state.needsAttention')} </span>
        )}
        <strong>{title}</strong>
        <span class="sub">{state}</span>
      </span>
    </>
  );
  if (children === undefined) return <div class={row}>{content}</div>;
  return (
    <details>
      <summary class={row}>{content}</summary>
      <div class="pad small">{children}</div>
    </details>
  );
}

function RowWords({ title, state, children }: Pick<SectionRowProps, 'title' | 'state' | 'children'>) {
  return (
    <span>
      <strong>{title}</strong>
      {children}
      {state !== undefined && <span class="sub">{state}</span>}
    </span>
  );
}

interface RowLinkProps {
  to: string;
  text: TextKey;
  /** The title of its row, with which its accessible name ends. */
  of: string;
}

/** A link at the end of a `SectionRow`, to the page where it is changed. */
export function RowLink({ to, text, of }: RowLinkProps) {
  const label = useTexts().text(text);
  return (
    <LinkButton size="small" to={to} aria-label={`${label}: ${of}`}>
      {label}
    </LinkButton>
  );
}

/** Several `Step`s, some of which are done. */
export function Steps({ children }: { children: ComponentChildren }) {
  return <ul class="sections steps">{children}</ul>;
}

type StepProps = Pick<SectionRowProps, 'title' | 'state' | 'action'> & { isDone: boolean };

/** Something to do once. */
export function Step({ title, state, action, isDone }: StepProps) {
  const t = useTexts();
  return (
    <li class="section-row">
      <span class={isDone ? 'step-mark is-done' : 'step-mark'}>
        <Icon name="check" size="small" />
      </span>
      <RowWords title={title} state={state}>
        {isDone && <span class="visually-hidden"> ({t.text('steps.isDone')})</span>}
      </RowWords>
      {action}
    </li>
  );
}

/** A state that is as it should be. */
export function GoodState({ children }: { children: ComponentChildren }) {
  return <span class="state-good">{children}</span>;
}

interface PartedCardProps {
  /** What it is called, unless it is one of several and has a heading. */
  label?: TextKey;
  children: ComponentChildren;
}

/** A card of several parts, such as `CardPart`, `Steps` and `CardStrip`. */
export function PartedCard({ label, children }: PartedCardProps) {
  const t = useTexts();
  if (label === undefined) return <article class="card">{children}</article>;
  return (
    <section class="card" aria-label={t.text(label)}>
      {children}
    </section>
  );
}

export function CardPart({ children }: { children: ComponentChildren }) {
  return <div class="pad">{children}</div>;
}

/** The lower edge of a card, with folds and buttons. */
export function CardStrip({ children }: { children: ComponentChildren }) {
  return <div class="strip">{children}</div>;
}

/** Between two ways to do the same. */
export function Or({
  isAfterPasskey,
}: {
  /** Whether the first way is a passkey alone. */ isAfterPasskey?: boolean;
}) {
  return (
    <p class="or" data-with-passkey={isAfterPasskey ? '' : undefined}>
      {useTexts().text('signIn.or')}
    </p>
  );
}

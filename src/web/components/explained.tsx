import type { ComponentChildren, VNode } from 'preact';

/** Terms, or people, with what is to be said about each. */
export function ExplainedList({ children }: { children: ComponentChildren }) {
  return <dl class="card pad explained">{children}</dl>;
}

export function Explained({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** What happens one after the other, as pictures beside each other. */
export function DrawnSteps({ children }: { children: ComponentChildren }) {
  return <ol class="card pad drawn-steps">{children}</ol>;
}

interface DrawnStepProps {
  drawing: VNode;
  title: string;
  children: ComponentChildren;
}

export function DrawnStep({ drawing, title, children }: DrawnStepProps) {
  return (
    <li>
      {drawing}
      <strong>{title}</strong>
      <p class="small quiet">{children}</p>
    </li>
  );
}

/** A drawing beside a text that says the same, so programs that read pages aloud skip it. */
export function Drawing({ children }: { children: ComponentChildren }) {
  return (
    <svg class="drawing" viewBox="0 0 64 48" width="64" height="48" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

/** The part of a drawing that it is about. */
export function DrawnAccent({ d, transform }: { d: string; transform?: string }) {
  return <path class="accent" d={d} transform={transform} />;
}

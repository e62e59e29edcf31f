import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../../texts/en.js';
import { useTexts } from '../texts.js';

/** A card with a heading and figures. */
export function Figures({ heading, children }: { heading: TextKey; children: ComponentChildren }) {
  return (
    <section>
      <h2>{useTexts().text(heading)}</h2>
      <dl class="card figures">{children}</dl>
    </section>
  );
}

export function Figure({ of, children }: { of: TextKey; children: ComponentChildren }) {
  return (
    <div>
      <dt>{useTexts().text(of)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

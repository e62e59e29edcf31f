import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { useTexts } from './site.js';

/** Up to four numbers that matter most. */
export function Figures({ children }: { children: ComponentChildren }) {
  return <dl class="card figures">{children}</dl>;
}

interface FigureProps {
  of: TextKey;
  /** What else there is to say about the number. */
  more?: ComponentChildren;
  children: ComponentChildren;
}

export function Figure({ of, more, children }: FigureProps) {
  return (
    <div class="figure">
      <dt>{useTexts().text(of)}</dt>
      <dd class="big">{children}</dd>
      {more !== undefined && <dd class="sub">{more}</dd>}
    </div>
  );
}

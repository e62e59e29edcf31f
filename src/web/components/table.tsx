import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { useTexts } from './site.js';

interface TableProps {
  headings: readonly TextKey[];
  class?: string;
  children: ComponentChildren;
}

/**
 * A table; narrow screens show its rows as cards, so its roles are given explicitly, and cells that do not speak for
 * themselves have the attribute `data-label`.
 */
export function Table({ headings, class: name = 'events', children }: TableProps) {
  const t = useTexts();
  return (
    <table class={name} role="table">
      <thead role="rowgroup">
        <tr role="row">
          {headings.map((key) => (
            <th key={key} role="columnheader" scope="col">
              {t.text(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}

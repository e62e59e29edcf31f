import type { ComponentChildren } from 'preact';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';

interface EmptyProps {
  title: ComponentChildren;
  /** One sentence. */
  children: ComponentChildren;
  /** The button that leads on. */
  action?: ComponentChildren;
  /** In place of the picture, for example of a search that has found nothing. */
  icon?: IconName;
}

/** In place of a list that has nothing in it yet. */
export function Empty({ title, children, action, icon }: EmptyProps) {
  return (
    <div class="card empty">
      {icon ? <Icon name={icon} size="large" /> : <EmptyPicture />}
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A closed envelope. */
function EmptyPicture() {
  return (
    <svg class="picture" viewBox="0 0 144 104" aria-hidden="true">
      <path class="paper" d="M12 40 72 8l60 32v52a6 6 0 0 1-6 6H18a6 6 0 0 1-6-6Z" />
      <path class="inner" d="M18 42 72 13l54 29-54 34Z" />
      <path
        class="hatch"
        d="m30 42 42 26 42-26M42 42l30 19 30-19M54 42l18 11 18-11M66 42l6 4 6-4M24 39l48-26 48 26"
      />
      <path class="paper" d="M12 42v50a6 6 0 0 0 6 6h108a6 6 0 0 0 6-6V42L79 74a13 13 0 0 1-14 0Z" />
      <circle class="seal" cx="72" cy="74" r="12" />
      <path class="seal-line" d="M67.5 74.5 70.7 77.7 76.7 71" />
    </svg>
  );
}

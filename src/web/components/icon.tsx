import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { IconName } from '../../shared/icons.js';
import { ICONS } from '../../shared/icons.js';

export type { IconName };

/** Point the other way where text is read from right to left; clocks, keys and check marks do not. */
const MIRRORED: readonly IconName[] = ['back', 'forward', 'out', 'right', 'send'];

/** The icons that a page uses: each is in it once. */
export const UsedIcons = createContext(new Set<IconName>());

interface IconProps {
  name: IconName;
  size?: 'small' | 'large';
  hidden?: boolean;
  /** A class of the component that it is part of. */
  class?: string;
}

/** A picture beside words, or within a button that has an accessible name: screen readers do not hear of it. */
export function Icon({ name, size, hidden, class: given }: IconProps) {
  useContext(UsedIcons).add(name);
  const classes = [
    'icon',
    size === 'small' && 'sm',
    size === 'large' && 'lg',
    MIRRORED.includes(name) && 'flip',
    given,
  ];
  return (
    <svg class={classes.filter(Boolean).join(' ')} aria-hidden="true" hidden={hidden}>
      <use href={`#icon-${name}`} />
    </svg>
  );
}

/** The drawings that `Icon` refers to, at the end of the page. */
export function IconDrawings() {
  const used = useContext(UsedIcons);
  return (
    <svg hidden data-icons>
      {[...used].sort().map((name) => (
        <symbol
          key={name}
          id={`icon-${name}`}
          viewBox="0 0 20 20"
          dangerouslySetInnerHTML={{ __html: ICONS[name] }}
        />
      ))}
    </svg>
  );
}

import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import { Link } from './site.js';

interface RowMenuProps {
  /** What it is the menu of. */
  label: string;
  /** `MenuLink`s and `MenuButton`s. */
  children: ComponentChildren;
}

/**
 * A menu of what can be done with a row of a table: a fold, so that it opens without a script. One at a time is open; a
 * script closes it when another part of the page is used: client/page/menus.ts.
 */
export function RowMenu({ label, children }: RowMenuProps) {
  return (
    <details class="menu" name="row-menu" data-menu>
      <summary class="btn ghost icon-only" aria-label={label} title={label}>
        <Icon name="more" />
      </summary>
      <div class="menu-list">{children}</div>
    </details>
  );
}

type MenuLinkProps = Omit<AnchorHTMLAttributes, 'icon' | 'class' | 'href'> & {
  to: string;
  icon: IconName;
  children: ComponentChildren;
};

/** A page that a menu leads to. */
export function MenuLink({ icon, children, ...rest }: MenuLinkProps) {
  return (
    <Link {...rest}>
      <Icon name={icon} />
      {children}
    </Link>
  );
}

type MenuButtonProps = Omit<ButtonHTMLAttributes, 'icon' | 'class'> & {
  icon: IconName;
  /** Whether it leads to the question whether something shall be deleted. */
  isDangerous?: boolean;
  children: ComponentChildren;
};

/** What a menu does. */
export function MenuButton({ icon, isDangerous, children, ...rest }: MenuButtonProps) {
  return (
    <button class={isDangerous ? 'danger' : undefined} {...rest}>
      <Icon name={icon} />
      {children}
    </button>
  );
}

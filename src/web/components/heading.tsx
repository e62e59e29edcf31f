import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import type { BoxAttributes } from './site.js';
import { Link, useTexts } from './site.js';

interface HeadingProps {
  title: ComponentChildren;
  /** A sentence or a state below it. */
  lede?: ComponentChildren;
  /** What can be done, at the end of the line. */
  children?: ComponentChildren;
}

/** The heading of a page. */
export function Heading({ title, lede, children }: HeadingProps) {
  return (
    <div class="heading">
      <div>
        <h1>{title}</h1>
        {lede !== undefined && <p class="lede">{lede}</p>}
      </div>
      {children}
    </div>
  );
}

/** A sentence below a heading. */
export function Lede({ children, ...rest }: BoxAttributes & { children: ComponentChildren }) {
  return (
    <p class="lede" {...rest}>
      {children}
    </p>
  );
}

/** A link beside the heading of a page, to a page for something else. */
export function HeadingLink({ to, icon, text }: { to: string; icon?: IconName; text: TextKey }) {
  return (
    <Link to={to} class="more">
      {icon && <Icon name={icon} />}
      {useTexts().text(text)}
    </Link>
  );
}

/** The way back to the list that a page belongs to. */
export function BackLink({ to, text }: { to: string; text: TextKey }) {
  return (
    <Link to={to} class="back">
      <Icon name="back" size="small" />
      {useTexts().text(text)}
    </Link>
  );
}

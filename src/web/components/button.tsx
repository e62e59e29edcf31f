import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import { Link } from './site.js';

/** What a button is on its page: the one action, one of several, one that stays in the background, or one that destroys. */
export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger' | 'quiet danger';

interface LookProps {
  look?: ButtonLook;
  size?: 'small' | 'large';
  icon?: IconName;
  /** Whether it is as wide as its column. */
  isWide?: boolean;
  /** Whether narrow screens leave it out, which have the same elsewhere. */
  isOnlyWide?: boolean;
}

const LOOKS: Record<ButtonLook, string | undefined> = {
  primary: 'primary',
  secondary: undefined,
  quiet: 'ghost',
  danger: 'danger',
  'quiet danger': 'ghost danger',
};

function classOf({ look = 'secondary', size, isWide, isOnlyWide }: LookProps): string {
  const sizes = { small: 'sm', large: 'lg' };
  const classes = ['btn', LOOKS[look], size && sizes[size], isWide && 'block', isOnlyWide && 'only-wide'];
  return classes.filter(Boolean).join(' ');
}

type ButtonProps = LookProps &
  Omit<ButtonHTMLAttributes, 'icon' | 'size' | 'class'> & { children: ComponentChildren };

/** A button. Within a form it sends it, unless it has another `type`. */
export function Button({ look, size, icon, isWide, isOnlyWide, children, ...rest }: ButtonProps) {
  return (
    <button class={classOf({ look, size, isWide, isOnlyWide })} {...rest}>
      {icon && <Icon name={icon} size={size === 'small' ? 'small' : undefined} />}
      {children}
    </button>
  );
}

/** The button at the end of a short form. */
export function SubmitButton({ children }: { children: ComponentChildren }) {
  return (
    <p class="gap-top">
      <Button look="primary" size="large" isWide>
        {children}
      </Button>
    </p>
  );
}

type LinkButtonProps = LookProps &
  Omit<AnchorHTMLAttributes, 'icon' | 'size' | 'class' | 'href'> & {
    to: string;
    /** What it says on narrow screens, if that is shorter. */
    short?: ComponentChildren;
    children: ComponentChildren;
  };

/** A link to one of our own pages that looks like a button. */
export function LinkButton(props: LinkButtonProps) {
  const { look, size, icon, isWide, isOnlyWide, short, children, ...rest } = props;
  return (
    <Link class={classOf({ look, size, isWide, isOnlyWide })} {...rest}>
      {icon && <Icon name={icon} size={size === 'small' ? 'small' : undefined} />}
      {short === undefined ? (
        children
      ) : (
        <>
          <span class="only-wide">{children}</span>
          <span class="only-phone">{short}</span>
        </>
      )}
    </Link>
  );
}

/** The opening line of a fold (`details`) that looks like a button. */
export function SummaryButton({ icon, children, ...look }: LookProps & { children: ComponentChildren }) {
  return (
    <summary class={classOf(look)}>
      {icon && <Icon name={icon} />}
      {children}
    </summary>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes, 'icon' | 'class'> & {
  icon: IconName;
  /** Its accessible name, which is shown under the pointer. */
  label: string;
  /** Whether it has no border, as within the end of a field. */
  isQuiet?: boolean;
  /** As of a `Button`. */
  isOnlyWide?: boolean;
};

/** A button with an icon alone. */
export function IconButton({ icon, label, isQuiet = true, isOnlyWide, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`${isQuiet ? 'btn ghost icon-only' : 'btn icon-only'}${isOnlyWide ? ' only-wide' : ''}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A link with an icon alone; what it is called is its content, which only screen readers hear. */
export function IconAnchor({
  icon,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes, 'icon' | 'class'> & { icon: IconName; children: ComponentChildren }) {
  return (
    <a class="btn ghost icon-only" {...rest}>
      <Icon name={icon} />
      <span class="visually-hidden">{children}</span>
    </a>
  );
}

/** Buttons beside each other, which wrap. */
export function Buttons({ children, isEven }: { children: ComponentChildren; isEven?: boolean }) {
  return <div class={isEven ? 'row even' : 'row'}>{children}</div>;
}

type AnchorButtonProps = LookProps &
  Omit<AnchorHTMLAttributes, 'icon' | 'size' | 'class'> & { children: ComponentChildren };

/** A link to what is no page of ours, such as a file, a mail or another site, that looks like a button. */
export function AnchorButton({ look, size, icon, isWide, children, ...rest }: AnchorButtonProps) {
  return (
    <a class={classOf({ look, size, isWide })} {...rest}>
      {icon && <Icon name={icon} size={size === 'small' ? 'small' : undefined} />}
      {children}
    </a>
  );
}

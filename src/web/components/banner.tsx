import type { ComponentChildren } from 'preact';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import type { BoxAttributes } from './site.js';

/** Grey tells, amber warns, red has failed, green is done. */
export type BannerKind = 'info' | 'warning' | 'failure' | 'done';

const KINDS: Record<BannerKind, { class: string; icon: IconName }> = {
  info: { class: 'banner', icon: 'info' },
  warning: { class: 'banner warn', icon: 'alert' },
  failure: { class: 'banner bad', icon: 'alert' },
  done: { class: 'banner good', icon: 'check' },
};

type BannerProps = BoxAttributes & {
  kind?: BannerKind;
  /** In place of the one of its kind. */
  icon?: IconName;
  children: ComponentChildren;
};

/** A message about the page: what has happened, or what to mind. */
export function Banner({ kind = 'info', icon, children, ...rest }: BannerProps) {
  const { class: name, icon: ofKind } = KINDS[kind];
  return (
    <div class={`${name} space`} {...rest}>
      <Icon name={icon ?? ofKind} />
      <div>{children}</div>
    </div>
  );
}

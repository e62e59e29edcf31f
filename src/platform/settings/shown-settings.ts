import { isDeepStrictEqual } from 'node:util';
import type { AllSettings } from './read-settings.js';
import { declaredSettings } from './setting.js';
import { settingsClasses } from './settings-classes.js';

/** A setting as administrators see it. */
export interface ShownSetting {
  name: string;
  /** Absent when there is none, and when it may be a secret: only what a parser declares as shown is ever shown. */
  value?: string;
  /** What it is when it is not set; absent as `value` is. */
  standard?: string;
  /** Whether it differs from its default. */
  isSet: boolean;
}

/** The settings in force, in the order of declaration, without secrets. */
export function shownSettings(settings: AllSettings): ShownSetting[] {
  return settingsClasses().flatMap((type) => {
    const values = settings.of(type) as Record<string, unknown>;
    const defaults = new type() as Record<string, unknown>;
    return Array.from(declaredSettings(type), ([name, { show }]) => ({
      name,
      ...(show && values[name] !== undefined && { value: show(values[name] as never) }),
      ...(show && defaults[name] !== undefined && { standard: show(defaults[name] as never) }),
      isSet: !isDeepStrictEqual(values[name], defaults[name]),
    }));
  });
}

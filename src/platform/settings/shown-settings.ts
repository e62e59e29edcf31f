import { isDeepStrictEqual } from 'node:util';
import { declaredSettings } from './setting.js';
import { Settings } from './settings.js';

/** A setting as administrators see it. */
export interface ShownSetting {
  name: string;
  /** Absent when there is none, and when it may be a secret: only what a parser declares as shown is ever shown. */
  value?: string;
  /** Whether it differs from its default. */
  isSet: boolean;
}

/** The settings in force, in the order of declaration, without secrets. */
export function shownSettings(settings: Settings): ShownSetting[] {
  const defaults = new Settings();
  return Array.from(declaredSettings(Settings), ([declared, { show }]) => {
    const name = declared as keyof Settings;
    const value = settings[name];
    return {
      name,
      ...(show && value !== undefined && { value: show(value as never) }),
      isSet: !isDeepStrictEqual(value, defaults[name]),
    };
  });
}

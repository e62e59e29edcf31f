import type { SettingsClass } from './setting.js';
import type { Settings } from './settings.js';

/** Says what is wrong with the setting of this name, if something is, although it is valid by itself. */
type CrossCheck<Declared> = (settings: Declared, name: string) => string | false | undefined;

/** By the name of the setting that the message names. */
type CrossChecks<Declared> = { [Name in keyof Declared]?: CrossCheck<Declared> | CrossCheck<Declared>[] };

const declared = new Map<SettingsClass, [string, CrossCheck<never>][]>();

/** Declares rules for the settings of a class, which may also be about settings of the service. */
export function declareCrossChecks<Declared extends object>(
  type: SettingsClass<Declared>,
  checks: CrossChecks<Settings & Declared>,
): void {
  const entries = Object.entries(checks) as [string, CrossCheck<never> | CrossCheck<never>[]][];
  const added = entries.flatMap(([name, each]) =>
    [each].flat().map((check): [string, CrossCheck<never>] => [name, check]),
  );
  declared.set(type, [...(declared.get(type) ?? []), ...added]);
}

export function setTogether<Other extends string>(other: Other): CrossCheck<{ [Name in Other]?: unknown }> {
  return (settings, name) =>
    (settings[name as Other] === undefined) !== (settings[other] === undefined) &&
    `must be set together with ${other} or not at all`;
}

export function hasNoEffectWithout<Other extends string>(
  other: Other,
): CrossCheck<{ [Name in Other]?: unknown }> {
  return (settings, name) => {
    const value = settings[name as Other];
    const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
    return isSet && settings[other] === undefined && `has no effect unless ${other} is set`;
  };
}

export function liesBetween<Limit extends string>(min: Limit, max: Limit): CrossCheck<Record<Limit, number>> {
  return (settings, name) => {
    const value = settings[name as Limit];
    return (value < settings[min] || value > settings[max]) && `must lie between ${min} and ${max}`;
  };
}

/**
 * The violated rules for the settings of these classes, but none that needs a setting which is invalid by itself.
 * @param settings those of all classes
 */
export function checkTogether(
  types: SettingsClass[],
  settings: object,
  invalid: ReadonlyMap<string, string>,
): [string, string][] {
  return types
    .flatMap((type) => declared.get(type) ?? [])
    .flatMap(([name, check]) => {
      let needsInvalid = invalid.has(name);
      const watched = new Proxy(settings, {
        get: (_, read) => {
          needsInvalid ||= invalid.has(String(read));
          return settings[read as never];
        },
      });
      const fault = check(watched as never, name);
      return fault && !needsInvalid ? [[name, fault] satisfies [string, string]] : [];
    });
}

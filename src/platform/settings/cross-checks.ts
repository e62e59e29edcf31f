import type { SettingsClass } from './setting.js';
import type { Settings } from './settings.js';

/** A rule about several settings, each of which is valid by itself, or about one that more than its parser must know. */
interface CrossCheck<Declared> {
  /** The message names the first one. The rule is not applied while one of them is invalid by itself. */
  among: readonly [keyof Declared & string, ...(keyof Declared & string)[]];
  /** What is wrong with the first one, if something is. */
  fault: (settings: Declared) => string | false | undefined;
}

const crossChecks = new Map<SettingsClass, CrossCheck<never>[]>();

/** Declares rules for the settings of a class, which may also be about settings of the service. */
export function declareCrossChecks<Declared extends object>(
  type: SettingsClass<Declared>,
  checks: CrossCheck<Settings & Declared>[],
): void {
  crossChecks.set(type, [...(crossChecks.get(type) ?? []), ...checks]);
}

export function setTogether<Name extends string>(
  name: Name,
  other: Name,
): CrossCheck<Partial<Record<Name, unknown>>> {
  return {
    among: [name, other],
    fault: (settings) =>
      (settings[name] === undefined) !== (settings[other] === undefined) &&
      `must be set together with ${other} or not at all`,
  };
}

export function hasNoEffectWithout<Name extends string>(
  name: Name,
  other: Name,
): CrossCheck<Partial<Record<Name, unknown>>> {
  return {
    among: [name, other],
    fault: ({ [name]: value, [other]: needed }) => {
      const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
      return isSet && needed === undefined && `has no effect unless ${other} is set`;
    },
  };
}

/**
 * The violated rules for the settings of these classes.
 * @param settings those of all classes
 */
export function checkTogether(
  types: SettingsClass[],
  settings: object,
  invalid: ReadonlyMap<string, string>,
): [string, string][] {
  return types
    .flatMap((type) => crossChecks.get(type) ?? [])
    .filter(({ among }) => !among.some((name) => invalid.has(name)))
    .flatMap(({ among: [name], fault }) => {
      const sentence = fault(settings as never);
      return sentence ? [[name, sentence] satisfies [string, string]] : [];
    });
}

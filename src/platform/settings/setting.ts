/** Parses the text of a setting; throws an Error whose message says what the text must be. */
export interface Parser {
  (text: string): unknown;
  /** How a value is shown. Without it only whether the setting is set is shown, because a value may be a secret. */
  show?: (value: never) => string;
  /** Whether many programs read this variable: its name in lower case counts more, and an empty text is none. */
  isCommon?: boolean;
  /** Whether the processes of an instance may differ in it. */
  isOfOneProcess?: boolean;
}

/** A parser whose values are shown: `show` must leave out credentials, if a value can have any. */
export function shown(parse: Parser, show: (value: never) => string = String): Parser {
  return Object.assign((text: string) => parse(text), parse, { show });
}

/** A parser of a variable that many programs read. */
export function common(parse: Parser): Parser {
  return Object.assign((text: string) => parse(text), parse, { isCommon: true });
}

/** A parser of a setting in which the processes of an instance may differ. */
export function ofOneProcess(parse: Parser): Parser {
  return Object.assign((text: string) => parse(text), parse, { isOfOneProcess: true });
}

/** A class whose properties are settings. */
export type SettingsClass<T extends object = object> = new () => T;

const declared = new Map<SettingsClass, Map<string, Parser>>();

/** Declares a property as a setting of the same name, read by `parse`. */
export function Setting(parse: Parser): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    if ([...declared.values()].some((parsers) => parsers.has(name)))
      throw new Error(`The setting ${name} is declared twice.`);
    const type = target.constructor as SettingsClass;
    declared.set(type, (declared.get(type) ?? new Map<string, Parser>()).set(name, parse));
  };
}

/** The settings of a class with their parsers, in the order of declaration. */
export function declaredSettings(type: SettingsClass): ReadonlyMap<string, Parser> {
  return declared.get(type) ?? new Map<string, Parser>();
}

/** The classes with settings that are loaded. */
export function declaredClasses(): SettingsClass[] {
  return [...declared.keys()];
}

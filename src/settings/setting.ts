/** Parses the text of a setting; throws an Error whose message says what the text must be. */
export interface Parser {
  (text: string): unknown;
  /** How a value is shown. Without it only whether the setting is set is shown, because a value may be a secret. */
  show?: (value: never) => string;
}

/** A parser whose values are shown: `show` must leave out credentials, if a value can have any. */
export function shown(parse: Parser, show: (value: never) => string = String): Parser {
  return Object.assign((text: string) => parse(text), { show });
}

const parsers = new Map<string, Parser>();

/** Declares a property of `Settings` as a setting of the same name, read by `parse`. */
export function Setting(parse: Parser): PropertyDecorator {
  return (_target, name) => {
    parsers.set(String(name), parse);
  };
}

/** Every declared setting with its parser, in the order of declaration. */
export function declaredSettings(): ReadonlyMap<string, Parser> {
  return parsers;
}

/** Parses the text of a setting; throws an Error whose message says what the text must be. */
export type Parse = (text: string) => unknown;

const parsers = new Map<string, Parse>();

/** Declares a property of `Settings` as a setting of the same name, read by `parse`. */
export function Setting(parse: Parse): PropertyDecorator {
  return (_target, name) => {
    parsers.set(String(name), parse);
  };
}

/** Every declared setting with its parser, in the order of declaration. */
export function declaredSettings(): ReadonlyMap<string, Parse> {
  return parsers;
}

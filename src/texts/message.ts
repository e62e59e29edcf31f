import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** What stands for a parameter of a message. */
export type ParameterType = 'Value' | 'number' | 'Markup';

/**
 * The parameters of a message in ICU MessageFormat, with what stands for them.
 * @throws SyntaxError when it is not one, or has dates and times, which have methods of their own
 */
export function parametersOf(message: string): Map<string, ParameterType> {
  const parameters = new Map<string, ParameterType>();
  for (const element of allElements(parse(message))) {
    const { type } = element;
    if (type === TYPE.literal || type === TYPE.pound) continue;
    if (type === TYPE.date || type === TYPE.time)
      throw new SyntaxError(`dates are not supported: ${message}`);
    const isNumber = type === TYPE.number || type === TYPE.plural;
    const known = parameters.get(element.value);
    parameters.set(element.value, type === TYPE.tag ? 'Markup' : isNumber ? 'number' : (known ?? 'Value'));
  }
  return parameters;
}

/** What is wrong with a text that is to replace the one with this key. */
export function faultOf(
  key: string,
  text: unknown,
  originals: Readonly<Record<string, string>>,
): string | undefined {
  const original = Object.hasOwn(originals, key) ? originals[key] : undefined;
  if (original === undefined) return 'there is no such text';
  if (typeof text !== 'string' || text.trim() === '') return 'must be a text';
  try {
    const known = parametersOf(original);
    const unknown = [...parametersOf(text)].find(([name, type]) => !fits(type, known.get(name)));
    if (unknown)
      return `the text has no parameter such as ${unknown[0]}; it has ${[...known.keys()].join(', ') || 'none'}`;
    if (key.startsWith('script.')) scriptMessageOf(text);
  } catch (error) {
    return `is no message in ICU MessageFormat (${(error as Error).message})`;
  }
  return undefined;
}

/** Whether a parameter may be used as `type`: a number also as a text. */
function fits(type: ParameterType, known: ParameterType | undefined): boolean {
  return type === known || (type === 'Value' && known === 'number');
}

/** The elements of a message, with those within its branches and tags. */
export function allElements(elements: MessageFormatElement[]): MessageFormatElement[] {
  return elements.flatMap((element) => [element, ...partsOf(element).flatMap(allElements)]);
}

function partsOf(element: MessageFormatElement): MessageFormatElement[][] {
  if (element.type === TYPE.tag) return [element.children];
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
  return Object.values(element.options).map(({ value }) => value);
}

/** A message for scripts in browsers: text with `{names}`, and plurals as the number's name with the text for each form. */
export type ScriptMessage = (string | [name: string, forms: Record<string, ScriptMessage>])[];

/** A message as scripts in browsers format it, which have no parser for ICU MessageFormat. */
export function scriptMessageOf(message: string): ScriptMessage {
  return compiled(parse(message), '');
}

function compiled(elements: MessageFormatElement[], counted: string): ScriptMessage {
  return elements.map((element) => {
    switch (element.type) {
      case TYPE.literal:
        return element.value;
      case TYPE.argument:
      case TYPE.number:
        return `{${element.value}}`;
      case TYPE.pound:
        return `{${counted}}`;
      case TYPE.plural:
        return [element.value, mapValues(element.options, ({ value }) => compiled(value, element.value))];
      default:
        throw new SyntaxError('only texts, parameters and plurals are supported in scripts');
    }
  });
}

export function mapValues<From, To>(
  object: Record<string, From>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

import type { ComponentChild, VNode } from 'preact';
import type { TextKey } from '../../texts/en.js';
import type { Translator } from '../../texts/translator.js';
import { useSite } from './site.js';

/** The texts in the language of the page. */
export function useTexts(): Translator {
  return useSite().texts;
}

type Part = string | number | VNode | ((content: ComponentChild) => VNode);

/** A text with elements in it: `{name}` is one, and `<name>content</name>` is built by a function. */
export function Sentence({ of, ...parts }: { of: TextKey } & Record<string, Part>) {
  return <>{useTexts().parts<VNode>(of, parts)}</>;
}

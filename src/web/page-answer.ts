import type { VNode } from 'preact';
import type { Translator } from './texts/translator.js';

/** What the script of a page gets instead of a view, as JSON. */
export type ScriptAnswer = (texts: Translator) => object;

/** What a page's handler returns: a view and a status. */
export class PageAnswer {
  constructor(
    readonly view: VNode,
    readonly status = 200,
    readonly forScript?: ScriptAnswer,
  ) {}
}

/** Redirects the browser to one of our pages, with a GET. */
export class SeeOther {
  constructor(readonly path: string) {}
}

import type { VNode } from 'preact';
import type { Request } from 'express';
import type { Translator } from '../../texts/translator.js';

/** What the script of a page gets instead of a view, as JSON. */
export type ScriptResponse = (texts: Translator) => object;

/** What a page's handler returns: a view and a status. */
export class PageResponse {
  constructor(
    readonly view: VNode,
    readonly status = 200,
    readonly forScript?: ScriptResponse,
  ) {}
}

/** What a page's handler returns to a script. */
export class JsonResponse {
  constructor(readonly content: object) {}
}

/** Redirects the browser to one of our pages, with a GET. */
export class SeeOther {
  constructor(readonly path: string) {}
}

/** Redirects the browser to the provider of OpenID Connect, with a GET. */
export class ExternalRedirect {
  constructor(readonly url: string) {}
}

/** Whether a form was sent by the script of its page, which shows the response itself. */
export function asksForJson(request: Request): boolean {
  return request.method === 'POST' && request.accepts(['html', 'json']) === 'json';
}

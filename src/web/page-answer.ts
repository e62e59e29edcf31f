import type { VNode } from 'preact';

/** What a page's handler returns: a view and a status. */
export class PageAnswer {
  constructor(
    readonly view: VNode,
    readonly status = 200,
  ) {}
}

/** Redirects the browser to one of our pages, with a GET. */
export class SeeOther {
  constructor(readonly path: string) {}
}

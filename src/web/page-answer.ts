import type { VNode } from 'preact';

/** What a page's handler answers: a view, with another status than 200 where it says so. */
export class PageAnswer {
  constructor(
    readonly view: VNode,
    readonly status = 200,
  ) {}
}

/** Sends the browser on to a page of ours, with a GET. */
export class SeeOther {
  constructor(readonly path: string) {}
}

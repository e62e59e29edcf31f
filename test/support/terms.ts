import type { Visitor } from '../../src/http/visitor.js';
import type { NewPush } from '../../src/pushes/create/new-push.js';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The time that many milliseconds after another, or before it if negative. */
export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** Terms of a push, for tests that call the services directly because they set its creation time. */
export function someTerms(terms: Partial<NewPush> = {}): NewPush {
  const days = terms.expireAfterDays ?? 7;
  return {
    kind: 'text',
    payload: 'correct horse',
    expireAfterDays: days,
    lifetime: days * DAY_MS,
    expireAfterViews: 5,
    deletableByViewer: false,
    retrievalStep: false,
    clientEncrypted: false,
    ...terms,
  };
}

/** A visitor, for tests that call the services directly. */
export function someVisitor(visitor: Partial<Visitor> = {}): Visitor {
  return { ip: '192.0.2.1', userAgent: '', referrer: '', baseUrl: 'https://push.example.org', ...visitor };
}

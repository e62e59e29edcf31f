import type { Visitor } from '../../src/http/visitor.js';
import type { PushTerms } from '../../src/pushes/create/push-terms.js';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A moment so long after another, or before. */
export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** Terms of a push for the services, where a test needs to say when it is made. */
export function someTerms(terms: Partial<PushTerms> = {}): PushTerms {
  const days = terms.expireAfterDays ?? 7;
  return {
    kind: 'text',
    payload: 'correct horse',
    expireAfterDays: days,
    lifetime: days * DAY_MS,
    expireAfterViews: 5,
    deletableByViewer: false,
    retrievalStep: false,
    ...terms,
  };
}

/** Someone who calls the services. */
export function someVisitor(visitor: Partial<Visitor> = {}): Visitor {
  return { ip: '192.0.2.1', userAgent: '', referrer: '', baseUrl: 'https://push.example.org', ...visitor };
}

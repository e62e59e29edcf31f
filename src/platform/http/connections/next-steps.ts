import { contributedMethod } from '../../contributions/contributions.js';

/** What the operator should do next, at a page. */
export interface NextStepOfOperator {
  message: string;
  /** Of the page. */
  path: string;
  /** Logged with it. */
  more?: object;
}

/** Calls the method before the service listens. What it returns is logged once it does, with the address of the page. */
export const NextStep = contributedMethod<() => Promise<NextStepOfOperator | undefined>>();

import { AsyncLocalStorage } from 'node:async_hooks';

/** What log lines tell of the request in which they were written. */
export const requestContext = new AsyncLocalStorage<{ requestId: string }>();

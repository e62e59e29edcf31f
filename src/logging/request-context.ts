import { AsyncLocalStorage } from 'node:async_hooks';

/** Added to every log line that is written while a request is handled. */
export const requestContext = new AsyncLocalStorage<{ requestId: string }>();

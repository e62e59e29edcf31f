import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request } from 'express';

/**
 * The request that is being handled. Its id is added to every log line that is written meanwhile. The reference is weak,
 * because what begins within a request and stays, such as a connection of the pool, keeps this, but must not keep a body.
 */
export const requestContext = new AsyncLocalStorage<{ requestId: string; request: WeakRef<Request> }>();

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request } from 'express';

/** The request that is being handled. Its id is added to every log line that is written meanwhile. */
export const requestContext = new AsyncLocalStorage<{ requestId: string; request: Request }>();

import type { Request } from 'express';

/** Whether a form was sent by the script of its page, which shows the response itself. */
export function asksForJson(request: Request): boolean {
  return request.method === 'POST' && request.accepts(['html', 'json']) === 'json';
}

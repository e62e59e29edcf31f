import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { LONGEST_TEXT } from '../pushes/create/payload-faults.js';
import type { PushFields } from '../pushes/create/push-body.interceptor.js';

const TEXTS = ['payload', 'note'];
/** Code units of a text that is refused, also when each of its line breaks is one: it need not be looked through. */
const TOO_LONG = 2 * LONGEST_TEXT + 1;
const CHECKBOXES = ['deletable_by_viewer', 'retrieval_step'];

/**
 * Undoes what browsers do to a form, after PushBodyInterceptor has read it: a line feed is sent as two characters,
 * though it was typed as one, and an unchecked box is not sent at all.
 */
@Injectable()
export class FormLinesInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const fields = context.switchToHttp().getRequest<Request>().body as PushFields;
    for (const name of TEXTS) {
      const text = fields[name];
      if (typeof text === 'string' && text.length < TOO_LONG) fields[name] = text.replace(/\r\n/g, '\n');
    }
    for (const name of CHECKBOXES) fields[name] ??= false;
    return next.handle();
  }
}

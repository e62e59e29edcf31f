import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import { applyDecorators, Injectable, Post, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { SHORT_FORM_LIMIT } from '../../http/body/body-limits.js';
import { BodyReader } from '../../http/body/body-reader.js';
import type { FormErrorsInterceptor } from './form-errors.interceptor.js';

/** The text fields of a form that were sent. */
export type Form = Partial<Record<string, string>>;

/** Code units of a text that are shown again with a rejected form. None that is accepted has more. */
export const MAX_SHOWN_AGAIN = 10_000;

/** Reads a form into `request.body`, after the guards. Anything but plain text fields is dropped. */
@Injectable()
export class FormInterceptor implements NestInterceptor {
  constructor(private readonly reader: BodyReader) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const fields = await this.reader.form(request, http.getResponse<Response>(), SHORT_FORM_LIMIT);
    request.body = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => typeof value === 'string'),
    );
    return next.handle();
  }
}

/**
 * A route that accepts a form.
 * @param errors shows the form again when it is rejected
 * @param checks run on the form before its DTO is validated
 */
export const PostForm = (
  path: string | string[],
  errors?: FormErrorsInterceptor | Type<FormErrorsInterceptor>,
  ...checks: Type<NestInterceptor>[]
) => applyDecorators(Post(path), UseInterceptors(...(errors ? [errors] : []), FormInterceptor, ...checks));

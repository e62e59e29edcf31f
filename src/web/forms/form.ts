import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import { applyDecorators, Injectable, Post, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { SHORT_FORM_LIMIT } from '../../http/body/body-limits.js';
import { BodyReader } from '../../http/body/body-reader.js';
import type { FormFaultsInterceptor } from './form-faults.interceptor.js';

/** The fields of a form that are there, each a text. */
export type Form = Partial<Record<string, string>>;

/** Reads a form into `request.body`, after the guards. Whatever is no plain text field is left behind. */
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
 * A route that takes a form.
 * @param faults shows it again when it is refused
 * @param checks look at the form before its DTO is made
 */
export const PostForm = (
  path: string | string[],
  faults?: FormFaultsInterceptor | Type<FormFaultsInterceptor>,
  ...checks: Type<NestInterceptor>[]
) => applyDecorators(Post(path), UseInterceptors(...(faults ? [faults] : []), FormInterceptor, ...checks));

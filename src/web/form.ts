import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { applyDecorators, Injectable, Post, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { readBody, shortFormReader } from '../common/read-body.js';

/** The fields of a form that are there, each a text. */
export type Form = Partial<Record<string, string>>;

/** Reads a form into `request.body`, after the guards. Whatever is no plain text field is left behind. */
@Injectable()
export class FormInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    await readBody(shortFormReader, request, http.getResponse<Response>());
    const fields = Object.entries((request.body ?? {}) as Record<string, unknown>);
    request.body = Object.fromEntries(fields.filter(([, value]) => typeof value === 'string'));
    return next.handle();
  }
}

/** A route that takes a form. */
export const PostForm = (path: string | string[]) =>
  applyDecorators(Post(path), UseInterceptors(FormInterceptor));

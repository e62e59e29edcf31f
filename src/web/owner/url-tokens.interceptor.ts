import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { BadRequestException, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { SHORT_FORM_LIMIT } from '../../http/body/body-limits.js';
import { safeListPath } from '../account/next-path.js';
import { BodyReader } from '../../http/body/body-reader.js';
import { Problem } from '../../errors/problem.js';

/** One page of a list. */
const MAX_TOKENS = 50;

/** Pushes that were selected in a list. */
export interface SelectedPushes {
  /** The tokens of the pushes; the id of one whose token cannot be read. */
  references: string[];
  /** Whether the person has seen which ones. */
  isConfirmed: boolean;
  /** The list that they were selected in. */
  next: string;
}

/** Reads a form with any number of fields `url_tokens` into `request.body`, after the guards. */
@Injectable()
export class UrlTokensInterceptor implements NestInterceptor {
  constructor(private readonly reader: BodyReader) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const fields = await this.reader.form(request, http.getResponse<Response>(), SHORT_FORM_LIMIT);
    const { url_tokens: sent, confirmed, next: list } = fields;
    const references = (Array.isArray(sent) ? sent : [sent]).filter((token) => typeof token === 'string');
    if (references.length > MAX_TOKENS)
      throw new BadRequestException(new Problem('too_many_selected', { count: MAX_TOKENS }));
    request.body = {
      references,
      isConfirmed: confirmed === 'yes',
      next: safeListPath(list),
    } satisfies SelectedPushes;
    return next.handle();
  }
}

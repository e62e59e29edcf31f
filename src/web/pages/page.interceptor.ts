import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { asksForJson } from './asks-for-json.js';
import { PageResponse, SeeOther } from './page-response.js';
import { PageRenderer } from './page-renderer.js';

const SEE_OTHER = 303;

/** Turns what a page's handler returns into HTML, or into a redirect to another page. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (answer instanceof SeeOther) {
          response.status(SEE_OTHER).set('Location', this.renderer.locationOf(answer.path));
          return undefined; // no body, and so no content type
        }
        if (!(answer instanceof PageResponse))
          throw new Error('a page handler must return a PageResponse or a SeeOther');
        response.status(answer.status);
        if (answer.forScript && asksForJson(request))
          return this.renderer.json(answer.forScript, request, response);
        return this.renderer.render(answer.view, request, response);
      }),
    );
  }
}

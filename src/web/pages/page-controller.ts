import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable, applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { asksForJson, ExternalRedirect, JsonResponse, PageResponse, SeeOther } from './page-response.js';
import { PageRenderer } from './page-renderer.js';
import { ReadsCountedAsPages } from '../../platform/throttling/rate-limit.guard.js';

const SEE_OTHER = 303;

/** Turns what a page's handler returns into HTML, or into a redirect to another page. */
@Injectable()
class PageInterceptor implements NestInterceptor {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      map((returned: unknown) => {
        if (returned instanceof SeeOther || returned instanceof ExternalRedirect) {
          const isOwn = returned instanceof SeeOther;
          const location = isOwn ? this.renderer.locationOf(returned.path) : returned.url;
          response.status(SEE_OTHER).set('Location', location);
          return undefined; // no body, and so no content type
        }
        if (returned instanceof JsonResponse)
          return this.renderer.json(() => returned.content, request, response);
        if (!(returned instanceof PageResponse))
          throw new Error('a page handler must return a PageResponse, a JsonResponse or a redirect');
        response.status(returned.status);
        if (returned.forScript && asksForJson(request))
          return this.renderer.json(returned.forScript, request, response);
        return this.renderer.render(returned.view, request, response);
      }),
    );
  }
}

/** A controller whose handlers return pages. */
export const PageController = () =>
  applyDecorators(Controller(), UseInterceptors(PageInterceptor), ReadsCountedAsPages());

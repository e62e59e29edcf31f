import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { Paged } from './list-page.js';
import { PublicUrl } from '../public-url.js';

/** Sends the position of a page in its list as response headers. */
@Injectable()
export class PaginationHeadersInterceptor implements NestInterceptor<Paged<unknown>, unknown> {
  constructor(private readonly publicUrl: PublicUrl) {}

  intercept(context: ExecutionContext, next: CallHandler<Paged<unknown>>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      map((paged) => {
        const list = this.publicUrl.of(request) + request.path;
        const links = Object.entries(paged.links).map(
          ([rel, page]) => `<${list}?page=${page}>; rel="${rel}"`,
        );
        response.set({
          'X-Page': String(paged.page),
          'X-Per-Page': String(paged.perPage),
          'X-Total': String(paged.total),
          'X-Total-Pages': String(paged.totalPages),
          Link: links.join(', '),
        });
        return paged.body;
      }),
    );
  }
}

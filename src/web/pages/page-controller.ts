import type { VNode } from 'preact';
import type { Request, Response } from 'express';
import type { CallHandler, ExecutionContext, HttpException, NestInterceptor } from '@nestjs/common';
import { applyDecorators, Controller, Injectable, UseInterceptors, UsePipes } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, Reflector } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import type { Translator } from '../../texts/translator.js';
import { InMenu } from './menus.js';
import { PageRenderer } from './page-renderer.js';
import { addPage } from './paths.js';
import { setRetryAfter } from '../../platform/http/errors/retry-after.js';
import { validationPipe } from '../../platform/http/validation/validation.pipe.js';
import { ReadsCountedAsPages } from '../../platform/limits/rate-limit.guard.js';

/** What the script of a page gets instead of a view, as JSON. */
export type ScriptResponse = (texts: Translator) => object;

/** What a page's handler returns: a view and a status. */
export class PageResponse {
  constructor(
    readonly view: VNode,
    readonly status = 200,
    readonly forScript?: ScriptResponse,
    readonly error?: HttpException,
  ) {}
}

/** What a page's handler returns to a script. */
export class JsonResponse {
  constructor(readonly content: object) {}
}

/** Redirects the browser to one of our pages, with a GET. */
export class SeeOther {
  constructor(readonly path: string) {}
}

/** Redirects the browser to the provider of OpenID Connect, with a GET. */
export class ExternalRedirect {
  constructor(readonly url: string) {}
}

/** Whether a form was sent by the script of its page, which shows the response itself. */
export function asksForJson(request: Request): boolean {
  return !['GET', 'HEAD'].includes(request.method) && request.accepts(['html', 'json']) === 'json';
}

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
        if (returned.error) setRetryAfter(response, returned.error);
        response.status(returned.status);
        if (returned.forScript && asksForJson(request))
          return this.renderer.json(returned.forScript, request, response);
        return this.renderer.render(returned.view, request, response);
      }),
    );
  }
}

/** Leads visitors back to the page of a GET handler after signing in, as to a page that is in a menu. */
export const ReturnAfterSignIn = Reflector.createDecorator();

const addPages: ClassDecorator = (controller) => {
  const prototype = controller.prototype as Record<string, object>;
  for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
    const handler = prototype[name] as object;
    if ([InMenu.KEY, ReturnAfterSignIn.KEY].some((key) => Reflect.hasMetadata(key, handler)))
      for (const path of [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat())
        addPage(path);
  }
};

/** A controller whose handlers return pages. */
export const PageController = () =>
  applyDecorators(
    Controller(),
    UseInterceptors(PageInterceptor),
    UsePipes(validationPipe),
    ReadsCountedAsPages(),
    addPages,
  );

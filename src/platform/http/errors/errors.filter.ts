import type { Request, Response } from 'express';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import {
  Catch,
  HttpException,
  HttpStatus,
  Injectable,
  Optional,
  ServiceUnavailableException,
} from '@nestjs/common';
import { isUnavailable } from '../../database/errors/database-error.js';
import { ErrorPages } from './error-pages.js';
import { Log } from '../../logging/log.js';
import { setRetryAfter } from './retry-after.js';
import { apiText, Problem, problemOf } from '../../errors/problem.js';

/** Whether a path belongs to the API, which responds in JSON; all other paths are web pages. */
function isApiPath(path: string): boolean {
  return /^\/(api|files|up|ready)(\/|$)/.test(path) || /^\/[pfr](\/.*)?\.json$/.test(path);
}

/** Whether an error is shown as a page: on pages, and when a browser opens a download link instead of a page. */
function showsPage(request: Request): boolean {
  return !isApiPath(request.path) || (isDownload(request) && isNavigation(request));
}

function isDownload({ method, path }: Request): boolean {
  return method === 'GET' && path.startsWith('/files/');
}

/** Browsers prefer HTML when a person opens a link; programs accept anything, or ask for JSON. */
function isNavigation(request: Request): boolean {
  const mode = request.headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && request.accepts(['json', 'html']) === 'html';
}

/**
 * Sends every error as JSON or as a page; internal details are only logged. The JSON contains the key `error`; a 422
 * contains a list of messages for each field instead. The 401 of a passphrase and the 503 of /ready have two more keys.
 * See docs/api.md, Errors and Passphrase.
 */
@Catch()
@Injectable()
export class ErrorsFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    @Optional() private readonly pages?: ErrorPages,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const exception = this.toHttpException(error);
    if (response.headersSent) {
      response.destroy(); // an incomplete response must not look complete
      return;
    }
    if (exception.getStatus() === 401) response.set('WWW-Authenticate', 'Bearer');
    setRetryAfter(response, exception);
    response.status(exception.getStatus());
    if (this.pages && showsPage(request)) {
      this.pages.show(exception, request, response);
    } else {
      response.json(bodyOf(exception));
    }
  }

  private toHttpException(error: unknown): HttpException {
    if (error instanceof HttpException) {
      if (error.getStatus() >= 500 && error.cause !== undefined) this.log.failure(messageOf(error), error);
      return error;
    }
    if (isUnavailable(error)) {
      this.log.failure('The database is unavailable', error);
      return new ServiceUnavailableException(new Problem('unavailable'));
    } else {
      this.log.failure('Unexpected error', error);
      return new HttpException(new Problem('unexpected'), HttpStatus.INTERNAL_SERVER_ERROR);
    }
  }
}

function messageOf(exception: HttpException): string {
  const problem = problemOf(exception);
  return problem instanceof Problem ? apiText(problem) : problem;
}

function bodyOf(exception: HttpException): object {
  if (exception.getStatus() === 404) return { error: 'not-found' };

  const response = exception.getResponse();
  const isOfOurShape =
    typeof response === 'object' && !(response instanceof Problem) && !('statusCode' in response);
  if (!isOfOurShape) return { error: messageOf(exception) };
  return Object.fromEntries(Object.entries(response).map(([name, value]) => [name, withMessages(value)]));
}

/** A member of a response, with the messages of the problems in it. */
function withMessages(value: unknown): unknown {
  if (value instanceof Problem) return apiText(value);
  return Array.isArray(value) ? value.map(withMessages) : value;
}

import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { SignInNeeded } from '../../auth/page-access.js';
import type { User } from '../../auth/user.entity.js';
import { ErrorPages } from '../../http/errors/error-pages.js';
import { asksForJson } from './asks-for-json.js';
import { HomeForm } from '../home/home-form.js';
import type { ScriptResponse } from './page-response.js';
import { PageRenderer } from './page-renderer.js';
import type { FormErrorResponse } from '../home/form-error-response.js';
import { fieldsIn, isKnown } from '../home/returned-fields.js';
import { errorText } from '../texts/error-texts.js';
import { DownloadEnded } from '../views/download-ended.js';
import { Failure, Gone } from '../views/message.js';

/** The link of a push, also in the forms that other servers of this API use: see RedirectsController. */
const LINK = /^(?:\/[a-z]{2}(?:-[A-Z]{2})?)?\/[pfr]\/([^/.]*)/;

/** How a download link that has ended is refused. */
const ENDED = [403, 404, 410];

@Injectable()
export class WebErrorPages extends ErrorPages {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly form: HomeForm,
  ) {
    super();
  }

  show(exception: HttpException, request: Request, response: Response): void {
    if (asksForJson(request)) {
      response.send(this.renderer.json(scriptResponse(exception), request, response));
    } else if (exception instanceof SignInNeeded) {
      response.removeHeader('WWW-Authenticate');
      const path = request.method === 'GET' ? request.url : request.path === '/' ? '/' : undefined;
      const next = path === undefined ? '' : `?next=${encodeURIComponent(path)}`;
      response.redirect(303, this.renderer.locationOf(`/users/sign_in${next}`));
    } else {
      const view = this.formAgain(exception, request) ?? viewOf(exception, request);
      response.send(this.renderer.render(view, request, response));
    }
  }

  /** The form that was sent, if it was read. */
  private formAgain({ message }: HttpException, { method, path, body, user }: Request): VNode | undefined {
    const fields = fieldsIn(body);
    if (method !== 'POST' || path !== '/' || !isKnown(fields)) return undefined;
    return this.form.viewAgain(user as User | undefined, fields, { form: [message] });
  }
}

function scriptResponse({ message }: HttpException): ScriptResponse {
  return (texts): FormErrorResponse => ({ errors: { form: errorText(message, texts) } });
}

function viewOf(exception: HttpException, { path }: Request) {
  const status = exception.getStatus();
  const [link, urlToken = ''] = LINK.exec(path) ?? [];
  if (status === 404 && link !== undefined) return <Gone urlToken={urlToken} />;
  if (ENDED.includes(status) && path.startsWith('/files/')) return <DownloadEnded />;
  return <Failure status={status} message={exception.message} />;
}

import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { SignInNeeded } from '../auth/page-access.js';
import type { User } from '../auth/user.entity.js';
import { ErrorPages } from '../http/error-pages.js';
import { asksForJson } from './asks-for-json.js';
import { HomeForm } from './home-form.js';
import type { ScriptAnswer } from './page-answer.js';
import { PageRenderer } from './page-renderer.js';
import type { RefusedForm } from './refused-form.js';
import { fieldsIn, isKnown } from './returned-fields.js';
import { faultText } from './texts/fault-texts.js';
import { DownloadEnded } from './views/download-ended.js';
import { Failure, Gone } from './views/message.js';
import { NotSent } from './views/not-sent.js';
import type { Resend } from './views/resend.js';

/** The link of a push, also in the forms that other servers of this API use: see RedirectsController. */
const LINK = /^(\/[a-z]{2}(-[A-Z]{2})?)?\/[pfr]\//;

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

  show(refusal: HttpException, request: Request, response: Response): void {
    if (asksForJson(request)) {
      response.send(this.renderer.json(refusedFor(refusal), request, response));
      return;
    }
    if (refusal.getStatus() === 401) response.removeHeader('WWW-Authenticate');
    if (isSenderForm(request)) {
      response.send(this.renderer.render(this.formAgain(refusal, request, response), request, response));
    } else if (refusal instanceof SignInNeeded) {
      const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : '';
      response.redirect(303, this.renderer.locationOf(`/users/sign_in${next}`));
    } else {
      response.send(this.renderer.render(viewOf(refusal, request), request, response));
    }
  }

  /** The form that was sent if it was read, and how to send it again. */
  private formAgain(refusal: HttpException, { body, user }: Request, response: Response): VNode {
    const { message } = refusal;
    const status = refusal.getStatus();
    const resend = resendAfter(status, response);
    const { idempotency_key: key, ...fields } = fieldsIn(body);
    if (!isKnown(fields)) return <NotSent status={status} message={message} resend={resend} />;
    const used = status === 410 ? {} : { idempotency_key: key };
    return this.form.viewAgain(user as User | undefined, { ...fields, ...used }, { form: [message] }, resend);
  }
}

function isSenderForm({ method, path }: Request): boolean {
  return method === 'POST' && path === '/';
}

/** Undefined where sending the form again as it is would be refused again. */
function resendAfter(status: number, response: Response): Resend | undefined {
  if (status === 401) return 'signing in';
  if (status !== 429 && status < 500) return undefined;
  return Number(response.get('Retry-After') ?? 0);
}

function refusedFor({ message }: HttpException): ScriptAnswer {
  return (texts): RefusedForm => ({ faults: { form: faultText(message, texts) } });
}

function viewOf(refusal: HttpException, { path }: Request) {
  const status = refusal.getStatus();
  if (status === 404 && LINK.test(path)) return <Gone />;
  if (ENDED.includes(status) && path.startsWith('/files/')) return <DownloadEnded />;
  return <Failure status={status} message={refusal.message} />;
}

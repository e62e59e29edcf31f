import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { SecondFactorNeeded } from '../auth/errors/second-factor-needed.js';
import { SignInNeeded } from '../auth/errors/sign-in-needed.js';
import type { Problem } from '../platform/errors/problem.js';
import { problemOf } from '../platform/errors/problem.js';
import { ErrorPages } from '../platform/http/errors/error-pages.js';
import { retryAfter } from '../platform/http/errors/retry-after.js';
import type { ScriptResponse } from './pages/page-controller.js';
import { asksForJson } from './pages/page-controller.js';
import { HomeForm } from './sender/home.page.js';
import { PageRenderer } from './pages/page-renderer.js';
import type { FormErrorResponse } from '../shared/form-responses.js';
import { isKnown } from './sender/form-fields.js';
import { errorText } from './language/error-texts.js';
import { Lede } from './components/heading.js';
import { Failure, Gone, RecipientMessage } from './components/message.js';
import type { Resend } from './sender/resend.js';
import { ResendAdvice } from './sender/resend.js';
import { useTexts } from './components/site.js';

/** The link of a push, also in the forms that other servers of this API use: see RedirectsController. */
const LINK = /^(?:\/[a-z]{2}(?:-[A-Z]{2})?)?\/[pfr]\/([^/.]*)/;

/** How a download link that has ended is rejected. */
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
      return;
    }
    if (exception.getStatus() === 401) response.removeHeader('WWW-Authenticate');
    if (isSenderForm(request)) {
      response.send(this.renderer.render(this.formAgain(exception, request), request, response));
    } else if (exception instanceof SignInNeeded) {
      const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : '';
      response.redirect(303, this.renderer.locationOf(`/users/sign_in${next}`));
    } else if (exception instanceof SecondFactorNeeded) {
      response.redirect(303, this.renderer.locationOf('/users/second_factor'));
    } else {
      response.send(this.renderer.render(viewOf(exception, request), request, response));
    }
  }

  /** The form that was sent if it was read, and how to send it again. */
  private formAgain(exception: HttpException, request: Request): VNode {
    const problem = problemOf(exception);
    const status = exception.getStatus();
    const resend = resendAfter(exception);
    const { idempotency_key: key, ...fields } = request.creation?.fields ?? {};
    if (!isKnown(fields)) return <NotSent status={status} problem={problem} resend={resend} />;
    const used = status === 410 ? {} : { idempotency_key: key };
    return this.form.viewAgain(request, { ...fields, ...used }, { form: [problem] }, resend);
  }
}

function isSenderForm({ method, path }: Request): boolean {
  return method === 'POST' && path === '/';
}

/** Undefined where sending the form again as it is would be rejected again. */
function resendAfter(exception: HttpException): Resend | undefined {
  const status = exception.getStatus();
  if (status === 401) return 'signing in';
  if (status !== 429 && status < 500) return undefined;
  return retryAfter(exception) ?? 0;
}

function scriptResponse(exception: HttpException): ScriptResponse {
  return (texts): FormErrorResponse => ({ errors: { form: errorText(problemOf(exception), texts) } });
}

function viewOf(exception: HttpException, { path }: Request) {
  const status = exception.getStatus();
  const [link, urlToken = ''] = LINK.exec(path) ?? [];
  if (status === 404 && link !== undefined)
    return <Gone urlToken={urlToken} isOfSender={path.endsWith('/preview')} />;
  if (ENDED.includes(status) && path.startsWith('/files/')) return <DownloadEnded />;
  return <Failure status={status} problem={problemOf(exception)} />;
}

/** A download link that has ended, was altered or never existed. */
function DownloadEnded() {
  const t = useTexts();
  return (
    <RecipientMessage title={t.text('downloadEnded.title')}>
      <Lede>{t.text('downloadEnded.text')}</Lede>
      <Lede>{t.text('downloadEnded.advice')}</Lede>
    </RecipientMessage>
  );
}

interface NotSentProps {
  status: number;
  problem: Problem | string;
  resend: Resend | undefined;
}

/** The error of a form that was not read, so that it cannot be shown again. */
function NotSent({ status, problem, resend }: NotSentProps) {
  return (
    <Failure status={status} problem={problem}>
      {resend !== undefined && (
        <p>
          <ResendAdvice resend={resend} /> {useTexts().text('resend.back')}
        </p>
      )}
    </Failure>
  );
}

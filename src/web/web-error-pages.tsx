import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInNeeded } from '../auth/page-access.js';
import { ErrorPages } from '../http/error-pages.js';
import { PageRenderer } from './page-renderer.js';
import { DownloadEnded } from './views/download-ended.js';
import { Failure, Gone } from './views/message.js';

/** The link of a push, also in the forms that other servers of this API use: see RedirectsController. */
const LINK = /^(\/[a-z]{2}(-[A-Z]{2})?)?\/[pfr]\//;

/** How a download link that has ended is refused. */
const ENDED = [403, 404, 410];

@Injectable()
export class WebErrorPages extends ErrorPages {
  constructor(private readonly renderer: PageRenderer) {
    super();
  }

  show(refusal: HttpException, request: Request, response: Response): void {
    if (refusal instanceof SignInNeeded) {
      response.removeHeader('WWW-Authenticate');
      const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : '';
      response.redirect(303, this.renderer.locationOf(`/users/sign_in${next}`));
    } else {
      response.send(this.renderer.render(viewOf(refusal, request), request, response));
    }
  }
}

function viewOf(refusal: HttpException, { path }: Request) {
  const status = refusal.getStatus();
  if (status === 404 && LINK.test(path)) return <Gone />;
  if (ENDED.includes(status) && path.startsWith('/files/')) return <DownloadEnded />;
  return <Failure status={status} message={refusal.message} />;
}

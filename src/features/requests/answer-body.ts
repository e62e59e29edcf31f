import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { clientAddress, VisitorPipe } from '../../platform/http/visitor.js';
import { Cookies } from '../../platform/http/cookies.js';
import type { AnswerBody, PushBodyOptions } from '../../pushes/create/push-body.pipe.js';
import { RequestedPush } from '../../pushes/create/push-body.pipe.js';
import { readPassphrase } from '../../pushes/retrieve/opening-proof.js';
import { AnswersService } from './answers.service.js';
import { passCookieOf } from './request-pass.js';
import type { FoundRequest } from './requests.service.js';

/** The request that is being answered, and how the body of the answer is read. */
interface Answering {
  found: FoundRequest;
  body: AnswerBody;
}

type AnsweringRequest = Request & { answering?: Answering };

/**
 * Finds the request that an answer is for, before anything of its body is read. An interceptor, so that the one that
 * shows a rejected form again sees its errors.
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly answers: AnswersService,
    private readonly visitors: VisitorPipe,
    private readonly cookies: Cookies,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<AnsweringRequest>();
    const { url_token: urlToken } = request.params as { url_token: string };
    await this.answers.assertNotTooOften(clientAddress(request));
    const proof = {
      passphrase: readPassphrase(request),
      pass: this.cookies.read(request, passCookieOf(urlToken)),
    };
    const found = await this.answers.findOpen(urlToken, proof, this.visitors.transform(request));
    request.answering = { found, body: await this.answers.bodyOf(found) };
    return next.handle();
  }
}

function answeringOf({ answering }: AnsweringRequest): Answering {
  if (!answering) throw new Error('The route has no AnswerInterceptor.');
  return answering;
}

/** Parameter decorator: the request that is answered. */
export const AnsweredRequest = createParamDecorator(
  (_: unknown, context) => answeringOf(context.switchToHttp().getRequest<AnsweringRequest>()).found,
);

/** Parameter decorator: the answer, in the form of a push that is requested. */
export const Answer = (options: Omit<PushBodyOptions, 'answer'> = { key: 'request' }) =>
  RequestedPush({ ...options, answer: (request) => answeringOf(request).body });

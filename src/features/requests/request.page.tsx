import { SecretRequestSettings } from './requests.settings.js';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import {
  applyDecorators,
  Body,
  Get,
  Injectable,
  Param,
  Post,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { catchError, of } from 'rxjs';
import { EnabledBy, PublicPage, SignedInPage } from '../../auth/access.decorators.js';
import type { AnswerSource } from './answer-source.js';
import { AnswerSourcePipe } from './answer-source.js';
import { AnswersService } from './answers.service.js';
import { OpenSecretRequestsService } from './open-requests.service.js';
import { passCookieOf, SecretRequestPassphrases } from './secret-request-passphrases.js';
import type { FoundSecretRequest } from './requests.service.js';
import { SecretRequestsService } from './requests.service.js';
import { FileRules } from '../../files/file-rules.js';
import { Problem } from '../../platform/errors/problem.js';
import { Cookies } from '../../platform/http/cookies.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import { CloseSignal } from '../../platform/http/close-signal.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor, VisitorPipe } from '../../platform/http/visitor.js';
import { RequestedPush } from '../../pushes/create/push-body.pipe.js';
import type { Creation } from '../../pushes/create/push-body.pipe.js';
import type { AnsweredResponse } from '../../shared/form-responses.js';
import type { FormFields } from '../../web/components/filled-form.js';
import type { RejectedForm, ShownAgain } from '../../web/forms/form.js';
import { PostForm, ShowsAgain } from '../../web/forms/form.js';
import {
  PageController,
  PageResponse,
  SeeOther,
  ReturnAfterSignIn,
} from '../../web/pages/page-controller.js';
import { CurrentIdempotencyKey, idempotencyKeyOf } from '../../web/pages/parameters.js';
import { UrlTokenPipe } from '../../web/pages/paths.js';
import { undoLineBreaks } from '../../web/sender/form-fields.js';
import { AnswerForm, AskForPassphrase, Closed, Sent } from './answer.view.js';
import { OwnRequest } from './own-request.view.js';

/** A form that is sent again with the same key, because the response was lost, is no second answer. */
@Injectable()
class RepeatedAnswerInterceptor implements NestInterceptor {
  constructor(private readonly answers: AnswersService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const urlToken = String(request.params.url_token);
    const key = idempotencyKeyOf(request);
    if (key !== undefined && (await this.answers.hasAnswered(urlToken, key))) return of(sent(urlToken));
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        // the first one may have been committed since
        if (key !== undefined && (await this.answers.hasAnswered(urlToken, key))) return sent(urlToken);
        throw error;
      }),
    );
  }
}

/** A route for the form of an answer, which is shown again when it is rejected, unless it was sent before. */
const PostAnswer = (path: string, options: ShownAgain<RequestController>) =>
  applyDecorators(Post(path), ShowsAgain(options), UseInterceptors(RepeatedAnswerInterceptor));

function sent(urlToken: string): PageResponse {
  return new PageResponse(<Sent />, 201, (): AnsweredResponse => ({ path: `requests/${urlToken}/sent` }));
}

/** The page behind the link of a request: its owner sees the answers, everybody else the form to answer. */
@PageController()
@EnabledBy(SecretRequestSettings, 'ENABLE_REQUESTS')
export class RequestController {
  constructor(
    private readonly requests: SecretRequestsService,
    private readonly openRequests: OpenSecretRequestsService,
    private readonly answers: AnswersService,
    private readonly fileRules: FileRules,
    private readonly passphrases: SecretRequestPassphrases,
    private readonly cookies: Cookies,
    private readonly visitors: VisitorPipe,
  ) {}

  @Get('requests/:url_token')
  @ReturnAfterSignIn()
  @PublicPage()
  @OnGateway()
  async show(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @CloseSignal() signal: AbortSignal,
    @Req() request: Request,
  ): Promise<PageResponse> {
    const found = await this.requests.find(urlToken);
    if (found.row.isOwnedBy(visitor.userId))
      return new PageResponse(
        <OwnRequest {...await this.requests.describeWithAnswers(found, visitor, signal)} />,
      );
    return this.form(urlToken, visitor, request);
  }

  @PostAnswer('requests/:url_token', {
    again: (page, form) => page.formAgain(form),
    statuses: { 401: 401, 410: 410 },
  })
  @PublicPage()
  @OnGateway()
  async answer(
    @RequestedPush(AnswerSourcePipe, { key: 'push', prepareForm: undoLineBreaks })
    { source: { answered }, push }: Creation<AnswerSource>,
    @CurrentVisitor() visitor: Visitor,
    @CurrentIdempotencyKey() idempotencyKey: string | undefined,
  ): Promise<PageResponse> {
    await this.answers.answer(answered, push, visitor, { idempotencyKey });
    return sent(answered.texts.urlToken);
  }

  /** The page after an answer that a script has sent. */
  @Get('requests/:url_token/sent')
  @PublicPage()
  @OnGateway()
  async showSent(@Param('url_token', UrlTokenPipe) urlToken: string): Promise<PageResponse> {
    await this.requests.find(urlToken); // otherwise a 404
    return new PageResponse(<Sent />);
  }

  @PostForm('requests/:url_token/passphrase', {
    again: (_page, { request: { params }, errors }) => {
      const urlToken = String(params.url_token);
      return errors.form ? <Closed urlToken={urlToken} /> : <AskForPassphrase urlToken={urlToken} />;
    },
    field: 'passphrase',
    statuses: { 401: 422, 410: 410, 429: 429 },
  })
  @PublicPage()
  @OnGateway()
  async enterPassphrase(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @Body() { passphrase }: FormFields,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const found = await this.openRequests.find(urlToken, { passphrase }, visitor);
    this.cookies.set(this.passphrases.passCookie(found), request, response);
    return new SeeOther(`/requests/${urlToken}`);
  }

  @PostForm('requests/:url_token/close')
  @SignedInPage()
  async close(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<SeeOther> {
    await this.requests.findOwn(urlToken, visitor); // to others it is a 404
    await this.requests.close(urlToken, visitor);
    return new SeeOther(`/requests/${urlToken}`);
  }

  /** Where a mail about answers leads. */
  @Get('requests/answered/:id')
  @ReturnAfterSignIn()
  @SignedInPage()
  async showAnswered(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<SeeOther> {
    const { texts } = await this.requests.findOwnById(id, visitor);
    return new SeeOther(`/requests/${texts.urlToken}`);
  }

  /** What whoever has the link sees. */
  private async form(urlToken: string, visitor: Visitor, request: Request): Promise<PageResponse> {
    const pass = this.cookies.read(request, passCookieOf(urlToken));
    const found = await this.openRequests.look(urlToken, pass, visitor);
    if (found === 'closed') return new PageResponse(<Closed urlToken={urlToken} />, 410);
    if (found === 'protected') return new PageResponse(<AskForPassphrase urlToken={urlToken} />);
    return new PageResponse(await this.answerForm(found, visitor));
  }

  private async answerForm(found: FoundSecretRequest, visitor: Visitor) {
    const request = await this.requests.describe(found, visitor);
    return <AnswerForm request={request} rules={this.fileRules} />;
  }

  /** The form as it was sent, without the secret. */
  private async formAgain({ request, errors }: RejectedForm) {
    const urlToken = String(request.params.url_token);
    const found = await this.requests.find(urlToken);
    if (errors.passphrase) return <AskForPassphrase urlToken={urlToken} />;
    if (errors.form?.some(isClosed)) return <Closed urlToken={urlToken} hasTyped />;
    return this.answerForm(found, this.visitors.transform(request));
  }
}

function isClosed(problem: Problem | string): boolean {
  return problem instanceof Problem && problem.code === 'request_closed';
}

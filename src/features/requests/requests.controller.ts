import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { Anonymous, EnabledBy, ForTokens } from '../../auth/access.decorators.js';
import type { Paged } from '../../platform/http/paging/list-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { PaginationHeadersInterceptor } from '../../platform/http/paging/pagination-headers.interceptor.js';
import { CloseSignal } from '../../platform/http/close-signal.js';
import { SecretRequestSettings } from './requests.settings.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import type { Creation } from '../../pushes/create/push-body.pipe.js';
import { RequestedPush } from '../../pushes/create/push-body.pipe.js';
import { Passphrase } from '../../pushes/retrieve/retrieval.js';
import type { AnswerSource } from './answer-source.js';
import { AnswerSourcePipe } from './answer-source.js';
import { AnswersService } from './answers.service.js';
import { OpenSecretRequestsService } from './open-requests.service.js';
import { NewRequestFields } from './secret-request.pipe.js';
import type { NewSecretRequest } from './create-request.dto.js';
import type {
  AnsweredDto,
  ClosedRequestDto,
  OwnRequestDto,
  RequestAuditEntryDto,
  RequestDto,
  RequestPreviewDto,
  RequestWithAnswersDto,
} from './request.dto.js';
import { SecretRequestsService } from './requests.service.js';
import { ApiFeature } from '../../version/version.service.js';

@Controller('api/v2/requests')
@EnabledBy(SecretRequestSettings, 'ENABLE_REQUESTS_API')
export class SecretRequestsController {
  constructor(
    private readonly requests: SecretRequestsService,
    private readonly openRequests: OpenSecretRequestsService,
    private readonly answers: AnswersService,
    private readonly settings: SecretRequestSettings,
  ) {}

  @ApiFeature('requests')
  isEnabled(): boolean {
    return this.settings.ENABLE_REQUESTS_API;
  }

  /** Asks for a secret. */
  @Post()
  create(
    @NewRequestFields() request: NewSecretRequest,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<OwnRequestDto> {
    return this.requests.create(request, visitor);
  }

  /** Lists the caller's open requests, newest first. */
  @Get('open')
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  listOpen(
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<OwnRequestDto[]>> {
    return this.requests.list('open', visitor, ListPage.parse(page));
  }

  /** Lists the caller's closed requests, the one that was closed last first. */
  @Get('closed')
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  listClosed(
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<OwnRequestDto[]>> {
    return this.requests.list('closed', visitor, ListPage.parse(page));
  }

  /** Returns what is asked; to the owner also the answers. */
  @Get(':url_token')
  @Anonymous()
  @OnGateway()
  show(
    @Param('url_token') urlToken: string,
    @Passphrase() passphrase: string | undefined,
    @CurrentVisitor() visitor: Visitor,
    @CloseSignal() signal: AbortSignal,
  ): Promise<RequestWithAnswersDto | RequestDto | ClosedRequestDto> {
    return this.openRequests.show(urlToken, passphrase, visitor, signal);
  }

  /** Returns the full URL of a request. */
  @Get(':url_token/preview')
  @Anonymous()
  @OnGateway()
  async preview(
    @Param('url_token') urlToken: string,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<RequestPreviewDto> {
    return { url: this.requests.preview(await this.requests.find(urlToken), visitor) };
  }

  /** Lists what happened to a request, oldest first. */
  @Get(':url_token/audit')
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  async listAudit(
    @Param('url_token') urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<{ logs: RequestAuditEntryDto[] }>> {
    return (await this.requests.listAudit(urlToken, visitor, page)).map((logs) => ({ logs }));
  }

  /** Answers a request. */
  @Post(':url_token/respond')
  @Anonymous()
  @OnGateway()
  respond(
    @RequestedPush(AnswerSourcePipe, { key: 'request' }) { source, push }: Creation<AnswerSource>,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<AnsweredDto> {
    return this.answers.answer(source.answered, push, visitor);
  }

  /** The same for clients that send a PATCH. */
  @Patch(':url_token/respond')
  @HttpCode(201)
  @Anonymous()
  @OnGateway()
  respondByPatch(
    @RequestedPush(AnswerSourcePipe, { key: 'request' }) { source, push }: Creation<AnswerSource>,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<AnsweredDto> {
    return this.answers.answer(source.answered, push, visitor);
  }

  /** Closes a request: it takes no more answers. */
  @Delete(':url_token')
  close(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<OwnRequestDto> {
    return this.requests.close(urlToken, visitor);
  }
}

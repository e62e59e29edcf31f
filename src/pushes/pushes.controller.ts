import {
  Controller,
  Delete,
  Get,
  Head,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { Anonymous, ForTokens } from '../auth/access.decorators.js';
import type { Paged } from '../platform/http/paging/list-page.js';
import { ListPage } from '../platform/http/paging/list-page.js';
import { PaginationHeadersInterceptor } from '../platform/http/paging/pagination-headers.interceptor.js';
import { QueuedByAccount } from '../platform/limits/account-queues.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import type { Visitor } from '../platform/http/visitor.js';
import { CurrentVisitor } from '../platform/http/visitor.js';
import type { AuditEntryWithMailsDto } from './audit-log/audit-entry-with-mails.dto.js';
import { PushAuditService } from './audit-log/push-audit.service.js';
import { ChangesService } from './change/changes.service.js';
import { CreationsService } from './create/creations.service.js';
import type { CreatedPushDto } from './create/create-push.dto.js';
import type { Creation, VisitorSource } from './create/push-body.pipe.js';
import { RequestedPush, ApiSourcePipe } from './create/push-body.pipe.js';
import type { PushFields } from './fields/push-fields.js';
import { ShortBody } from './fields/push-fields.js';
import { LinkMailsService } from './link-mails/link-mails.service.js';
import { MailsQueuedDto } from './link-mails/notify-by-email.dto.js';
import type { OwnPushDto, PreviewDto, PushDto, RetrievedPushDto } from './push/push.dto.js';
import { PushesService } from './push/pushes.service.js';
import type { OpeningCredentials } from './retrieve/retrieval.js';
import { CurrentCredentials } from './retrieve/retrieval.js';
import { CodeRequestedDto } from './recipients/code-requested.dto.js';
import { askedCodeIn, CodeRequestsService } from './recipients/code-requests.service.js';
import { RetrievalsService } from './retrieve/retrievals.service.js';

@Controller('api/v2/pushes')
export class PushesController {
  constructor(
    private readonly pushes: PushesService,
    private readonly creations: CreationsService,
    private readonly retrievals: RetrievalsService,
    private readonly changes: ChangesService,
    private readonly linkMails: LinkMailsService,
    private readonly codeRequests: CodeRequestsService,
    private readonly audit: PushAuditService,
  ) {}

  /** Creates a push. */
  @Post()
  @Anonymous()
  @ForTokens('create')
  create(
    @RequestedPush(ApiSourcePipe) { push }: Creation<VisitorSource>,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<CreatedPushDto> {
    return this.creations.create(push, visitor);
  }

  /** Lists the caller's active pushes, newest first. */
  @Get('active')
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  listActive(@CurrentVisitor() visitor: Visitor, @Query('page') page: unknown): Promise<Paged<OwnPushDto[]>> {
    return this.pushes.listActive(visitor, ListPage.parse(page));
  }

  /** Lists the caller's expired pushes, newest first. */
  @Get('expired')
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  listExpired(
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<OwnPushDto[]>> {
    return this.pushes.listExpired(visitor, ListPage.parse(page));
  }

  /** Checks whether a push exists, without counting anything. */
  @Head(':url_token') // before GET, which would also handle it
  @Anonymous()
  @OnGateway()
  assertExists(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<void> {
    return this.pushes.assertExists(urlToken, visitor);
  }

  /** Retrieves a push, which counts as one view. */
  @Get(':url_token')
  @Anonymous()
  @OnGateway()
  retrieve(
    @Param('url_token') urlToken: string,
    @CurrentCredentials() credentials: OpeningCredentials,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<RetrievedPushDto> {
    return this.retrievals.retrieve(urlToken, credentials, visitor);
  }

  /** Mails a recipient of a push the code that opens it. */
  @Post(':url_token/code')
  @HttpCode(202)
  @Anonymous()
  @OnGateway()
  async mailCode(
    @Param('url_token') urlToken: string,
    @ShortBody() fields: PushFields,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<CodeRequestedDto> {
    await this.codeRequests.ask(urlToken, askedCodeIn(fields), visitor);
    return CodeRequestedDto.create();
  }

  /** Returns the full URL of a push. */
  @Get(':url_token/preview')
  @Anonymous()
  @OnGateway()
  preview(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<PreviewDto> {
    return this.pushes.preview(urlToken, visitor);
  }

  /** Lists what happened to a push, oldest first. */
  @Get(':url_token/audit')
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  async listAudit(
    @Param('url_token') urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<{ logs: AuditEntryWithMailsDto[] }>> {
    return (await this.audit.listWithMails(urlToken, visitor, page)).map((logs) => ({ logs }));
  }

  /** Mails the link of a push to others. */
  @Post(':url_token/notify_emails')
  async mailLink(
    @Param('url_token') urlToken: string,
    @ShortBody() fields: PushFields,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<MailsQueuedDto> {
    await this.linkMails.send(urlToken, fields, visitor);
    return MailsQueuedDto.create();
  }

  /** Lowers the limits of a push. */
  @Patch(':url_token')
  change(
    @Param('url_token') urlToken: string,
    @ShortBody({ key: 'push' }) fields: PushFields,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<OwnPushDto> {
    return this.changes.change(urlToken, fields, visitor);
  }

  /** Expires a push at once. */
  @Delete(':url_token')
  @Anonymous()
  @OnGateway()
  delete(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<PushDto> {
    return this.pushes.delete(urlToken, visitor);
  }
}

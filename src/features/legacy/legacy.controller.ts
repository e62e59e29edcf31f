import {
  Controller,
  Delete,
  Get,
  Head,
  HttpCode,
  Options,
  Param,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import type { AuditEntryDto } from '../../audit/audit-entry.dto.js';
import { Anonymous, ForTokens, Public } from '../../auth/access.decorators.js';
import type { Paged } from '../../platform/http/paging/list-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { PaginationHeadersInterceptor } from '../../platform/http/paging/pagination-headers.interceptor.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { PushAuditService } from '../../pushes/audit-log/push-audit.service.js';
import type { CreatedPushDto } from '../../pushes/create/create-push.dto.js';
import type { OwnPushDto, PreviewDto, PushDto, RetrievedPushDto } from '../../pushes/push/push.dto.js';
import type { Creation, VisitorSource } from '../../pushes/create/push-body.pipe.js';
import { RequestedPush, ApiSourcePipe } from '../../pushes/create/push-body.pipe.js';
import { CreationsService } from '../../pushes/create/creations.service.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import type { OpeningCredentials } from '../../pushes/retrieve/retrieval.js';
import { CurrentCredentials } from '../../pushes/retrieve/retrieval.js';
import { RetrievalsService } from '../../pushes/retrieve/retrievals.service.js';
import { VersionService } from '../../version/version.service.js';

/** The same path under each of the three prefixes. Pushes of every kind can be read under each of them. */
const under = (path: string) => ['p', 'f', 'r'].map((prefix) => `${prefix}/${path}`);

/** Version 1 of the API: other names for the same services. Without `.json` these paths are web pages. */
@Controller()
export class LegacyController {
  constructor(
    private readonly pushes: PushesService,
    private readonly creations: CreationsService,
    private readonly retrievals: RetrievalsService,
    private readonly audit: PushAuditService,
  ) {}

  /** Allows pages of any origin to create pushes, with or without an API token. */
  @Options('p.json')
  @Public()
  @HttpCode(204)
  preflight(): void {
    // the headers are set before any guard, by LegacyModule
  }

  /** Creates a push of any kind. */
  @Post('p.json')
  @Anonymous()
  @ForTokens('create')
  create(
    @RequestedPush(ApiSourcePipe, { key: 'password' }) { push }: Creation<VisitorSource>,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<CreatedPushDto> {
    return this.creations.create(push, visitor);
  }

  /** Creates a file push. */
  @Post('f.json')
  @ForTokens('create')
  createFilePush(
    @RequestedPush(ApiSourcePipe, { key: 'file_push', kind: 'file' }) { push }: Creation<VisitorSource>,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<CreatedPushDto> {
    return this.creations.create(push, visitor);
  }

  /** Creates a URL push. */
  @Post('r.json')
  @ForTokens('create')
  createUrlPush(
    @RequestedPush(ApiSourcePipe, { key: 'url', kind: 'url' }) { push }: Creation<VisitorSource>,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<CreatedPushDto> {
    return this.creations.create(push, visitor);
  }

  /** Lists the caller's active pushes, newest first. */
  @Get(under('active.json'))
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  listActive(@CurrentVisitor() visitor: Visitor, @Query('page') page: unknown): Promise<Paged<OwnPushDto[]>> {
    return this.pushes.listActive(visitor, ListPage.parse(page));
  }

  /** Lists the caller's expired pushes, newest first. */
  @Get(under('expired.json'))
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
  @Head(under(':url_token.json'))
  @Anonymous()
  @OnGateway()
  assertExists(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<void> {
    return this.pushes.assertExists(urlToken, visitor);
  }

  /** Retrieves a push, which counts as one view. */
  @Get(under(':url_token.json'))
  @Anonymous()
  @OnGateway()
  retrieve(
    @Param('url_token') urlToken: string,
    @CurrentCredentials() credentials: OpeningCredentials,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<RetrievedPushDto> {
    return this.retrievals.retrieve(urlToken, credentials, visitor);
  }

  /** Returns the full URL of a push. */
  @Get(under(':url_token/preview.json'))
  @Anonymous()
  @OnGateway()
  preview(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<PreviewDto> {
    return this.pushes.preview(urlToken, visitor);
  }

  /** Lists what happened to a push, oldest first. */
  @Get(under(':url_token/audit.json'))
  @ForTokens('read')
  @QueuedByAccount()
  @UseInterceptors(PaginationHeadersInterceptor)
  async listAudit(
    @Param('url_token') urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<{ views: AuditEntryDto[] }>> {
    return (await this.audit.list(urlToken, visitor, page)).map((views) => ({ views }));
  }

  /** Expires a push at once. */
  @Delete(under(':url_token.json'))
  @Anonymous()
  @OnGateway()
  delete(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<PushDto> {
    return this.pushes.delete(urlToken, visitor);
  }
}

const API_VERSION = '1.5';

@Controller('api/v1/version')
@OnGateway()
export class LegacyVersionController {
  constructor(private readonly version: VersionService) {}

  /** Returns the versions of the service and of this API. */
  @Get()
  @Public()
  describe() {
    const { application_version, edition } = this.version.describe();
    return { application_version, api_version: API_VERSION, edition };
  }
}

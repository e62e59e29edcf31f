import { Body, Controller, Delete, Get, Head, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import type { AuditEntryDto } from '../audit/audit-entry.dto.js';
import { Anonymous } from '../auth/openness.js';
import type { Paged } from '../common/page.js';
import { Page } from '../common/page.js';
import { PagedInterceptor } from '../common/paged.interceptor.js';
import type { Visitor } from '../common/visitor.js';
import { CurrentVisitor } from '../common/visitor.js';
import { CreatePushPipe } from './create-push.pipe.js';
import { PushBodyInterceptor } from './push-body.interceptor.js';
import { Passphrase } from './passphrase-parameter.js';
import type { OwnPushDto, PreviewDto, PushDto, RetrievedPushDto } from './push.dto.js';
import type { PushTerms } from './push-terms.js';
import { PushesService } from './pushes.service.js';
import { RetrievalsService } from './retrievals.service.js';

@Controller('api/v2/pushes')
export class PushesController {
  constructor(
    private readonly pushes: PushesService,
    private readonly retrievals: RetrievalsService,
  ) {}

  /** Creates a push. */
  @Post()
  @Anonymous()
  @UseInterceptors(PushBodyInterceptor)
  create(@Body(CreatePushPipe) terms: PushTerms, @CurrentVisitor() visitor: Visitor): Promise<OwnPushDto> {
    return this.pushes.create(terms, visitor);
  }

  /** Lists the caller's active pushes, newest first. */
  @Get('active')
  @UseInterceptors(PagedInterceptor)
  listActive(@CurrentVisitor() visitor: Visitor, @Query('page') page: unknown): Promise<Paged<OwnPushDto[]>> {
    return this.pushes.listActive(visitor, Page.parse(page));
  }

  /** Lists the caller's expired pushes, newest first. */
  @Get('expired')
  @UseInterceptors(PagedInterceptor)
  listExpired(
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<OwnPushDto[]>> {
    return this.pushes.listExpired(visitor, Page.parse(page));
  }

  /** Tells whether there is such a push, and counts nothing. Comes before GET, which would answer HEAD too. */
  @Head(':url_token')
  @Anonymous()
  assertExists(@Param('url_token') urlToken: string): Promise<void> {
    return this.pushes.assertExists(urlToken);
  }

  /** Retrieves a push, which counts as one view. */
  @Get(':url_token')
  @Anonymous()
  retrieve(
    @Param('url_token') urlToken: string,
    @Passphrase() passphrase: string | undefined,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<RetrievedPushDto> {
    return this.retrievals.retrieve(urlToken, passphrase, visitor);
  }

  /** Tells the full address of a push. */
  @Get(':url_token/preview')
  @Anonymous()
  preview(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<PreviewDto> {
    return this.pushes.preview(urlToken, visitor);
  }

  /** Lists what happened to a push, oldest first. */
  @Get(':url_token/audit')
  @UseInterceptors(PagedInterceptor)
  listAudit(
    @Param('url_token') urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query('page') page: unknown,
  ): Promise<Paged<{ logs: AuditEntryDto[] }>> {
    return this.pushes.listAudit(urlToken, visitor, page);
  }

  /** Expires a push at once. */
  @Delete(':url_token')
  @Anonymous()
  delete(@Param('url_token') urlToken: string, @CurrentVisitor() visitor: Visitor): Promise<PushDto> {
    return this.pushes.delete(urlToken, visitor);
  }
}

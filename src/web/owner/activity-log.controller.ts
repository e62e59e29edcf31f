import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { CloseSignal } from '../../platform/http/close-signal.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { ReadsCountedAsPages } from '../../platform/limits/rate-limit.guard.js';
import { StreamsResponse } from '../../platform/limits/streamed-responses.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import { readableOf, requestedFormat, sendLog } from '../pages/log-download.js';
import { CurrentUser } from '../pages/parameters.js';
import { UrlTokenPipe } from '../pages/paths.js';

/** The log of one push as a file, for its page. */
@Controller()
@ReadsCountedAsPages()
export class ActivityLogController {
  constructor(
    private readonly ownPushes: OwnPushesService,
    private readonly audit: InstanceAudit,
  ) {}

  @Get('p/:url_token/audit/download')
  @SignedInPage()
  @StreamsResponse()
  async download(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @CurrentUser() user: User,
    @CloseSignal() signal: AbortSignal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = requestedFormat(request);
    const content = await readableOf(this.ownPushes.log(urlToken, visitor, format, signal));
    await this.audit.record('audit_exported', { subject: user });
    await sendLog(content, { name: 'activity', format, response });
  }
}

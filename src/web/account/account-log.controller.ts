import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { CloseSignal } from '../../platform/http/close-signal.js';
import { StreamsResponse } from '../../platform/limits/streamed-responses.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { ReadsCountedAsPages } from '../../platform/limits/rate-limit.guard.js';
import { AuditLogService, AuditRange } from '../../pushes/audit-log/audit-log.service.js';
import { requestedFormat, sendLog } from '../pages/log-download.js';
import { CurrentUser } from '../pages/parameters.js';

/** The log of all secrets of an account, for its page. */
@Controller()
@ReadsCountedAsPages()
export class AccountLogController {
  constructor(
    private readonly log: AuditLogService,
    private readonly audit: InstanceAudit,
  ) {}

  @Get('users/log')
  @SignedInPage()
  @StreamsResponse()
  async download(
    @CurrentUser() user: User,
    @CloseSignal() signal: AbortSignal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = requestedFormat(request);
    const content = await this.log.ofOwner(user.id, AuditRange.ALL, signal, format);
    await this.audit.record('audit_exported', { subject: user });
    await sendLog(content, { name: 'log', format, response });
  }
}

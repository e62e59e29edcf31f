import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ForTokens } from '../../auth/access.decorators.js';
import { sendContent } from '../../files/send-content.js';
import { CloseSignal } from '../../platform/http/close-signal.js';
import { StreamsResponse } from '../../platform/limits/streamed-responses.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { ownId } from '../push/pushes.service.js';
import { AuditLogService, AuditRange } from './audit-log.service.js';

@Controller('api/v2/audit')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  /** Lists what happened to all pushes of the caller, one JSON object per line, oldest first. */
  @Get()
  @ForTokens('read')
  @StreamsResponse()
  async list(
    @CurrentVisitor() visitor: Visitor,
    @Query('after') after: unknown,
    @Query('limit') limit: unknown,
    @CloseSignal() signal: AbortSignal,
    @Res() response: Response,
  ): Promise<void> {
    const lines = await this.log.ofOwner(ownId(visitor), AuditRange.parse(after, limit), signal);
    response.setHeader('Content-Type', 'application/x-ndjson'); // set() would add a charset, which it does not have
    await sendContent(lines, response);
  }
}

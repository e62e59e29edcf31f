import { Controller, Get } from '@nestjs/common';
import { AuditForwarder } from './audit-forwarder.js';

@Controller('api/audit-webhook')
export class AuditWebhookController {
  constructor(private readonly forwarder: AuditForwarder) {}

  /** Reports how many messages arrived, failed and were dropped. Asks for a token, as every route that says nothing. */
  @Get()
  describe(): AuditForwarder['counts'] {
    return this.forwarder.counts;
  }
}

import { Controller, Get, Query, ServiceUnavailableException } from '@nestjs/common';
import { Public } from '../../auth/access.decorators.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import { ReadsNotLimited } from '../../platform/limits/rate-limit.guard.js';
import type { Readiness } from './readiness.service.js';
import { ReadinessService } from './readiness.service.js';

/** Routes for orchestrators and monitoring; see docs/operating/monitoring.md. */
@Controller()
@ReadsNotLimited()
@OnGateway()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Reports that the process is alive, whatever the state of what it depends on. */
  @Get('up')
  @Public()
  up(): { up: true } {
    return { up: true };
  }

  /** Reports whether pushes without files can be served, and with `?full` also files: 503 when not, and which check fails. */
  @Get('ready')
  @Public()
  async ready(@Query('full') full: unknown): Promise<{ ready: true; checks: Readiness }> {
    const checks = await (full === undefined ? this.readiness.check() : this.readiness.checkFull());
    if (!Object.values(checks).every(Boolean)) {
      throw new ServiceUnavailableException({ error: 'Not ready to serve.', ready: false, checks });
    }
    return { ready: true, checks };
  }
}

import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { Public } from '../auth/access.decorators.js';
import { ReadsNotLimited } from '../throttling/rate-limit.guard.js';
import type { Readiness } from './readiness.service.js';
import { ReadinessService } from './readiness.service.js';

/** Routes for orchestrators and monitoring; see docs/operating.md, Health. */
@Controller()
@ReadsNotLimited()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Reports that the process is alive, whatever the state of what it depends on. */
  @Get('up')
  @Public()
  up(): { up: true } {
    return { up: true };
  }

  /** Reports whether requests can be served: 503 when not, and which check fails. */
  @Get('ready')
  @Public()
  async ready(): Promise<{ ready: true; checks: Readiness }> {
    const checks = await this.readiness.check();
    if (!Object.values(checks).every(Boolean)) {
      throw new ServiceUnavailableException({ error: 'Not ready to serve.', ready: false, checks });
    }
    return { ready: true, checks };
  }
}

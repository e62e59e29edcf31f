import { Controller, Get, NotFoundException } from '@nestjs/common';
import type { Visitor } from 'sealpush';
import { Anonymous, CurrentVisitor } from 'sealpush';
import { UsageService } from './usage.service.js';
import { UsageSettings } from './usage.settings.js';

@Controller('api/usage')
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly settings: UsageSettings,
  ) {}

  /** Needs a token, as every route without a decorator that opens it. */
  @Get()
  async own(@CurrentVisitor() { userId = '' }: Visitor): Promise<{ pushes: number }> {
    return { pushes: await this.usage.pushesOf(userId) };
  }

  @Get('total')
  @Anonymous()
  total(): { pushes: number; deletedAccounts: number } {
    if (!this.settings.USAGE_TOTAL_IS_OPEN) throw new NotFoundException();
    return this.usage.total();
  }
}

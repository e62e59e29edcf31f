import type { CanActivate } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';
import { Settings } from '../../settings/settings.js';

/** Responds with 404 where webhooks are disabled. */
@Injectable()
export class WebhooksGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(): true {
    if (!this.settings.ENABLE_WEBHOOKS) throw new NotFoundException();
    return true;
  }
}

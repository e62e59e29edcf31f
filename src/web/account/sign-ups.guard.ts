import type { CanActivate } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';
import { Settings } from '../../settings/settings.js';

/** Responds with 404 where sign-ups are disabled. */
@Injectable()
export class SignUpsGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(): true {
    if (this.settings.DISABLE_SIGNUPS) throw new NotFoundException();
    return true;
  }
}

import type { CanActivate } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';

/** Redirects to the sign-in page as soon as there is an administrator. */
@Injectable()
export class SetupGuard implements CanActivate {
  constructor(private readonly administrators: AdministratorsService) {}

  async canActivate(): Promise<true> {
    if (await this.administrators.exist()) throw new SignInNeeded();
    return true;
  }
}

import { ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import type { Request } from 'express';
import { PublicUrl } from '../http/public-url.js';
import { Settings } from '../settings/settings.js';
import type { PageAccessLevel } from './access.decorators.js';
import { isSameSite } from './csrf.js';
import { readSessionCookie } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';

/** The page is only for signed-in users, and this visitor is not signed in. */
export class SignInNeeded extends UnauthorizedException {
  constructor() {
    super('Sign in first.');
  }
}

/** Checks who may see a page, and from which sites its forms may be posted. */
@Injectable()
export class PageAccess {
  constructor(
    private readonly settings: Settings,
    private readonly sessions: SessionsService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Accepts a request and sets `request.user` when its user is signed in.
   * @throws ForbiddenException when another site made a browser send it
   * @throws SignInNeeded
   */
  async admit(request: Request, accessLevel: PageAccessLevel): Promise<true> {
    if (!isSameSite(request, this.publicUrl.of(request))) {
      throw new ForbiddenException('This form was sent from another site. Nothing was done.');
    }
    const token = readSessionCookie(request, this.publicUrl.isSecure(request));
    request.user = token === undefined ? undefined : await this.sessions.userOf(token);
    if (request.user === undefined && this.isForMembers(accessLevel)) throw new SignInNeeded();
    return true;
  }

  private isForMembers(accessLevel: PageAccessLevel): boolean {
    return (
      accessLevel === 'member page' || (accessLevel === 'anonymous page' && !this.settings.ALLOW_ANONYMOUS)
    );
  }
}

import { ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import type { Request } from 'express';
import { PublicAddress } from '../http/public-address.js';
import { Settings } from '../settings/settings.js';
import type { PageOpenness } from './openness.js';
import { isOurOwn } from './same-site.js';
import { readSessionCookie } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';

/** The page is for those who are signed in, and this visitor is not. */
export class SignInNeeded extends UnauthorizedException {
  constructor() {
    super('Sign in first.');
  }
}

/** Who may see a page, and from where its forms may be posted. */
@Injectable()
export class PageAccess {
  constructor(
    private readonly settings: Settings,
    private readonly sessions: SessionsService,
    private readonly publicAddress: PublicAddress,
  ) {}

  /**
   * Lets a request pass, with `request.user` set when it is signed in.
   * @throws ForbiddenException when another site made a browser send it
   * @throws SignInNeeded
   */
  async admit(request: Request, openness: PageOpenness): Promise<true> {
    if (!isOurOwn(request, this.publicAddress.of(request))) {
      throw new ForbiddenException('This form was sent from another site. Nothing was done.');
    }
    const token = readSessionCookie(request, this.publicAddress.isSecure(request));
    request.user = token === undefined ? undefined : await this.sessions.userOf(token);
    if (request.user === undefined && this.isForMembers(openness)) throw new SignInNeeded();
    return true;
  }

  private isForMembers(openness: PageOpenness): boolean {
    return openness === 'member page' || (openness === 'anonymous page' && !this.settings.ALLOW_ANONYMOUS);
  }
}

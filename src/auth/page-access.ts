import type { Request } from 'express';
import { ForbiddenException, Injectable, NotFoundException } from '@nestjs/common';
import { Cookies } from '../platform/http/cookies.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { Settings } from '../platform/settings/settings.js';
import type { PageAccessLevel } from './access.decorators.js';
import { PasskeysService } from './second-factor/passkeys.service.js';
import { SESSION_COOKIE } from './sessions/session-cookie.js';
import type { SignedIn } from './sessions/sessions.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SecondFactorNeeded } from './errors/second-factor-needed.js';
import { SignInNeeded } from './errors/sign-in-needed.js';
import type { User } from './entities/user.entity.js';
import { Problem } from '../platform/errors/problem.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Why a form is not accepted. Browsers say in `Sec-Fetch-Site` whether one of our pages has sent it; older ones, and all
 * where the connection is not secure, in `Origin`. A request with neither is accepted only if it has no cookie.
 * @param base the base URL of this installation
 * @param isSecure whether clients connect over TLS
 */
function refusalOf({ method, headers }: Request, base: string, isSecure: boolean): Problem | undefined {
  if (SAFE_METHODS.includes(method)) return undefined;

  const site = headers['sec-fetch-site'];
  if (site !== undefined)
    return site === 'same-origin' || site === 'none' ? undefined : new Problem('other_site');
  if (headers.origin === undefined)
    return headers.cookie === undefined ? undefined : new Problem('other_site');

  const origin = URL.parse(headers.origin); // "null" is no URL
  const isOurs = origin?.host === headers.host?.toLowerCase() || origin?.host === new URL(base).host;
  if (origin === null || !isOurs) return new Problem('other_site');
  // anybody on the network can have made a page that came without TLS, and browsers keep none of our cookies there
  return isSecure && origin.protocol === 'http:' ? new Problem('other_address', { url: base }) : undefined;
}

/** Checks who may see a page, and from which sites its forms may be posted. On a gateway nobody is signed in. */
@Injectable()
export class PageAccess {
  constructor(
    private readonly settings: Settings,
    private readonly sessions: SessionsService,
    private readonly publicUrl: PublicUrl,
    private readonly cookies: Cookies,
    private readonly passkeys: PasskeysService,
  ) {}

  /**
   * Accepts a request, and sets `request.user` and, to the session, `request.authInfo` when its user is signed in.
   * @throws ForbiddenException when another site made a browser send it, or a page that came without TLS
   * @throws SignInNeeded
   * @throws SecondFactorNeeded
   * @throws NotFoundException when the page is for administrators and the user is none
   */
  async admit(request: Request, accessLevel: PageAccessLevel): Promise<true> {
    const refusal = refusalOf(request, this.publicUrl.of(request), this.publicUrl.isSecure(request));
    if (refusal) throw new ForbiddenException(refusal);
    const token = this.settings.isGateway ? undefined : this.cookies.read(request, SESSION_COOKIE);
    const signedIn = token === undefined ? undefined : await this.sessions.authenticate(token);
    const user = signedIn && this.admitted(signedIn, accessLevel);
    if (user?.hasSecondFactor && signedIn?.session.isProven(new Date()) === false)
      user.hasPasskey = await this.passkeys.existFor(user);
    request.user = user;
    request.authInfo = user && signedIn.session;
    if (user === undefined && this.needsSignIn(accessLevel)) throw new SignInNeeded();
    if (accessLevel === 'administrator page' && !isAdministrator(user)) throw new NotFoundException();
    return true;
  }

  /** Pages for everybody treat an account that must set up a second factor like nobody. */
  private admitted({ user, session }: SignedIn, accessLevel: PageAccessLevel): User | undefined {
    const isLimited =
      accessLevel !== 'second factor page' &&
      user.lacksSecondFactor(this.settings, session.identityId !== null);
    if (!isLimited) return user;
    if (accessLevel === 'page') return undefined;
    throw new SecondFactorNeeded();
  }

  private needsSignIn(accessLevel: PageAccessLevel): boolean {
    if (accessLevel === 'anonymous page') return !this.settings.ALLOW_ANONYMOUS;
    return accessLevel !== 'page';
  }
}

function isAdministrator(user: User | undefined): boolean {
  return user?.administrator === true;
}

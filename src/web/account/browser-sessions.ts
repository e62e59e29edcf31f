import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  BROWSER_COOKIE,
  browserCookie,
  SESSION_COOKIE,
  sessionCookie,
} from '../../auth/sessions/session-cookie.js';
import { digestIn } from '../../auth/second-factor/passkeys.service.js';
import type { SignedIn } from '../../auth/sessions/sessions.service.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import type { ProviderSignIn } from '../../auth/sessions/identities.service.js';
import { PendingSignIns } from '../../auth/sign-in/pending-sign-ins.js';
import { SignInsService } from '../../auth/sign-in/sign-ins.service.js';
import { Settings } from '../../platform/settings/settings.js';
import type { User } from '../../auth/entities/user.entity.js';
import { SeeOther } from '../pages/page-controller.js';
import { withNext } from '../pages/paths.js';
import { newId, newToken } from '../../platform/random/random.js';
import { LanguageResolver } from '../language/language-resolver.js';
import { Cookies } from '../../platform/http/cookies.js';

/** What somebody has given to sign in, besides or in place of a password. */
interface GivenAtSignIn {
  provider?: ProviderSignIn;
  /** What a passkey has answered. */
  passkey?: string;
  /** What it has waited as: `PendingSignIn.id`. */
  waitedAs?: string;
  /** Whether the password or the second factor of the account was given to a sign-in at the provider. */
  isProven?: boolean;
}

/** What the cookie that recognises a browser looks like. */
const BROWSER = /^[\w-]{43}$/;

/** Starts and ends sessions in browsers, by their session cookie. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIns: SignInsService,
    private readonly cookies: Cookies,
    private readonly pending: PendingSignIns,
    private readonly languages: LanguageResolver,
    private readonly settings: Settings,
  ) {}

  /** The session of a request with its account, if it has one. */
  async of(request: Request): Promise<SignedIn | undefined> {
    const token = this.cookies.read(request, SESSION_COOKIE);
    return token === undefined ? undefined : this.sessions.authenticate(token);
  }

  /**
   * Signs in after the right password, or with a sign-in at the provider: asks for the second factor if the account has
   * one, but after a sign-in at the provider alone only if OIDC_SECOND_FACTOR says so.
   */
  async signIn(
    user: User,
    next: string,
    request: Request,
    response: Response,
    given: GivenAtSignIn = {},
  ): Promise<SeeOther> {
    const { provider, isProven = false, waitedAs = newId() } = given;
    const isTrusted = provider !== undefined && !isProven && !this.settings.OIDC_SECOND_FACTOR;
    if (user.hasSecondFactor && !isTrusted) {
      this.pending.begin({ id: waitedAs, user, provider }, request, response);
      return new SeeOther(withNext('/users/sign_in/second_factor', next));
    }
    await this.begin(user, request, response, given);
    return new SeeOther(next);
  }

  /**
   * Always starts a new session, and ends the one that the browser had before.
   * @param given with what it comes
   */
  async begin(
    user: User,
    request: Request,
    response: Response,
    { provider, passkey = '', isProven, waitedAs }: GivenAtSignIn = {},
  ): Promise<void> {
    await this.endOld(request);
    const known = this.cookies.read(request, BROWSER_COOKIE) ?? '';
    const cookie = BROWSER.test(known) ? known : newToken();
    const language = this.languages.of(request);
    const browser = { cookie, language, passkey: digestIn(passkey), provider, isProven, waitedAs };
    const token = await this.signIns.begin(user, browser);
    this.setCookie(token, request, response);
    this.cookies.set(browserCookie(cookie), request, response);
  }

  async end(request: Request, response: Response): Promise<void> {
    await this.endOld(request);
    this.pending.end(request, response);
    this.setCookie(undefined, request, response);
  }

  setCookie(token: string | undefined, request: Request, response: Response): void {
    this.cookies.set(sessionCookie(token, this.settings.SESSION_DAYS), request, response);
  }

  private async endOld(request: Request): Promise<void> {
    const old = this.cookies.read(request, SESSION_COOKIE);
    if (old !== undefined) await this.sessions.end(old);
  }
}

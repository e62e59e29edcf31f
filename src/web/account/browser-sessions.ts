import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  BROWSER_COOKIE,
  browserCookie,
  SESSION_COOKIE,
  sessionCookie,
} from '../../auth/sessions/session-cookie.js';
import { digestIn } from '../../auth/second-factor/passkeys.service.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import { PendingSignIns } from '../../auth/sign-in/pending-sign-ins.js';
import type { User } from '../../auth/entities/user.entity.js';
import { SeeOther } from '../pages/page-response.js';
import { withNext } from '../pages/paths.js';
import { newToken } from '../../platform/random/tokens.js';
import { languageOf } from '../language/language.js';
import { Cookies } from '../../platform/http/cookies.js';

/** What the cookie that recognises a browser looks like. */
const BROWSER = /^[\w-]{43}$/;

/** Starts and ends sessions in browsers, by their session cookie. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: Cookies,
    private readonly pending: PendingSignIns,
  ) {}

  /** Signs in after the right password: asks for the second factor if the account has one. */
  async signIn(user: User, next: string, request: Request, response: Response): Promise<SeeOther> {
    if (user.hasSecondFactor) {
      this.pending.begin(user, request, response);
      return new SeeOther(withNext('/users/sign_in/second_factor', next));
    }
    await this.begin(user, request, response);
    return new SeeOther(next);
  }

  /**
   * Always starts a new session, and ends the one that the browser had before.
   * @param passkey what a passkey has answered, if one was used
   */
  async begin(user: User, request: Request, response: Response, passkey = ''): Promise<void> {
    await this.endOld(request);
    const known = this.cookies.read(request, BROWSER_COOKIE) ?? '';
    const cookie = BROWSER.test(known) ? known : newToken();
    const browser = { cookie, language: languageOf(request), passkey: digestIn(passkey) };
    this.setCookie(await this.sessions.begin(user, browser), request, response);
    this.cookies.set(browserCookie(cookie), request, response);
  }

  async end(request: Request, response: Response): Promise<void> {
    await this.endOld(request);
    this.setCookie(undefined, request, response);
  }

  setCookie(token: string | undefined, request: Request, response: Response): void {
    this.cookies.set(sessionCookie(token), request, response);
  }

  private async endOld(request: Request): Promise<void> {
    const old = this.cookies.read(request, SESSION_COOKIE);
    if (old !== undefined) await this.sessions.end(old);
  }
}

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readSessionCookie, sessionCookie } from '../../auth/sessions/session-cookie.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { PublicUrl } from '../../platform/http/public-url.js';

/** Starts and ends sessions in browsers, by their session cookie. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Always starts a new session, and ends the one that the browser had before. */
  async begin(user: User, request: Request, response: Response): Promise<void> {
    await this.endOld(request);
    this.setCookie(await this.sessions.begin(user), request, response);
  }

  async end(request: Request, response: Response): Promise<void> {
    await this.endOld(request);
    this.setCookie(undefined, request, response);
  }

  setCookie(token: string | undefined, request: Request, response: Response): void {
    response.append('Set-Cookie', sessionCookie(token, this.publicUrl.cookieScope(request)));
  }

  private async endOld(request: Request): Promise<void> {
    const old = readSessionCookie(request, this.publicUrl.cookieScope(request));
    if (old !== undefined) await this.sessions.end(old);
  }
}

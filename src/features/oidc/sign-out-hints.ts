import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Cookies } from '../../platform/http/cookies.js';
import { Settings } from '../../platform/settings/settings.js';
import { DAY_MS, SECOND_MS } from '../../platform/settings/units.js';
import { SignInStates } from '../../auth/sign-in/sign-in-states.js';

const NAME = 'sealpush-sign-out';
/** The only one that needs it: it would make every request longer. */
const PATH = '/users/sign_out/provider';
/** Sealed and encoded it must fit into the 4096 bytes that browsers take. */
const MAX_TOKEN_LENGTH = 2800;

/**
 * The ID token of the last sign-in at the provider, sealed in a cookie: some providers sign nobody out without it
 * (`id_token_hint`). The database never has it, and we do not trust it for anything.
 */
@Injectable()
export class SignOutHints {
  constructor(
    private readonly states: SignInStates,
    private readonly cookies: Cookies,
    private readonly settings: Settings,
  ) {}

  /** One that is too long for a cookie is not kept, nor is that of an earlier sign-in. */
  keep(idToken: string | undefined, request: Request, response: Response, now = new Date()): void {
    const lifetimeMs = this.settings.SESSION_DAYS * DAY_MS;
    const isKept = idToken !== undefined && idToken.length <= MAX_TOKEN_LENGTH;
    const endsAt = new Date(now.getTime() + lifetimeMs);
    const value = isKept ? this.states.seal(NAME, { idToken }, endsAt) : undefined;
    this.cookies.set(
      { name: NAME, value, maxAgeSeconds: lifetimeMs / SECOND_MS, below: PATH },
      request,
      response,
    );
  }

  /** It is used once. */
  take(request: Request, response: Response): string | undefined {
    const kept = this.states.read(NAME, this.cookies.read(request, NAME, PATH));
    if (kept) this.keep(undefined, request, response);
    return kept?.idToken;
  }
}

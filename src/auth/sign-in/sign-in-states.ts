import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { validate } from 'uuid';
import { Cookies } from '../../platform/http/cookies.js';
import { newId } from '../../platform/random/random.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { ifUnsealed } from '../../platform/sealing/secretbox.js';
import { SECOND_MS } from '../../platform/settings/units.js';

/**
 * Seals what a browser keeps for us between two steps of signing in or of setting up a second factor, in a cookie or in
 * a form, so that nobody who has not finished leaves a row behind. What it names must be checked again when it comes back.
 */
@Injectable()
export class SignInStates {
  constructor(
    private readonly keyring: Keyring,
    private readonly cookies: Cookies,
  ) {}

  /** @param kind what it is for; it cannot be read as another kind */
  seal(kind: string, content: Record<string, string>, endsAt: Date): string {
    const id = newId();
    const text = JSON.stringify({ content, endsAt: endsAt.getTime() });
    return `${id}.${this.keyring.sealText(text, scopeOf(id), kind)}`;
  }

  /** Undefined when it has ended, is of another kind or was not sealed by us. */
  read(kind: string, state: unknown, now = new Date()): Record<string, string> | undefined {
    const [id = '', sealed = ''] = typeof state === 'string' ? state.split('.') : [];
    if (!validate(id)) return undefined;
    const text = ifUnsealed(() => this.keyring.unsealText(sealed, scopeOf(id), kind));
    if (text === undefined) return undefined;
    const { content, endsAt } = JSON.parse(text) as { content: Record<string, string>; endsAt: number };
    return endsAt > now.getTime() ? content : undefined;
  }

  /** Seals it in a cookie, whose name is its kind. */
  keep(
    name: string,
    content: Record<string, string>,
    lifetimeMs: number,
    request: Request,
    response: Response,
    now = new Date(),
  ): void {
    const value = this.seal(name, content, new Date(now.getTime() + lifetimeMs));
    this.cookies.set({ name, value, maxAgeSeconds: lifetimeMs / SECOND_MS }, request, response);
  }

  /** What the cookie of a request has, as `read` returns it. */
  kept(name: string, request: Request, now = new Date()): Record<string, string> | undefined {
    return this.read(name, this.cookies.read(request, name), now);
  }

  forget(name: string, request: Request, response: Response): void {
    this.cookies.set({ name, value: undefined, maxAgeSeconds: 0 }, request, response);
  }
}

/** Each has its own key. */
function scopeOf(id: string): string {
  return `sign_in/${id}`;
}

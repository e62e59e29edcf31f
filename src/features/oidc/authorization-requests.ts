import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MINUTE_MS } from '../../platform/settings/units.js';
import { SignInStates } from '../../auth/sign-in/sign-in-states.js';
import type { AuthorizationRequest } from './identity-provider.js';

const NAME = 'sealpush-provider';
/** Sign-ins of one browser that can be at the provider at the same time, in several tabs. */
const SLOTS = ['0', '1', '2', '3'];
const ENDS_AFTER_MS = 10 * MINUTE_MS;

/** Why a browser is sent to the provider, and where it goes afterwards. */
export interface ProviderErrand {
  purpose: 'sign_in' | 'confirm';
  next: string;
}

/** What a browser keeps, sealed, for ten minutes while its user is at the provider. Each can be read once. */
@Injectable()
export class AuthorizationRequests {
  constructor(private readonly states: SignInStates) {}

  /** A slot that no other tab uses, if there is one. */
  freeSlot(request: Request): string {
    const free = SLOTS.find((slot) => this.states.kept(nameOf(slot), request) === undefined);
    return free ?? SLOTS[Math.floor(Math.random() * SLOTS.length)] ?? '0';
  }

  keep(
    slot: string,
    { purpose, next }: ProviderErrand,
    asked: AuthorizationRequest,
    request: Request,
    response: Response,
    now = new Date(),
  ): void {
    this.states.keep(nameOf(slot), { ...asked, purpose, next }, ENDS_AFTER_MS, request, response, now);
  }

  /** The one that a `state` of the provider names; undefined when this browser has none, or it has ended. */
  take(
    state: unknown,
    request: Request,
    response: Response,
    now = new Date(),
  ): (AuthorizationRequest & ProviderErrand) | undefined {
    const slot = typeof state === 'string' ? SLOTS.find((it) => state.startsWith(`${it}.`)) : undefined;
    if (slot === undefined) return undefined;
    const kept = this.states.kept(nameOf(slot), request, now);
    if (kept?.state !== state) return undefined; // that of another tab stays
    this.states.forget(nameOf(slot), request, response);
    return kept as unknown as AuthorizationRequest & ProviderErrand;
  }
}

function nameOf(slot: string): string {
  return `${NAME}-${slot}`;
}

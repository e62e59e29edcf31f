import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { digestOf } from '../../platform/random/random.js';
import { MINUTE_MS } from '../../platform/settings/units.js';
import type { User } from '../entities/user.entity.js';
import { UsersService } from '../users/users.service.js';
import type { ProviderSignIn } from '../sessions/identities.service.js';
import { SignInStates } from './sign-in-states.js';

const NAME = 'sealpush-second-factor';
const ENDS_AFTER_MS = 10 * MINUTE_MS;

/** A sign-in whose second factor is missing. */
export interface PendingSignIn {
  /** It can be finished once. One that has waited before keeps what it has waited as. */
  id: string;
  user: User;
  /** At the provider, if it has begun there. */
  provider?: ProviderSignIn;
}

/**
 * Sign-ins whose password was right, or that came from the provider, and whose second factor is missing. The browser has
 * a cookie for ten minutes, which gives access to nothing but the page that asks for the second factor.
 */
@Injectable()
export class PendingSignIns {
  constructor(
    private readonly users: UsersService,
    private readonly states: SignInStates,
  ) {}

  begin({ id, user, provider }: PendingSignIn, request: Request, response: Response, now = new Date()): void {
    const content = {
      id,
      userId: user.id,
      version: versionOf(user),
      ...(provider && { provider: JSON.stringify(provider) }),
    };
    this.states.keep(NAME, content, ENDS_AFTER_MS, request, response, now);
  }

  /**
   * Undefined when there is none, it has ended, or the account has another password or no second factor since, was
   * signed out everywhere or disabled. Beginning the session checks the rest.
   */
  async of(request: Request, now = new Date()): Promise<PendingSignIn | undefined> {
    const state = this.states.kept(NAME, request, now);
    if (!state) return undefined;
    const user = await this.users.findEnabled(state.userId ?? '');
    if (!user?.hasSecondFactor || versionOf(user) !== state.version) return undefined;
    const { id = '', provider } = state;
    return { id, user, ...(provider !== undefined && { provider: JSON.parse(provider) as ProviderSignIn }) };
  }

  end(request: Request, response: Response): void {
    this.states.forget(NAME, request, response);
  }
}

/** Tells what waits for its next step from what began before the account got another password, or was signed out. */
export function versionOf({ passwordHash, signInsEnded }: User): string {
  return digestOf(`${signInsEnded} ${passwordHash ?? ''}`);
}

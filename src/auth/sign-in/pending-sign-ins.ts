import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { IsNull, Repository } from 'typeorm';
import { Cookies } from '../../platform/http/cookies.js';
import { digestOf } from '../../platform/random/tokens.js';
import { MINUTE_MS, SECOND_MS } from '../../platform/settings/units.js';
import { User } from '../entities/user.entity.js';
import { SignInStates } from './sign-in-states.js';

const NAME = 'sealpush-second-factor';
const ENDS_AFTER_MS = 10 * MINUTE_MS;

/**
 * Sign-ins whose password was right and whose second factor is missing. The browser has a cookie for ten minutes, which
 * gives access to nothing but the page that asks for the second factor.
 */
@Injectable()
export class PendingSignIns {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly states: SignInStates,
    private readonly cookies: Cookies,
  ) {}

  begin(user: User, request: Request, response: Response, now = new Date()): void {
    const endsAt = new Date(now.getTime() + ENDS_AFTER_MS);
    this.set(
      this.states.seal(NAME, { userId: user.id, password: versionOf(user) }, endsAt),
      request,
      response,
    );
  }

  /**
   * Undefined when there is none, it has ended, or the account has another password or no second factor since, or was
   * disabled.
   */
  async accountOf(request: Request, now = new Date()): Promise<User | undefined> {
    const state = this.states.read(NAME, this.cookies.read(request, NAME), now);
    if (!state) return undefined;
    const user = await this.users.findOneBy({ id: state.userId, disabledAt: IsNull() });
    return user?.hasSecondFactor && versionOf(user) === state.password ? user : undefined;
  }

  end(request: Request, response: Response): void {
    this.set(undefined, request, response);
  }

  private set(value: string | undefined, request: Request, response: Response): void {
    this.cookies.set({ name: NAME, value, maxAgeSeconds: ENDS_AFTER_MS / SECOND_MS }, request, response);
  }
}

/** Tells one password of an account from the next. */
function versionOf({ passwordHash }: User): string {
  return digestOf(passwordHash ?? '');
}

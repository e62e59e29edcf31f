import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { IsNull, Repository } from 'typeorm';
import { HOUR_MS } from '../../platform/settings/units.js';
import { User } from '../entities/user.entity.js';
import { SignInStates } from '../sign-in/sign-in-states.js';
import type { ProviderSignIn } from '../sessions/identities.service.js';
import { IdentitiesService } from '../sessions/identities.service.js';

const NAME = 'sealpush-join';
/** Long enough for a mail to arrive. */
const ENDS_AFTER_MS = HOUR_MS;

/** A sign-in at the provider, and the account with the same email address. */
export interface PendingJoin {
  user: User;
  signIn: ProviderSignIn;
}

/**
 * Sign-ins at the provider whose account was there before, until its owner has proven that it is theirs. The browser has
 * a cookie for an hour, which gives access to nothing but the page that asks for the proof.
 */
@Injectable()
export class PendingJoins {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly identities: IdentitiesService,
    private readonly states: SignInStates,
  ) {}

  begin({ user, signIn }: PendingJoin, request: Request, response: Response, now = new Date()): void {
    const content = { userId: user.id, signIn: JSON.stringify(signIn) };
    this.states.keep(NAME, content, ENDS_AFTER_MS, request, response, now);
  }

  /**
   * Undefined when there is none, it has ended, the identity belongs to an account since, or the account has another
   * email address or another identity since, or was disabled.
   */
  async of(request: Request, now = new Date()): Promise<PendingJoin | undefined> {
    const state = this.states.kept(NAME, request, now);
    if (state?.signIn === undefined) return undefined;
    const signIn = JSON.parse(state.signIn) as ProviderSignIn;
    if (await this.identities.find(signIn.identity)) return undefined;
    const { email } = signIn;
    const user = await this.users.findOneBy({
      id: state.userId,
      disabledAt: IsNull(),
      providerSignInAt: IsNull(),
    });
    return user?.email === email ? { user, signIn } : undefined;
  }

  end(request: Request, response: Response): void {
    this.states.forget(NAME, request, response);
  }
}

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { IsNull } from 'typeorm';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { newId } from '../../platform/random/random.js';
import { EMAIL_LINK_MS } from '../../auth/entities/email-link.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { EmailLinksService } from '../../auth/links/email-links.service.js';
import { LinkInvalid } from '../../auth/links/password-links.service.js';
import { UnverifiedAccess } from '../../auth/links/unverified-access.js';
import { versionOf } from '../../auth/sign-in/pending-sign-ins.js';
import { SignInStates } from '../../auth/sign-in/sign-in-states.js';
import type { ProviderSignIn } from '../../auth/sessions/identities.service.js';
import { IdentitiesService } from '../../auth/sessions/identities.service.js';
import { UsersService } from '../../auth/users/users.service.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';

const NAME = 'sealpush-join';

/** A sign-in at the provider, and the account with the same email address. */
export interface PendingJoin {
  /** It can be finished once. */
  id: string;
  user: User;
  signIn: ProviderSignIn;
}

/**
 * Sign-ins at the provider whose account was there before, until its owner has proven that it is theirs. The browser has
 * a cookie for a day, as long as a link is valid that is mailed, which gives access to nothing but the page that asks for
 * it.
 */
@Injectable()
export class PendingJoins {
  constructor(
    private readonly users: UsersService,
    private readonly identities: IdentitiesService,
    private readonly states: SignInStates,
    private readonly sessions: SessionsService,
    private readonly unverified: UnverifiedAccess,
    private readonly emailLinks: EmailLinksService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  begin(
    { user, signIn }: Omit<PendingJoin, 'id'>,
    request: Request,
    response: Response,
    now = new Date(),
  ): void {
    const content = {
      id: newId(),
      userId: user.id,
      version: versionOf(user),
      signIn: JSON.stringify(signIn),
    };
    this.states.keep(NAME, content, EMAIL_LINK_MS, request, response, now);
  }

  /**
   * Undefined when there is none, it has ended, the identity belongs to an account since, or the account has another
   * email address, another password or another identity since, was signed out everywhere or disabled.
   */
  async of(request: Request, now = new Date()): Promise<PendingJoin | undefined> {
    const state = this.states.kept(NAME, request, now);
    if (state?.signIn === undefined) return undefined;
    const signIn = JSON.parse(state.signIn) as ProviderSignIn;
    if (await this.identities.find(signIn.identity)) return undefined;
    const { email } = signIn;
    const user = await this.users.findEnabled(state.userId ?? '');
    if (user?.email !== email || user.providerSignInAt !== null || versionOf(user) !== state.version)
      return undefined;
    return { id: state.id ?? '', user, signIn };
  }

  /**
   * The account again, after its owner has opened a link that was mailed to its email address. Nothing of whoever signed
   * up with the email address of another stays.
   * @throws LinkInvalid also when the link is for another account
   */
  async proveByLink({ id, email }: User, token: string, now = new Date()): Promise<User> {
    await this.unitOfWork.run(async (manager) => {
      const owner = await this.unitOfWork.findForUpdate(manager, User, { id, email, disabledAt: IsNull() });
      if (!owner || !(await this.emailLinks.endWithin(manager, owner, token, now))) throw new LinkInvalid();
      if (!owner.emailUnverified) return;
      await manager.update(User, { id }, { passwordHash: null });
      await this.sessions.endAllWithin(manager, id);
      await this.unverified.revokeWithin(manager, owner);
    });
    const proven = await this.users.find(id);
    if (!proven) throw new LinkInvalid();
    return proven;
  }

  end(request: Request, response: Response): void {
    this.states.forget(NAME, request, response);
  }
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OidcProblem } from './oidc.problems.js';
import { asProvider } from '../../platform/instance-audit/current-actor.js';
import { OidcSettings } from './oidc.settings.js';
import type { Language } from '../../texts/languages.js';
import { Identity } from '../../auth/entities/identity.entity.js';
import { Session } from '../../auth/entities/session.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountError, EmailTaken } from '../../auth/errors/account-error.js';
import type { SignedIn } from '../../auth/sessions/sessions.service.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import { UsersService } from '../../auth/users/users.service.js';
import type { ProviderSignIn } from '../../auth/sessions/identities.service.js';
import { IdentitiesService, providerSessionOf } from '../../auth/sessions/identities.service.js';
import type { ProviderUser } from './identity-provider.js';
import { ProviderRights } from './provider-rights.js';
import type { ProviderRefusalReason } from './provider-refusals.js';
import { ProviderError, ProviderRefusals } from './provider-refusals.js';

/** What people are told when they have signed in at the provider and may not come in, by the reason. */
const PROBLEMS = {
  email_missing: 'provider_email_unverified',
  email_unverified: 'provider_email_unverified',
  email_not_accepted: 'provider_email_unverified',
  groups_missing: 'provider_not_allowed',
  group_not_allowed: 'provider_not_allowed',
  domain_not_allowed: 'provider_not_allowed',
  account_missing: 'provider_no_account',
  account_disabled: 'provider_account_disabled',
  account_taken: 'provider_account_taken',
  other_person: 'provider_not_confirmed',
  not_asked_again: 'provider_not_confirmed',
} as const satisfies Partial<Record<ProviderRefusalReason, string>>;

type AccountRefusalReason = keyof typeof PROBLEMS;

/** Why somebody who has signed in at the provider may not come in. */
export class ProviderRefusal extends ProviderError {
  constructor(reason: AccountRefusalReason) {
    super(new OidcProblem(PROBLEMS[reason]));
  }
}

/** Whose account it is, and whether that must still be proven because the identity does not belong to it yet. */
interface ProviderAccount {
  user: User;
  signIn: ProviderSignIn;
  isNew: boolean;
}

/** Finds, creates and changes the accounts of people who have signed in at the provider. */
@Injectable()
export class ProviderAccountsService {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly rights: ProviderRights,
    private readonly refusals: ProviderRefusals,
    private readonly settings: OidcSettings,
  ) {}

  /**
   * The account of a person, which is created when there is none. One that has only the same email address is returned
   * with `isNew`: it must not be used before its owner has proven that it is theirs.
   * @param now before the person came back, so that nothing which ends in the meantime is overlooked
   * @throws ProviderRefusal
   */
  async accountOf(person: ProviderUser, language: Language, now = new Date()): Promise<ProviderAccount> {
    const { identity, owner } = await this.admit(person);
    if (identity && owner)
      return {
        user: owner,
        signIn: this.signInOf(person, person.email ?? identity.email, now),
        isNew: false,
      };
    const { email, emailRefusal } = person;
    if (email === undefined) throw await this.refused(emailRefusal ?? 'email_missing');
    return this.firstAccountOf(person, this.signInOf(person, email, now), language, now);
  }

  /**
   * Records that the owner of an account has signed in at the provider once more, as a change needs it.
   * @throws ProviderRefusal when it was somebody else, or the provider does not say that it has asked them again
   */
  async confirm(person: ProviderUser, { user, session }: SignedIn): Promise<void> {
    const { owner } = await this.admit(person);
    const { authenticatedAt } = person;
    if (owner?.id !== user.id) throw await this.refused('other_person', user);
    if (user.hasSecondFactor || !authenticatedAt || !Session.isRecent(authenticatedAt))
      throw await this.refused('not_asked_again', user);
    await this.sessions.recordAuthentication(session, authenticatedAt);
  }

  /**
   * Whose identity it is, if it is known.
   * @throws ProviderRefusal when the person may not come in, after ending what they may no longer have
   */
  private async admit(person: ProviderUser): Promise<{ identity?: Identity; owner?: User }> {
    const identity = (await this.identities.find(Identity.digestOf(person))) ?? undefined;
    const owner = identity && ((await this.users.find(identity.userId)) ?? undefined);
    const refusal = this.refusalOf(person);
    if (refusal) await this.identities.endUnfinished(Identity.digestOf(person));
    if (refusal && owner) {
      await this.asProvider(() => this.sessions.endAll(owner));
      await this.rights.followRefusal(owner);
    }
    if (refusal) throw await this.refused(refusal, owner);
    if (owner && owner.disabledAt !== null) throw await this.refused('account_disabled', owner);
    return { identity, owner };
  }

  private refusalOf(person: ProviderUser): AccountRefusalReason | undefined {
    const { email, emailRefusal, groups, hasNoGroups = false } = person;
    const { OIDC_ALLOWED_GROUPS: allowed, OIDC_ALLOWED_DOMAINS: domains } = this.settings;
    if (allowed.length > 0 && !allowed.some((group) => groups.includes(group)))
      return hasNoGroups ? 'groups_missing' : 'group_not_allowed';
    if (domains.length === 0) return undefined;
    if (email === undefined) return emailRefusal ?? 'email_missing';
    return domains.includes(email.slice(email.lastIndexOf('@') + 1)) ? undefined : 'domain_not_allowed';
  }

  private asProvider<T>(work: () => T): T {
    return asProvider(this.settings.providerName ?? '', work);
  }

  private async refused(reason: AccountRefusalReason, subject?: User): Promise<ProviderRefusal> {
    await this.refusals.signIn(reason, { subject });
    return new ProviderRefusal(reason);
  }

  private async firstAccountOf(
    person: ProviderUser,
    signIn: ProviderSignIn,
    language: Language,
    now: Date,
  ): Promise<ProviderAccount> {
    const { email } = signIn;
    const existing = await this.users.findByEmail(email);
    if (existing) {
      // another request of the same person may have created it just now
      if (await this.identities.find(signIn.identity)) return this.accountOf(person, language, now);
      if (existing.disabledAt !== null) throw await this.refused('account_disabled', existing);
      // such as of who had this address at the provider before: an administrator decides whose it is
      if (existing.providerSignInAt !== null) throw await this.refused('account_taken', existing);
      return { user: existing, signIn, isNew: true };
    }
    if (!this.settings.OIDC_CREATE_ACCOUNTS) throw await this.refused('account_missing');
    try {
      const after = (manager: EntityManager, created: User) =>
        this.identities.createWithin(manager, created, signIn, now);
      const { user } = await this.asProvider(() => this.users.create({ email }, { after, now }));
      return { user, signIn, isNew: false };
    } catch (error) {
      if (error instanceof EmailTaken) return this.accountOf(person, language, now); // by a request at the same time
      throw error instanceof AccountError ? await this.refused('email_not_accepted') : error;
    }
  }

  private signInOf(person: ProviderUser, email: string, now: Date): ProviderSignIn {
    const { issuer, session, groups, authenticatedAt = now } = person;
    return {
      identity: Identity.digestOf(person),
      email,
      session: session === undefined ? undefined : providerSessionOf(issuer, session),
      at: now.getTime(),
      provenAt: authenticatedAt.getTime(),
      administrator: this.rights.isAdministrator(groups),
    };
  }
}

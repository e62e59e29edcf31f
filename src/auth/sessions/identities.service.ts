import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { In, IsNull, LessThan, Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newId, digestOf } from '../../platform/random/random.js';
import type { Language } from '../../texts/languages.js';
import { Identity } from '../entities/identity.entity.js';
import { Session } from '../entities/session.entity.js';
import { EmailLink } from '../entities/email-link.entity.js';
import { PasswordLink } from '../entities/password-link.entity.js';
import { SignInNeeded } from '../errors/sign-in-needed.js';
import type { NamedAccount } from '../../platform/instance-audit/current-actor.js';
import { User } from '../entities/user.entity.js';
import { AccountNotices } from '../notices/account-notices.js';

/** What of a sign-in at the provider a session and its account need. */
export interface ProviderSignIn {
  /** `Identity.digestOf` the person. */
  identity: string;
  /** Verified by the provider. */
  email: string;
  /** `providerSessionOf` the provider's own session, if it has told one. */
  session?: string;
  /** When the provider has said all this, in milliseconds since 1970. */
  at: number;
  /** When the person last gave the provider a password or the like. */
  provenAt: number;
  /** Undefined when the provider does not decide it. */
  administrator?: boolean;
}

/** What a provider ends: the sessions of a subject, or those that began with one of its own. */
export interface ProviderLogout {
  issuer: string;
  subject?: string;
  session?: string;
  /** When the provider has said so. */
  issuedAt: Date;
}

/** Which accounts belong to whom at providers of OpenID Connect. */
@Injectable()
export class IdentitiesService {
  constructor(
    @InjectRepository(Identity) private readonly identities: Repository<Identity>,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  find(digest: string): Promise<Identity | null> {
    return this.identities.findOneBy({ digest });
  }

  /** Joins an identity to an account that is created with it. */
  async createWithin(manager: EntityManager, user: User, signIn: ProviderSignIn, now: Date): Promise<string> {
    const { identity: digest, email } = signIn;
    const id = newId();
    await manager.insert(Identity, { id, userId: user.id, digest, email, createdAt: now });
    await manager.update(User, { id: user.id }, { providerSignInAt: now });
    await this.audit.recordWithin(manager, 'identity_joined', { subject: user, by: user });
    return id;
  }

  /**
   * Records a sign-in. The first one joins the identity to the account, whose owner is told about it. Later ones give
   * the account the email address that the provider has now, if that has changed there.
   * @returns the id of the identity
   * @throws SignInNeeded when somebody else at the provider has joined the account
   */
  async recordWithin(
    manager: EntityManager,
    { id }: User,
    signIn: ProviderSignIn,
    language: Language | undefined,
    now: Date,
  ): Promise<string> {
    const user = await this.unitOfWork.findForUpdate(manager, User, { id });
    if (!user) throw new SignInNeeded();
    const known = await manager.findOneBy(Identity, { userId: id });
    if (known && known.digest !== signIn.identity) throw new SignInNeeded();
    if (known) {
      await manager.update(User, { id }, { providerSignInAt: now });
      if (signIn.email !== known.email)
        await this.followEmailWithin(manager, user, known, signIn.email, language);
      return known.id;
    }
    await this.notices.addWithin(manager, user, 'identity_joined', user.language ?? language, now);
    await manager.update(User, { id, email: signIn.email }, { emailUnverified: false }); // the provider has verified it
    return this.createWithin(manager, user, signIn, now);
  }

  /** Unlinks an account from who it belongs to at the provider, such as when somebody else has the address now. */
  async removeWithin(manager: EntityManager, user: NamedAccount): Promise<boolean> {
    const { affected } = await manager.delete(Identity, { userId: user.id });
    await manager.update(User, { id: user.id }, { providerSignInAt: null });
    if (affected === 0) return false;
    await this.audit.recordWithin(manager, 'identity_removed', { subject: user });
    return true;
  }

  /**
   * Ends the sessions that began with the session that the provider names, whenever that was. Others of the person end
   * only if the provider names none, or named none when they began, and if they began before it said this.
   */
  async endSessions({ issuer, subject, session, issuedAt }: ProviderLogout): Promise<void> {
    const identity = subject === undefined ? null : await this.find(Identity.digestOf({ issuer, subject }));
    const ended: FindOptionsWhere<Session>[] = [];
    if (session !== undefined) ended.push({ providerSession: providerSessionOf(issuer, session) });
    if (identity)
      ended.push({
        userId: identity.userId,
        identityId: identity.id,
        createdAt: LessThan(issuedAt),
        ...(session !== undefined && { providerSession: IsNull() }),
      });
    await this.unitOfWork.run(async (manager) => {
      const sessions: Session[] = [];
      for (const where of ended) sessions.push(...(await manager.findBy(Session, where)));
      if (sessions.length > 0) await manager.delete(Session, { id: In(sessions.map(({ id }) => id)) });
      const userId = sessions[0]?.userId ?? identity?.userId;
      const user = userId === undefined ? null : await manager.findOneBy(User, { id: userId });
      const details = { sessions: sessions.length };
      await this.audit.recordWithin(manager, 'provider_logout', { subject: user ?? undefined, details });
    });
  }

  /** Does nothing while another account has the address, so that the account can still get it later. */
  private async followEmailWithin(
    manager: EntityManager,
    user: User,
    known: Identity,
    email: string,
    language: Language | undefined,
  ): Promise<void> {
    const { id, email: before } = user;
    if (email !== before) {
      if (await manager.existsBy(User, { email })) return;
      await this.notices.addWithin(manager, user, 'email', user.language ?? language);
      await manager.update(User, { id }, { email, emailUnverified: false });
      await manager.delete(PasswordLink, { userId: id });
      await manager.delete(EmailLink, { userId: id });
      const details = { previous_email: before };
      await this.audit.recordWithin(manager, 'email_verified', { subject: { id, email }, by: user, details });
    }
    await manager.update(Identity, { id: known.id }, { email });
  }
}

/** What a session keeps of the id of the provider's session. */
export function providerSessionOf(issuer: string, session: string): string {
  return digestOf(JSON.stringify([issuer, session]));
}

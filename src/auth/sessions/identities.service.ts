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
import { emailError } from '../entities/emails.js';
import { AccountNotices } from '../notices/account-notices.js';
import { endBegunWith, isInForceWithin, useOnceWithin } from './sign-in-marks.js';

/** What of a sign-in at the provider a session and its account need. */
export interface ProviderSignIn {
  /** `Identity.digestOf` the person. */
  identity: string;
  /** Verified by the provider. */
  email: string;
  /** `providerSessionOf` the provider's own session, if it has told one. */
  session?: string;
  /** Before the provider has said all this, in milliseconds since 1970: what it ends after that ends this, too. */
  at: number;
  /** When the person last gave the provider a password or the like. */
  provenAt: number;
  /** Undefined when the provider does not decide it. */
  administrator?: boolean;
}

/** What a provider ends: the sessions of a subject, or those that began with one of its own. */
export interface ProviderLogout {
  /** Of the message, unique among those of the issuer. */
  id: string;
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
   * @throws SignInNeeded when somebody else at the provider has joined the account, or the provider has ended the sign-in
   */
  async recordWithin(
    manager: EntityManager,
    { id }: User,
    signIn: ProviderSignIn,
    language: Language | undefined,
    now: Date,
  ): Promise<string> {
    const user = await this.unitOfWork.findForUpdate(manager, User, { id });
    if (!user || !(await this.isInForceWithin(manager, signIn, now))) throw new SignInNeeded();
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

  /** Ends the sign-ins of somebody at the provider that are not finished, also if no account belongs to them. */
  async endUnfinished(identity: string, now = new Date()): Promise<void> {
    await this.unitOfWork.run((manager) => endBegunWith(this.unitOfWork, manager, identity, now, now));
  }

  /**
   * Ends the sessions that began with the session that the provider names, whenever that was. Others of the person end
   * only if the provider names none, or named none when they began, and if they began before it said this. The same
   * holds for sign-ins that are not finished. A message that is sent once more does nothing.
   */
  async endSessions(
    { id, issuer, subject, session, issuedAt }: ProviderLogout,
    now = new Date(),
  ): Promise<void> {
    const digest = subject === undefined ? undefined : Identity.digestOf({ issuer, subject });
    const identity = digest === undefined ? null : await this.find(digest);
    const providerSession = session === undefined ? undefined : providerSessionOf(issuer, session);
    const ended: FindOptionsWhere<Session>[] = [];
    if (providerSession !== undefined) ended.push({ providerSession });
    if (identity)
      ended.push({
        userId: identity.userId,
        identityId: identity.id,
        createdAt: LessThan(issuedAt),
        ...(session !== undefined && { providerSession: IsNull() }),
      });
    await this.unitOfWork.run(async (manager) => {
      if (!(await useOnceWithin(manager, digestOf(JSON.stringify(['logout', issuer, id])), now))) return;
      const end = (origin: string, at: Date) => endBegunWith(this.unitOfWork, manager, origin, at, now);
      if (providerSession !== undefined) await end(providerSession, now);
      if (digest !== undefined)
        await end(
          providerSession === undefined ? digest : withoutSession(digest),
          issuedAt < now ? issuedAt : now,
        );
      const sessions: Session[] = [];
      for (const where of ended) sessions.push(...(await manager.findBy(Session, where)));
      if (sessions.length > 0) await manager.delete(Session, { id: In(sessions.map(({ id }) => id)) });
      const userId = sessions[0]?.userId ?? identity?.userId;
      const user = userId === undefined ? null : await manager.findOneBy(User, { id: userId });
      const details = { sessions: sessions.length };
      await this.audit.recordWithin(manager, 'provider_logout', { subject: user ?? undefined, details });
    });
  }

  private async isInForceWithin(
    manager: EntityManager,
    { identity, session, at }: ProviderSignIn,
    now: Date,
  ): Promise<boolean> {
    for (const origin of [identity, session ?? withoutSession(identity)])
      if (!(await isInForceWithin(this.unitOfWork, manager, origin, new Date(at), now))) return false;
    return true;
  }

  /** Does nothing while it is not acceptable or another account has it, so that the account can still get it later. */
  private async followEmailWithin(
    manager: EntityManager,
    user: User,
    known: Identity,
    email: string,
    language: Language | undefined,
  ): Promise<void> {
    const { id, email: before } = user;
    if (email !== before) {
      if (emailError(email) || (await manager.existsBy(User, { email }))) return;
      await this.notices.addWithin(manager, user, 'email', user.language ?? language);
      await manager.update(User, { id }, { email, emailUnverified: false });
      await manager.delete(PasswordLink, { userId: id });
      await manager.delete(EmailLink, { userId: id });
      const details = { previous_email: before };
      await this.audit.recordWithin(manager, 'email_verified', { subject: { id, email }, details });
    }
    await manager.update(Identity, { id: known.id }, { email });
  }
}

/** The sign-ins of an identity whose sessions at the provider have not been told. */
function withoutSession(identity: string): string {
  return `${identity} without a session`;
}

/** What a session keeps of the id of the provider's session. */
export function providerSessionOf(issuer: string, session: string): string {
  return digestOf(JSON.stringify([issuer, session]));
}

import { GoneException, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { writeWithin } from '../../platform/database/statements/statements.js';
import { digestOf, newToken } from '../../platform/random/random.js';
import { capTimes } from '../../platform/database/cap-times.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import type { Language } from '../../texts/languages.js';
import { AuthCleanup } from '../cleanup/auth-cleanup.schedule.js';
import type { PasswordLinkValues } from '../notices/account-mail-kinds.js';
import { ACCOUNT_MAILS } from '../notices/account-mail-kinds.js';
import { PasswordLink } from '../entities/password-link.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { User } from '../entities/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { UnverifiedAccess } from './unverified-access.js';

/** The link has been used or replaced, has ended, or never existed: these cannot be told apart. */
export class LinkInvalid extends GoneException {
  constructor() {
    super(new Problem('link_invalid'));
  }
}

/** A link that was just created. The token is returned only here; the database has just its digest. */
export interface NewLink {
  token: string;
  endsAt: Date;
}

/** Links by which people set the password of their account, once: invitations, and for those who forgot it. */
@Injectable()
export class PasswordLinksService {
  constructor(
    @InjectRepository(PasswordLink) private readonly links: Repository<PasswordLink>,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly unverified: UnverifiedAccess,
    private readonly mails: MailsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  /**
   * Creates an account without a password, and the link that sets it.
   * @throws AccountError when the email address is not acceptable or taken
   */
  async invite(email: string, now = new Date()): Promise<{ user: User; link: NewLink }> {
    const { user, result: link } = await this.users.create(
      { email },
      { after: (manager, created) => this.createWithin(manager, created, now), now },
    );
    return { user, link };
  }

  /**
   * Creates an account without a password, and mails it the link that sets it.
   * @throws AccountError when the email address is not acceptable or taken
   */
  async inviteByMail(email: string, language: Language, now = new Date()): Promise<User> {
    const after = (manager: EntityManager, created: User) => this.mailWithin(manager, created, language, now);
    return (await this.users.create({ email }, { after, now })).user;
  }

  /** Mails an account a link, which is created when the mail is written; its earlier link then ends. */
  mail(user: User, language: Language, now = new Date()): Promise<void> {
    return this.unitOfWork.run(async (manager) => {
      await this.mailWithin(manager, user, language, now);
      await this.audit.recordWithin(manager, 'password_link_sent', { subject: user });
    });
  }

  /** Creates a link for an account; its earlier link ends. */
  create(user: User, now = new Date()): Promise<NewLink> {
    return this.unitOfWork.run(async (manager) => {
      await this.audit.recordWithin(manager, 'password_link_created', { subject: user });
      return this.createWithin(manager, user, now);
    });
  }

  /**
   * The account whose password the link sets. The link can still be used afterwards.
   * @throws LinkInvalid
   */
  async accountOf(token: string, now = new Date()): Promise<User> {
    const link = await this.links.findOneBy({ digest: digestOf(token), endsAt: MoreThan(now) });
    const user = link && (await this.users.findEnabled(link.userId));
    if (!user) throw new LinkInvalid();
    return user;
  }

  /**
   * Sets the password, ends the link and every session of the account. The API tokens of an account that was created by
   * signing up end too: whoever signed up may be somebody else than the one who was given the link. From then on its
   * owner is verified.
   * @throws LinkInvalid
   * @throws AccountError when the password is not acceptable
   */
  async use(
    token: string,
    password: string,
    ip: string,
    language?: Language,
    now = new Date(),
  ): Promise<void> {
    const user = await this.accountOf(token, now);
    const hash = await this.users.hashPassword(password, user.email, { ip, isKnown: true });
    await this.unitOfWork.run(async (manager) => {
      const owner = await this.unitOfWork.findForUpdate(manager, User, { id: user.id });
      const link = { digest: digestOf(token), endsAt: MoreThan(now) };
      const { affected } = await manager.delete(PasswordLink, link);
      if (affected !== 1 || owner?.disabledAt !== null) throw new LinkInvalid();
      await this.users.setPasswordWithin(manager, owner, hash, language);
      await this.sessions.endAllWithin(manager, user.id);
      if (owner.emailUnverified) await this.unverified.revokeWithin(manager, owner);
    });
  }

  /** Removes the rows of links that have ended. */
  @AuthCleanup()
  async deleteEnded(now = new Date(), signal?: AbortSignal): Promise<void> {
    await capTimes(this.unitOfWork, this.links, {}, 'endsAt', PasswordLink.latestEnd(now));
    await removeInBatches(this.unitOfWork, this.links, { endsAt: LessThanOrEqual(now) }, signal);
  }

  private async mailWithin(manager: EntityManager, user: User, language: Language, now: Date): Promise<void> {
    const values: PasswordLinkValues = { language };
    await writeWithin(manager, (tx) => {
      this.mails.add(tx, { kind: ACCOUNT_MAILS.passwordLink, userId: user.id, values }, now);
    });
  }

  private async createWithin(manager: EntityManager, user: User, now: Date): Promise<NewLink> {
    const token = newToken();
    const endsAt = PasswordLink.endFor(user, now);
    await manager.upsert(PasswordLink, { userId: user.id, digest: digestOf(token), endsAt }, ['userId']);
    return { token, endsAt };
  }
}

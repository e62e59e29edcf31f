import { ForbiddenException, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { IsNull, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { newId, digestOf, newToken } from '../../platform/random/random.js';
import { capTimes } from '../../platform/database/cap-times.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Language } from '../../texts/languages.js';
import { AuthCleanup } from '../cleanup/auth-cleanup.schedule.js';
import { EmailTaken } from '../errors/account-error.js';
import { PasswordLink } from '../entities/password-link.entity.js';
import type { NewLink } from './password-links.service.js';
import { LinkInvalid } from './password-links.service.js';
import { User } from '../entities/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { AccountNotices } from '../notices/account-notices.js';
import { EmailLink } from '../entities/email-link.entity.js';
import { Problem } from '../../platform/errors/problem.js';

/** Links that show that whoever opens them reads the mail of an email address. */
@Injectable()
export class EmailLinksService {
  constructor(
    @InjectRepository(EmailLink) private readonly links: Repository<EmailLink>,
    private readonly users: UsersService,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A link that creates an account. Earlier ones keep working, so that nobody can end the link of another. */
  createForSignUp(email: string, now = new Date()): Promise<NewLink> {
    return this.unitOfWork.run((manager) => createWithin(manager, email, null, now));
  }

  /** A link that makes an email address the one of an account; an earlier link of this account ends. */
  createFor({ id }: User, email: string, now = new Date()): Promise<NewLink> {
    return this.unitOfWork.run(async (manager) => {
      await this.unitOfWork.findForUpdate(manager, User, { id });
      await manager.delete(EmailLink, { userId: id });
      return createWithin(manager, email, id, now);
    });
  }

  /**
   * The email address of a link that creates an account.
   * @throws LinkInvalid
   */
  async findForSignUp(token: string, now = new Date()): Promise<string> {
    const link = await this.links.findOneBy({ ...usable(token, now), userId: IsNull() });
    if (!link) throw new LinkInvalid();
    return link.email;
  }

  /**
   * Creates the account; all links that could create it end.
   * @throws LinkInvalid also when the email address has got an account in another way
   * @throws AccountError when the password is not acceptable
   */
  async signUp(token: string, password: string, ip: string, now = new Date()): Promise<User> {
    const email = await this.findForSignUp(token, now);
    const useWithin = async (manager: EntityManager) => {
      const { affected } = await manager.delete(EmailLink, { ...usable(token, now), userId: IsNull() });
      if (affected !== 1) throw new LinkInvalid();
      await manager.delete(EmailLink, { email, userId: IsNull() });
    };
    try {
      return (await this.users.create({ email, password, ip }, { before: useWithin, now })).user;
    } catch (error) {
      throw error instanceof EmailTaken ? new LinkInvalid() : error;
    }
  }

  /**
   * The email address that a link gives to this account.
   * @throws LinkInvalid
   * @throws ForbiddenException when it was sent for another account
   */
  async findFor(user: User, token: string, now = new Date()): Promise<string> {
    const link = await this.links.findOneBy(usable(token, now));
    if (!link?.userId) throw new LinkInvalid();
    if (link.userId !== user.id) throw new ForbiddenException(new Problem('link_of_other_account'));
    return link.email;
  }

  /**
   * Makes the email address of the link the verified one of this account. The person must be signed in to it: the link
   * was perhaps sent to somebody who never asked for it, and verified somebody else's account. Links that were sent to
   * the old email address end.
   * @throws LinkInvalid
   * @throws ForbiddenException when it was sent for another account
   * @throws EmailTaken
   */
  async use(user: User, token: string, language: Language, now = new Date()): Promise<void> {
    const email = await this.findFor(user, token, now);
    const { id } = user;
    await this.users.setVerifiedEmail(user, email, async (manager) => {
      const owner = await this.unitOfWork.findForUpdate(manager, User, { id });
      const { affected } = await manager.delete(EmailLink, { ...usable(token, now), userId: id });
      if (affected !== 1 || owner?.disabledAt !== null) throw new LinkInvalid();
      await manager.delete(PasswordLink, { userId: id });
      if (email !== owner.email) await this.notices.addWithin(manager, owner, 'email', language, now);
    });
  }

  /** Ends a link that was sent to the email address of this account; returns whether it was one. */
  async endWithin(manager: EntityManager, { id, email }: User, token: string, now: Date): Promise<boolean> {
    const { affected } = await manager.delete(EmailLink, { ...usable(token, now), userId: id, email });
    return affected === 1;
  }

  /** Removes the rows of links that have ended. */
  @AuthCleanup()
  async deleteEnded(now = new Date(), signal?: AbortSignal): Promise<void> {
    await capTimes(this.unitOfWork, this.links, {}, 'endsAt', EmailLink.endFor(now));
    await removeInBatches(this.unitOfWork, this.links, { endsAt: LessThanOrEqual(now) }, signal);
  }
}

function usable(token: string, now: Date) {
  return { digest: digestOf(token), endsAt: MoreThan(now) };
}

async function createWithin(
  manager: EntityManager,
  email: string,
  userId: string | null,
  now: Date,
): Promise<NewLink> {
  const token = newToken();
  const endsAt = EmailLink.endFor(now);
  await manager.insert(EmailLink, { id: newId(), email, userId, digest: digestOf(token), endsAt });
  return { token, endsAt };
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { In, IsNull, LessThanOrEqual, MoreThan, Not, Repository } from 'typeorm';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { newId, digestOf, newToken } from '../../platform/random/random.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { AuthCleanup } from '../cleanup/auth-cleanup.schedule.js';
import { Session } from '../entities/session.entity.js';
import { SignInMark } from '../entities/sign-in-mark.entity.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { findUncountedPage } from '../../platform/http/paging/find-page.js';
import type { ListPage } from '../../platform/http/paging/list-page.js';
import { currentActor } from '../../platform/instance-audit/current-actor.js';
import { SignInNeeded } from '../errors/sign-in-needed.js';
import { User } from '../entities/user.entity.js';
import { Settings } from '../../platform/settings/settings.js';

/** With what a session begins, unless just a password was given. */
export type SessionOrigin = Partial<Pick<Session, 'identityId' | 'providerSession' | 'provenAt'>>;

/** A session with its account. */
export interface SignedIn {
  user: User;
  session: Session;
}

/** Of an account: all of them are ended in one transaction. */
export const MAX_SESSIONS = 500;

/** Begins, looks up and ends browser sessions. The API does not use them. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
    private readonly log: Log,
  ) {}

  /**
   * Begins a session in the transaction of `manager`; returns the token for the cookie, which is not stored. Those of too
   * many that were used least recently end.
   * @throws SignInNeeded when the account was disabled, got another password or a second factor, or was signed out
   * everywhere, since it was checked
   */
  async beginWithin(
    manager: EntityManager,
    user: User,
    now: Date,
    origin: SessionOrigin = {},
  ): Promise<string> {
    const { id: userId, passwordHash, hasSecondFactor, signInsEnded } = user;
    const asChecked = {
      id: userId,
      passwordHash: passwordHash ?? IsNull(),
      hasSecondFactor,
      signInsEnded,
      disabledAt: IsNull(),
    };
    const { affected } = await manager.update(User, asChecked, { lastUsedAt: now });
    if (affected !== 1) throw new SignInNeeded();
    const token = newToken();
    const id = newId();
    const { userAgent, ip } = currentActor();
    await manager.insert(Session, {
      id,
      userId,
      digest: digestOf(token),
      createdAt: now,
      lastSeenAt: now,
      endsAt: Session.endOf(now, this.settings.SESSION_DAYS),
      provenAt: now,
      ...origin,
      userAgent,
      ip,
    });
    await this.endSurplusWithin(manager, userId, id);
    return token;
  }

  /** The session with its account, or undefined when it has ended or never existed. */
  async authenticate(token: string, now = new Date()): Promise<SignedIn | undefined> {
    const session = await this.sessions.findOneBy({ digest: digestOf(token) });
    if (!session || session.hasEnded(now)) return undefined;

    const user = await this.usersRepository.findOneBy({ id: session.userId });
    if (!user || user.disabledAt !== null) return undefined;
    if (session.shouldRecordSeen(now)) await this.recordSeen(session, now);
    return { user, session };
  }

  async end(token: string): Promise<void> {
    await this.unitOfWork.run((manager) => manager.delete(Session, { digest: digestOf(token) }));
  }

  /** Signs the account out everywhere. */
  async endAll(user: User): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      await this.endAllWithin(manager, user.id);
      await this.audit.recordWithin(manager, 'signed_out_everywhere', { subject: user });
    });
  }

  /** A page of the sessions of an account that have not ended, the one used last first. */
  pageOf({ id: userId }: User, page: ListPage, now = new Date()): Promise<UncountedPage<Session>> {
    const inUse = { userId, endsAt: MoreThan(now), lastSeenAt: MoreThan(Session.idleSince(now)) };
    const sessions = this.sessions.createQueryBuilder('session').where(inUse);
    return findUncountedPage(sessions.orderBy('session.lastSeenAt', 'DESC'), page);
  }

  /** Ends a session of this account; nothing happens when there is none with this id. */
  async endOne(user: User, id: string): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.delete(Session, { id, userId: user.id });
      if (affected === 1) await this.audit.recordWithin(manager, 'session_ended', { subject: user });
    });
  }

  /** Ends all sessions of the account but this one. */
  async endOthers(user: User, kept: Session): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      await this.endOthersWithin(manager, user.id, kept);
      await this.audit.recordWithin(manager, 'session_ended', { subject: user });
    });
  }

  /** Also ends what waits for its next step. */
  async endAllWithin(manager: EntityManager, userId: string): Promise<void> {
    await manager.increment(User, { id: userId }, 'signInsEnded', 1);
    await manager.delete(Session, { userId });
  }

  /** Ends all sessions of the account but this one, and what waits for its next step. */
  async endOthersWithin(
    manager: EntityManager,
    userId: string,
    kept: { id: string } | { token: string },
  ): Promise<void> {
    const others = 'id' in kept ? { id: Not(kept.id) } : { digest: Not(digestOf(kept.token)) };
    await manager.increment(User, { id: userId }, 'signInsEnded', 1);
    await manager.delete(Session, { userId, ...others });
  }

  /** Records that whoever uses the session has given the password or a second factor, or has signed in at the provider. */
  async recordAuthentication(session: Session, now = new Date()): Promise<void> {
    await this.unitOfWork.run((manager) => manager.update(Session, { id: session.id }, { provenAt: now }));
    session.provenAt = now;
  }

  /** Removes the rows of sessions that have ended, and what ended sign-ins that cannot be finished any more. */
  @AuthCleanup()
  async deleteEnded(now = new Date(), signal?: AbortSignal): Promise<void> {
    const idle = { lastSeenAt: LessThanOrEqual(Session.idleSince(now)) };
    for (const ended of [{ endsAt: LessThanOrEqual(now) }, idle]) {
      await removeInBatches(this.unitOfWork, this.sessions, ended, signal);
    }
    const marks = this.sessions.manager.getRepository(SignInMark);
    await removeInBatches(this.unitOfWork, marks, { keptUntil: LessThanOrEqual(now) }, signal);
  }

  private async endSurplusWithin(manager: EntityManager, userId: string, begun: string): Promise<void> {
    const surplus = await manager.find(Session, {
      select: { id: true },
      where: { userId, id: Not(begun) },
      order: { lastSeenAt: 'DESC' },
      skip: MAX_SESSIONS - 1,
      take: MAX_SESSIONS,
    });
    if (surplus.length > 0) await manager.delete(Session, { id: In(surplus.map(({ id }) => id)) });
  }

  private async recordSeen(session: Session, now: Date): Promise<void> {
    const { id, userId } = session;
    try {
      await this.unitOfWork.run(async (manager) => {
        await manager.update(User, { id: userId }, { lastUsedAt: now });
        await manager.update(Session, { id }, session.seen(now, this.settings.SESSION_DAYS));
      });
    } catch (error) {
      this.log.failure('The use of a session could not be recorded', error); // no reason to reject the request
    }
  }
}

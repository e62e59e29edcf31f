import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { LessThanOrEqual, Repository } from 'typeorm';
import { capTimes } from '../../platform/database/cap-times.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { currentActor } from '../../platform/instance-audit/current-actor.js';
import { digestOf } from '../../platform/random/random.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import { AuthCleanup } from '../cleanup/auth-cleanup.schedule.js';
import { KnownBrowser } from '../entities/known-browser.entity.js';
import type { User } from '../entities/user.entity.js';
import { AccountNotices } from '../notices/account-notices.js';
import { keepLatestWithin } from '../../platform/database/keep-latest.js';
import { browserInMail } from './browser-in-words.js';

const MAX_PER_ACCOUNT = 50;
const KNOWN_FOR_MS = 365 * DAY_MS;
/** Mails about new browsers to one account, so that whoever has its password cannot flood it. */
const MAX_NOTICES_PER_HOUR = 6;

/** Recognises the browsers that an account has used, by a cookie, and tells its owner about others. */
@Injectable()
export class KnownBrowsersService {
  constructor(
    @InjectRepository(KnownBrowser) private readonly browsers: Repository<KnownBrowser>,
    private readonly notices: AccountNotices,
    private readonly texts: TextsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Records a sign-in in the transaction that begins the session. The owner is told about a browser that the account has
   * not used in the last year, but not about the first one: that is its own, or nothing was recorded yet. The mail is in
   * the language of the account, because the request may be a stranger's.
   * @param browser the value of the cookie
   */
  async recordWithin(manager: EntityManager, user: User, browser: string, now: Date): Promise<void> {
    const { id: userId } = user;
    const id = digestOf(`${userId} ${browser}`);
    const { affected } = await manager.update(KnownBrowser, { id }, { seenAt: now });
    if (affected === 1) return;
    const others = await manager.findBy(KnownBrowser, { userId });
    const row = { id, userId, createdAt: now, seenAt: now };
    await manager.upsert(KnownBrowser, row, ['id']); // two sign-ins at once record the same browser
    await keepLatestWithin(manager, KnownBrowser, others, MAX_PER_ACCOUNT - 1);
    const recent = others.filter(({ createdAt }) => Math.abs(now.getTime() - createdAt.getTime()) < HOUR_MS);
    if (others.length === 0 || recent.length >= MAX_NOTICES_PER_HOUR) return;
    const t = this.texts.in(user.language);
    const about = { name: browserInMail(currentActor().userAgent, t), time: now.getTime() };
    await this.notices.addWithin(manager, user, 'new_browser', t.language, now, about);
  }

  @AuthCleanup()
  async deleteOld(now: Date, signal?: AbortSignal): Promise<void> {
    await capTimes(this.unitOfWork, this.browsers, {}, 'seenAt', now);
    const old = { seenAt: LessThanOrEqual(new Date(now.getTime() - KNOWN_FOR_MS)) };
    await removeInBatches(this.unitOfWork, this.browsers, old, signal);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { MoreThan, MoreThanOrEqual } from 'typeorm';
import { Problem } from '../../platform/errors/problem.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { User } from '../entities/user.entity.js';
import { AccountNotices } from '../notices/account-notices.js';
import { DailyQuota, dayOf, untilNextDay, DailyUsage } from '../quotas/daily-quota.js';

/** Three of the million codes are right at a time, so that one of 3,300 days of guessing succeeds. */
const MAX_A_DAY = 100;

/**
 * The wrong codes of authenticator apps that are tried at each account in a day, from all networks together. The counts
 * of `SignInThrottle` are by network, of which a stranger may have thousands; a code has only six digits.
 */
@Injectable()
export class WrongCodes extends DailyQuota {
  protected readonly column = 'codes';
  protected readonly max = MAX_A_DAY;

  @Inject() private readonly notices: AccountNotices;
  @Inject() private readonly audit: InstanceAudit;
  @Inject() private readonly log: Log;

  /**
   * What `check` finds about a code, which is counted before it is checked and no longer once it is right.
   * @param mayExceed whether it is checked also when the account has had too many wrong ones
   * @throws TooManyRequests
   */
  async counted(user: User, mayExceed: boolean, now: Date, check: () => Promise<boolean>): Promise<boolean> {
    const update = await this.prepareUpdate(user.id, 1, now);
    const isCounted = await this.unitOfWork.write((tx) => {
      if (update) tx.updateOrAbort(update);
    });
    if (!isCounted) await this.tell(user, now);
    if (!isCounted && !mayExceed) throw this.exceededError(now);
    let isWrong = false;
    try {
      isWrong = !(await check());
      return !isWrong;
    } finally {
      if (isCounted && !isWrong) await this.tryToUncount(user, now);
    }
  }

  exceededError(now: Date): TooManyRequests {
    return new TooManyRequests('attempts', new Problem('too_many_wrong_codes_today'), untilNextDay(now));
  }

  /** The owner gets one mail a day. */
  private async tell(user: User, now: Date): Promise<void> {
    const { id: userId, language } = user;
    const untold = { userId, codesTold: false };
    if (!(await this.usage.existsBy(untold))) return;
    await this.unitOfWork.run(async (manager) => {
      await this.unitOfWork.findForUpdate(manager, User, { id: userId });
      const { affected } = await manager.update(DailyUsage, untold, { codesTold: true });
      if (affected !== 1) return;
      await this.notices.addWithin(manager, user, 'wrong_codes', language ?? undefined, now);
      await this.audit.recordWithin(manager, 'second_factor_limited', { subject: user });
    });
  }

  /** Never throws: what the check has found is to be returned. */
  private async tryToUncount({ id: userId }: User, now: Date): Promise<void> {
    const today = { userId, day: MoreThanOrEqual(dayOf(now)), codes: MoreThan(0) };
    await this.unitOfWork
      .run((manager) => manager.decrement(DailyUsage, today, 'codes', 1))
      .catch((cause: unknown) => {
        this.log.failure('A code that was not wrong could not be removed from the count', cause);
      });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Not, Repository } from 'typeorm';
import { capTimes } from '../../platform/database/cap-times.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../platform/logging/log.js';
import { digestOf } from '../../platform/random/random.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { AuthCleanup } from '../cleanup/auth-cleanup.schedule.js';
import { KnownNetwork } from '../entities/known-network.entity.js';
import { keepLatestWithin } from '../../platform/database/keep-latest.js';
import type { User } from '../entities/user.entity.js';

const KNOWN_FOR_MS = 90 * DAY_MS;
/** Of one account, so that a stranger's account cannot make all networks of a flood known. */
const MAX_PER_ACCOUNT = 10;

/**
 * The networks from which somebody has signed in of late. They are first in the queue of password hashes, whatever
 * account is tried: how long a response takes must not tell who has one.
 */
@Injectable()
export class KnownNetworksService {
  constructor(
    @InjectRepository(KnownNetwork) private readonly networks: Repository<KnownNetwork>,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  includes(network: string, now: Date): Promise<boolean> {
    return this.networks.existsBy({ network, seenAt: MoreThan(endOfKnown(now)) });
  }

  /** Whether this account was signed in to from there, with its second factor. */
  includesFor({ id: userId }: User, network: string, now: Date): Promise<boolean> {
    const id = idOf(userId, network);
    return this.networks.existsBy({ id, withSecondFactor: true, seenAt: MoreThan(endOfKnown(now)) });
  }

  /**
   * Records where somebody has finished signing in: whoever has only the password of an account with a second factor
   * must not make a network known. Never throws: the sign-in succeeds without it.
   */
  async tryToRecord(user: User, network: string, now: Date): Promise<void> {
    await this.record(user, network, now).catch((cause: unknown) => {
      this.log.failure('The network of a sign-in could not be recorded', cause);
    });
  }

  @AuthCleanup()
  async deleteOld(now: Date, signal?: AbortSignal): Promise<void> {
    await capTimes(this.unitOfWork, this.networks, {}, 'seenAt', now);
    const old = { seenAt: LessThanOrEqual(endOfKnown(now)) };
    await removeInBatches(this.unitOfWork, this.networks, old, signal);
  }

  private async record({ id: userId, hasSecondFactor }: User, network: string, now: Date): Promise<void> {
    const id = idOf(userId, network);
    const row = { id, userId, network, withSecondFactor: hasSecondFactor, seenAt: now };
    await capTimes(this.unitOfWork, this.networks, { userId }, 'seenAt', now);
    await this.unitOfWork.run(async (manager) => {
      await manager.upsert(KnownNetwork, row, ['id']);
      const others = await manager.findBy(KnownNetwork, { userId, id: Not(id) });
      await keepLatestWithin(manager, KnownNetwork, others, MAX_PER_ACCOUNT - 1);
    });
  }
}

function idOf(userId: string, network: string): string {
  return digestOf(`${userId} ${network}`);
}

/** Networks last seen then are no longer known. */
function endOfKnown(now: Date): Date {
  return new Date(now.getTime() - KNOWN_FOR_MS);
}

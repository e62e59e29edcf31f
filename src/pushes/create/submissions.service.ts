import { GoneException, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { digestOf } from '../../database/ids.js';
import { isDuplicate } from '../../database/database-error.js';
import { PreparedStatements } from '../../database/prepared-statements.js';
import { removeInBatches } from '../../database/remove-in-batches.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Visitor } from '../../http/visitor.js';
import type { NewPush } from './new-push.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import type { CreatedOnPage } from './creations.service.js';
import { CreationsService } from './creations.service.js';
import { PushesService } from '../pushes.service.js';

const RETENTION_MS = 10 * 60 * 1000;

/**
 * Submissions of the form that creates pushes. One that is sent again with the same idempotency key, because the
 * response was lost, creates no second push (draft-ietf-httpapi-idempotency-key-header).
 */
@Injectable()
export class SubmissionsService {
  private readonly statements: PreparedStatements<IdempotencyKey>;

  constructor(
    @InjectRepository(IdempotencyKey) private readonly keys: Repository<IdempotencyKey>,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushesService,
    private readonly creations: CreationsService,
  ) {
    this.statements = new PreparedStatements(keys.manager.dataSource, IdempotencyKey);
  }

  /**
   * Creates a push, or returns the one that the same visitor created with the same key.
   * @throws GoneException when that push has ended
   */
  async submit(
    key: string | undefined,
    newPush: NewPush,
    visitor: Visitor,
    now = new Date(),
  ): Promise<CreatedOnPage> {
    if (key === undefined) return this.creations.createOnPage(newPush, visitor, now);

    const digest = digestFor(key, visitor);
    const first = await this.findFirst(digest, visitor, now).catch(async (error: unknown) => {
      await this.creations.discardFiles(newPush);
      throw error;
    });
    if (first) {
      await this.creations.discardFiles(newPush);
      return first;
    }
    try {
      return await this.creations.createOnPage(newPush, visitor, now, ({ id: pushId }) => [
        this.statements.insert({ digest, pushId, createdAt: now }),
      ]);
    } catch (error) {
      const winner = isDuplicate(error) ? await this.findFirst(digest, visitor, now) : undefined;
      if (!winner) throw error;
      return winner;
    }
  }

  /** Removes keys that are ten minutes old. */
  async deleteOldKeys(now = new Date(), stop?: AbortSignal): Promise<void> {
    const old = { createdAt: LessThan(new Date(now.getTime() - RETENTION_MS)) };
    await removeInBatches(this.unitOfWork, this.keys, old, stop);
  }

  private async findFirst(digest: string, visitor: Visitor, now: Date): Promise<CreatedOnPage | undefined> {
    const used = await this.keys.findOneBy({ digest });
    const created = used ? await this.pushes.findById(used.pushId, visitor, now) : undefined;
    if (created?.push.expired) {
      throw new GoneException('The push created by this form has expired. No new push was created.');
    }
    return created;
  }
}

/** Includes the account, or its absence, so that a key is of no use to other visitors. */
function digestFor(key: string, { userId = 'nobody' }: Visitor): string {
  return digestOf(`${userId} ${key}`);
}

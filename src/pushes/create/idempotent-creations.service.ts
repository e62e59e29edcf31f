import { ConflictException, GoneException, Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { digestOf } from '../../platform/random/random.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { Job } from '../../platform/scheduling/jobs.js';
import type { NewPush } from './create-push.dto.js';
import { CreationsService } from './creations.service.js';
import type { CreationResult } from '../push/pushes.service.js';
import { PushesService } from '../push/pushes.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { Push } from '../push/push.entity.js';

/** A key that a form was submitted with, and the push that was created from it. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  /** SHA-256 of the key, in hex. */
  @PrimaryColumn('varchar', { length: 64 })
  digest: string;

  @Index()
  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;

  @Index()
  @DateTimeColumn()
  createdAt: Date;
}

const RETENTION_MS = 10 * 60 * 1000;

/**
 * Submissions of the form that creates pushes. One that is sent again with the same idempotency key, because the
 * response was lost, creates no second push (draft-ietf-httpapi-idempotency-key-header), whoever is signed in by then.
 */
@Injectable()
export class IdempotentCreationsService {
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
   * Creates a push, or returns the one that was created with the same key.
   * @param assertAllowed throws when no new push may be created
   * @throws GoneException when that push has ended
   * @throws ConflictException when it was created for another account
   */
  async create(
    key: string | undefined,
    newPush: NewPush,
    visitor: Visitor,
    assertAllowed: () => void,
    now = new Date(),
  ): Promise<CreationResult> {
    const digest = key === undefined ? undefined : digestOf(key);
    let first: CreationResult | undefined;
    try {
      first = await this.findFirst(digest, visitor, now);
      if (!first) assertAllowed();
    } catch (error) {
      await this.creations.discardFiles(newPush);
      throw error;
    }
    if (first) {
      await this.creations.discardFiles(newPush);
      return first;
    }
    try {
      return await this.creations.createOnPage(newPush, visitor, now, (tx, { id: pushId }) => {
        if (digest !== undefined) this.statements.insert(tx, { digest, pushId, createdAt: now });
      });
    } catch (error) {
      const winner = isDuplicate(error) ? await this.findFirst(digest, visitor, now) : undefined;
      if (!winner) throw error;
      return winner;
    }
  }

  /**
   * The push that was created with a key, if any.
   * @throws GoneException, ConflictException as `create`
   */
  find(key: string, visitor: Visitor, now = new Date()): Promise<CreationResult | undefined> {
    return this.findFirst(digestOf(key), visitor, now);
  }

  /** Removes keys that are ten minutes old. */
  @Job({ name: 'idempotency keys', every: CronExpression.EVERY_MINUTE, isExclusive: true })
  async deleteOldKeys(now = new Date(), signal?: AbortSignal): Promise<void> {
    const old = { createdAt: LessThan(new Date(now.getTime() - RETENTION_MS)) };
    await removeInBatches(this.unitOfWork, this.keys, old, signal);
  }

  private async findFirst(
    digest: string | undefined,
    visitor: Visitor,
    now: Date,
  ): Promise<CreationResult | undefined> {
    const used = digest === undefined ? null : await this.keys.findOneBy({ digest });
    const created = used ? await this.pushes.findCreated(used.pushId, visitor, now) : undefined;
    if (created && !created.isOwner && created.deleteKey === undefined)
      throw new ConflictException(new Problem('created_for_other_account'));
    if (created?.push.expired) {
      throw new GoneException(new Problem('created_push_expired'));
    }
    return created;
  }
}

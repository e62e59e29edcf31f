import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import {
  And,
  LessThan,
  LessThanOrEqual,
  MoreThan,
  Repository,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
} from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import { CLOCK_DIFFERENCE_MS } from '../../platform/database/cap-times.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { PreparedStatements, statementOf } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { newId } from '../../platform/random/random.js';
import { Job } from '../../platform/scheduling/jobs.js';
import { Push } from '../push/push.entity.js';
import { PushSeal } from '../push/push-seal.js';
import { CODE_LIFETIME_MS, CODE_TRIES, OpenCode } from './open-code.entity.js';
import { recipientFor } from '../fields/list-fields.js';
import { ReferenceColumn, SealedColumn } from '../../platform/database/columns.js';

/** A view of a push by one of its recipients. */
@Entity('openings')
export class Opening {
  /**
   * What no second view may have: the id of its code or, where each recipient may open the push only once, the digest of
   * the email address.
   */
  @PrimaryColumn('varchar', { length: 64 })
  id: string;

  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @Index()
  @ReferenceColumn()
  pushId: string;

  /** The audit entry of the view. */
  @ReferenceColumn()
  auditEntryId: string;

  /** The email address, sealed with the owner key of the push; null when the push has no owner who could read it. */
  @SealedColumn({ nullable: true })
  sealed: Buffer | null;
}

const CODE_DIGITS = 8;

/** What shows that a visitor is a recipient of a push. */
export interface RecipientCredentials {
  /** As it was typed. */
  email: string;
  code: string;
  /** A digest of what only the browser has that asked for the code on a page; undefined for a program. */
  browser?: string;
}

/** A recipient who has entered a right code, which is not used yet. */
export interface VerifiedRecipient {
  codeId: string;
  /** As it is stored and compared. */
  email: string;
}

/** Who asked for a code, and when. */
interface CodeRequest extends Omit<RecipientCredentials, 'code'> {
  askedAt: Date;
  /** The same when the code is made again because its mail was not delivered, or not known to be. */
  id?: string;
}

/** The codes with which the recipients of pushes open them. */
@Injectable()
export class OpenCodesService {
  private readonly openings: PreparedStatements<Opening>;

  constructor(
    @InjectRepository(OpenCode) private readonly codes: Repository<OpenCode>,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushSeal: PushSeal,
  ) {
    this.openings = new PreparedStatements(codes.manager.dataSource, Opening);
  }

  /**
   * A new code, which replaces the one before. Undefined when the email address is not one of the recipients, and when
   * it could not open the push.
   * @param countWithin counts a code that is not made again, in the same transaction, which fails when it throws
   */
  create(
    pushId: string,
    { id = newId(), ...request }: CodeRequest,
    now: Date,
    countWithin: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<string | undefined> {
    return this.unitOfWork.run(async (manager) => {
      const push = await this.unitOfWork.findForUpdate(manager, Push, { id: pushId }); // before its codes
      if (!push || push.isExpired(now) || !this.isNamed(push, request.email)) return undefined;
      const addressDigest = this.addressDigest(push, request.email);
      if (await manager.existsBy(Opening, { id: push.oncePerRecipient ? addressDigest : id }))
        return undefined;
      if (!(await manager.existsBy(OpenCode, { id }))) await countWithin(manager);
      const code = newCode();
      await manager.delete(OpenCode, { pushId, addressDigest });
      await manager.insert(OpenCode, {
        id,
        pushId,
        addressDigest,
        codeDigest: this.codeDigest(push, { ...request, code }),
        triesLeft: CODE_TRIES,
        expiresAt: new Date(request.askedAt.getTime() + CODE_LIFETIME_MS),
      });
      return code;
    });
  }

  /**
   * Counts an attempt to enter a code, and then checks it. Undefined when it is wrong in any way. What is done in the
   * database is the same for everybody.
   */
  async check(push: Push, given: RecipientCredentials, now: Date): Promise<VerifiedRecipient | undefined> {
    const email = User.normalizeEmail(given.email);
    const expected = this.codeDigest(push, { ...given, email });
    const isNamed = this.isNamed(push, email);
    const found = await this.codes.findOneBy({
      pushId: push.id,
      addressDigest: this.addressDigest(push, email),
    });
    const isCounted = await this.countTry(found?.id ?? newId(), now);
    const isRight = areEqual(found?.codeDigest ?? '', expected);
    return found && isCounted && isRight && isNamed ? { codeId: found.id, email } : undefined;
  }

  /** Whether an email address, as it is stored, is one of the recipients of a push or in one of their domains. */
  isNamed(push: Push, email: string): boolean {
    return recipientFor(email, this.pushSeal.recipientsOf(push)) !== undefined;
  }

  /**
   * Uses a code up, in the transaction of the view that it opens. A code that another view has used, and a recipient who
   * may not open the push again, make the transaction fail because the row exists.
   */
  use(tx: Transaction, push: Push, { codeId, email }: VerifiedRecipient, auditEntryId: string): void {
    const id = push.oncePerRecipient ? this.addressDigest(push, email) : codeId;
    const sealed =
      push.userId === null ? null : this.pushSeal.sealForOwner(push, email, openingContext(auditEntryId));
    this.openings.insert(tx, { id, pushId: push.id, auditEntryId, sealed });
    tx.execute(statementOf(this.codes.createQueryBuilder().delete().where({ id: codeId })));
  }

  /** Removes codes that are not valid any more. */
  @Job({ name: 'opening codes', every: CronExpression.EVERY_MINUTE, isExclusive: true })
  async deleteOld(now = new Date(), signal?: AbortSignal): Promise<void> {
    await removeInBatches(this.unitOfWork, this.codes, { expiresAt: LessThanOrEqual(now) }, signal);
  }

  /** Returns false when the code has been tried too often, or is not valid any more. */
  private countTry(id: string, now: Date): Promise<boolean> {
    const latest = new Date(now.getTime() + CODE_LIFETIME_MS + CLOCK_DIFFERENCE_MS); // later: a clock was ahead
    const valid: FindOptionsWhere<OpenCode> = {
      id,
      triesLeft: MoreThan(0),
      expiresAt: And(MoreThan(now), LessThan(latest)),
    };
    const update = this.codes
      .createQueryBuilder()
      .update()
      .set({ triesLeft: () => 'tries_left - 1' })
      .where(valid);
    return this.unitOfWork.write((tx) => {
      tx.updateOrAbort({ rowId: id, ...statementOf(update) });
    });
  }

  private addressDigest(push: Push, email: string): string {
    return this.pushSeal.keyedDigest(push, 'address', email);
  }

  private codeDigest(push: Push, { email, code, browser = '' }: RecipientCredentials): string {
    return this.pushSeal.keyedDigest(push, 'code', email, code, browser);
  }
}

/** The field of a push that a sealed email address is bound to. */
export function openingContext(auditEntryId: string): string {
  return `opening/${auditEntryId}`;
}

function newCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

function areEqual(digest: string, expected: string): boolean {
  return digest.length === expected.length && timingSafeEqual(Buffer.from(digest), Buffer.from(expected));
}

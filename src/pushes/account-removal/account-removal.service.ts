import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { In, LessThanOrEqual, Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { AdministratorRule } from '../../auth/users/administrators.service.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { AccountError } from '../../auth/errors/account-error.js';
import { ApiToken } from '../../auth/entities/api-token.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { Contributions, contributedMethod } from '../../platform/contributions/contributions.js';
import { removeInBatches } from '../../platform/database/remove-in-batches.js';
import { writeWithin } from '../../platform/database/statements/statements.js';
import { UnitOfWork, afterCommit } from '../../platform/database/transactions/unit-of-work.js';
import { FilePurgeService } from '../../files/file-purge.service.js';
import { FilesService } from '../../files/files.service.js';
import type { NamedAccount } from '../../platform/instance-audit/current-actor.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { OutboxService } from '../../platform/outbox/outbox.service.js';
import { limitShreddedBytes } from '../push/limit-shredded-bytes.js';
import { PushEvents } from '../push/push-events.js';
import { Push } from '../push/push.entity.js';
import { Problem } from '../../platform/errors/problem.js';

type Remover = (manager: EntityManager, userId: string) => Promise<unknown>;

/**
 * On the method that deletes what a module stores about an account. It is called in the transaction that deletes the
 * account, before its row is deleted, and more than once if the transaction is repeated.
 */
export const OnAccountRemoval = contributedMethod<Remover>();

/** An account was deleted, with everything that belonged to it. */
export class AccountDeleted {
  static readonly eventName = 'account.deleted';
  readonly name = AccountDeleted.eventName;

  constructor(
    readonly userId: string,
    readonly at: Date,
  ) {}
}

/** Rows in a batch: few, because a transaction blocks the others. */
const BATCH = 100;

/** Removes accounts with everything that belongs to them. */
@Injectable()
export class AccountRemovalService {
  constructor(
    @InjectRepository(Push) private readonly pushes: Repository<Push>,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditService,
    private readonly instanceAudit: InstanceAudit,
    private readonly files: FilesService,
    private readonly filePurge: FilePurgeService,
    private readonly administrators: AdministratorsService,
    private readonly outbox: OutboxService,
    private readonly contributions: Contributions,
    private readonly events: PushEvents,
  ) {}

  /**
   * Removes most of a large account in batches; pushes created in the meantime and the account itself come last. An
   * administrator stops being one first.
   * @throws AccountError when no other administrator could sign in
   */
  async remove(account: NamedAccount, rule?: AdministratorRule, now = new Date()): Promise<void> {
    const { id: userId } = account;
    await this.administrators.demote(account, rule);
    await this.outbox.remove({ userId });
    await this.removeOldTokens(userId);
    const removed: Push[] = [];
    for (let isAll = false; !isAll;) {
      const found = await this.findPushes(this.pushes.manager, userId);
      const batch = await limitShreddedBytes(this.pushes, found);
      await this.audit.removeLogs(batch.map(({ id }) => id));
      await this.unitOfWork.run((manager) => this.removePushes(manager, batch, now));
      removed.push(...batch);
      isAll = batch.length === found.length && found.length < BATCH;
      await setImmediate();
    }
    removed.push(...(await this.unitOfWork.run((manager) => this.removeAccount(manager, account, now))));

    for (const { id, filesCount } of removed) {
      if (filesCount > 0) await this.filePurge.purgePush(id);
    }
  }

  /** All but the newest, which are removed with the account: it is kept if that fails. */
  private async removeOldTokens(userId: string): Promise<void> {
    const tokens = this.pushes.manager.getRepository(ApiToken);
    const [newest] = await tokens.find({ where: { userId }, order: { id: 'DESC' }, skip: BATCH, take: 1 });
    if (newest) await removeInBatches(this.unitOfWork, tokens, { userId, id: LessThanOrEqual(newest.id) });
  }

  private async removeAccount(manager: EntityManager, account: NamedAccount, now: Date): Promise<Push[]> {
    const { id } = account;
    const user = await this.lockAccount(manager, id);
    if (user?.administrator) throw new AccountError(new Problem('became_administrator'));
    await manager.delete(OutboxMessage, { userId: id }); // before what refers to a push: see docs/architecture.md, lock order
    const removed: Push[] = [];
    for (let isAll = false; !isAll;) {
      const batch = await this.findPushes(manager, id);
      await this.removePushes(manager, batch, now);
      removed.push(...batch);
      isAll = batch.length < BATCH;
    }
    await this.audit.removeSequence(manager, id);
    for (const remove of this.contributions.all(OnAccountRemoval)) await remove(manager, id);
    await manager.delete(User, { id });
    if (user) {
      await this.instanceAudit.recordWithin(manager, 'account_deleted', { subject: account });
      afterCommit(manager, () => {
        this.events.emit(new AccountDeleted(id, now));
      });
    }
    return removed;
  }

  private findPushes(manager: EntityManager, userId: string): Promise<Push[]> {
    return manager.find(Push, { select: { id: true, filesCount: true }, where: { userId }, take: BATCH });
  }

  private async removePushes(manager: EntityManager, batch: Push[], now: Date): Promise<void> {
    if (batch.length === 0) return;
    const ids = batch.map(({ id }) => id);
    await manager.delete(Push, { id: In(ids) });
    // after the pushes: see docs/architecture.md, lock order
    await writeWithin(manager, (tx) => {
      this.files.revoke(tx, ids, now);
    });
  }

  /** From here on no push can be added to the account: its insert waits for this transaction, and then fails. */
  private lockAccount(manager: EntityManager, id: string): Promise<User | null> {
    return this.unitOfWork.findForUpdate(manager, User, { id });
  }
}

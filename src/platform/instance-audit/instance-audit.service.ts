import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { And, LessThan, MoreThan, Repository } from 'typeorm';
import { inBatches } from '../database/in-batches.js';
import { removeInBatches } from '../database/remove-in-batches.js';
import { UnitOfWork, afterCommit } from '../database/transactions/unit-of-work.js';
import type { UncountedPage } from '../http/paging/find-page.js';
import { findUncountedPage } from '../http/paging/find-page.js';
import type { ListPage } from '../http/paging/list-page.js';
import { Log } from '../logging/log.js';
import { idBefore, newId } from '../random/random.js';
import { Job } from '../scheduling/jobs.js';
import { Settings } from '../settings/settings.js';
import { DAY_MS, HOUR_MS } from '../settings/units.js';
import type { Actor, NamedAccount } from './current-actor.js';
import { accountActor, currentActor } from './current-actor.js';
import type { InstanceAuditDetails } from './instance-audit-entry.entity.js';
import { InstanceAuditEntry } from './instance-audit-entry.entity.js';
import type { InstanceAuditKind } from './instance-audit-kinds.js';
import { canStrangersCause } from './instance-audit-kinds.js';

/** Entries of one kind about one account in an hour, unless an administrator or the operator causes them. */
const MAX_OF_ACCOUNT_PER_HOUR = 60;
/** Entries in an hour of each kind that a stranger can cause. Their number must not depend on whether there is such an account. */
const MAX_FAILED_PER_HOUR = 300;

/** Entries that are read together. */
const BATCH = 500;

interface EventOptions {
  /** The account that it is about. */
  subject?: NamedAccount;
  /** The account that acts, if the request is not signed in to it yet. */
  by?: NamedAccount;
  details?: InstanceAuditDetails;
  now?: Date;
}

/** When an entry was written; each end is open when it is absent. */
interface Period {
  from?: Date;
  /** Exclusive. */
  until?: Date;
}

/**
 * The audit log of the instance. An entry is written in the transaction of what it records, and logged after the commit.
 * Who acts is taken from the context of the request or command: docs/decisions/0051 says why.
 */
@Injectable()
export class InstanceAudit {
  constructor(
    @InjectRepository(InstanceAuditEntry) private readonly entries: Repository<InstanceAuditEntry>,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  /** Records what has no transaction of its own. */
  async record(kind: InstanceAuditKind, options?: EventOptions): Promise<void> {
    await this.unitOfWork.run((manager) => this.recordWithin(manager, kind, options));
  }

  async recordWithin(
    manager: EntityManager,
    kind: InstanceAuditKind,
    { subject, by, details = {}, now = new Date() }: EventOptions = {},
  ): Promise<void> {
    const { isAdministrator, ...actor } = currentActor();
    const entry: InstanceAuditEntry = {
      id: newId(),
      createdAt: now,
      kind,
      ...actor,
      ...(by && accountActor(by)),
      subjectId: subject?.id ?? null,
      subject: subject?.email ?? '',
      details,
      isLogged: actor.actorType !== 'command',
    };
    const left = isAdministrator ? Infinity : await this.countLeftWithin(manager, entry);
    if (left === 1) entry.details = { ...details, is_last_of_hour: true };
    if (left > 0) await manager.insert(InstanceAuditEntry, entry);
    if (entry.isLogged)
      afterCommit(manager, () => {
        this.logEntry(entry);
      });
  }

  /** A page of the entries of all kinds or one, newest first. */
  list(page: ListPage, kind?: InstanceAuditKind): Promise<UncountedPage<InstanceAuditEntry>> {
    const entries = this.entries.createQueryBuilder('entry').orderBy('entry.id', 'DESC');
    return findUncountedPage(kind === undefined ? entries : entries.where({ kind }), page);
  }

  /** When something of this kind has last happened to an account, as far as the entries go back. */
  async lastTimeOf(kind: InstanceAuditKind, { id: subjectId }: { id: string }): Promise<Date | undefined> {
    const [latest] = await this.entries.find({ where: { subjectId, kind }, order: { id: 'DESC' }, take: 1 });
    return latest?.createdAt;
  }

  /** The entries of a period, oldest first, in batches. */
  batches({ from = new Date(0), until }: Period): AsyncGenerator<InstanceAuditEntry[]> {
    return inBatches(BATCH, (last?: InstanceAuditEntry) =>
      this.batchAfter(last?.id ?? idBefore(from), { until }),
    );
  }

  /**
   * The next entries, oldest first, of all kinds or one; none at the end.
   * @param last the id of the entry before them; empty for the first
   */
  batchAfter(
    last: string,
    { until, kind }: Pick<Period, 'until'> & { kind?: InstanceAuditKind } = {},
  ): Promise<InstanceAuditEntry[]> {
    return this.entries.find({
      where: {
        id: until ? And(MoreThan(last), LessThan(idBefore(until))) : MoreThan(last),
        ...(kind !== undefined && { kind }),
      },
      order: { id: 'ASC' },
      take: BATCH,
    });
  }

  /** Logs what commands have recorded, each entry in one of the processes. */
  @Job({ name: 'commands in the audit log', every: CronExpression.EVERY_MINUTE })
  async logCommands(_now?: Date, signal?: AbortSignal): Promise<void> {
    const found = await this.entries.find({ where: { isLogged: false }, order: { id: 'ASC' }, take: BATCH });
    for (const entry of found) {
      if (signal?.aborted) return;
      const { affected } = await this.unitOfWork.run((manager) =>
        manager.update(InstanceAuditEntry, { id: entry.id, isLogged: false }, { isLogged: true }),
      );
      if (affected === 1) this.logEntry(entry);
    }
  }

  /** Removes entries that are older than AUDIT_RETENTION_DAYS. */
  @Job({ name: 'old entries of the audit log', every: CronExpression.EVERY_HOUR })
  async deleteOld(now = new Date(), signal?: AbortSignal): Promise<void> {
    const end = new Date(now.getTime() - this.settings.AUDIT_RETENTION_DAYS * DAY_MS);
    await removeInBatches(this.unitOfWork, this.entries, { id: LessThan(idBefore(end)) }, signal);
  }

  /** How many more entries of its kind may be written within the hour. */
  private async countLeftWithin(
    manager: EntityManager,
    { kind, actorType, subjectId, createdAt }: InstanceAuditEntry,
  ): Promise<number> {
    const isFailure = canStrangersCause(kind);
    if (!isFailure && (subjectId === null || isOperators(actorType))) return Infinity;
    const max = isFailure ? MAX_FAILED_PER_HOUR : MAX_OF_ACCOUNT_PER_HOUR;
    const found = await manager.find(InstanceAuditEntry, {
      select: { id: true },
      where: { kind, ...(!isFailure && subjectId !== null && { subjectId }) },
      order: { id: 'DESC' },
      take: max,
    });
    const hourAgo = idBefore(new Date(createdAt.getTime() - HOUR_MS));
    return max - found.filter(({ id }) => id > hourAgo).length;
  }

  /** Without email addresses: a log is often kept elsewhere, and for longer. */
  private logEntry({
    kind,
    actorType,
    actorId,
    subjectId,
    details,
    ip,
    createdAt,
  }: InstanceAuditEntry): void {
    const { previous_email: _, ...facts } = details;
    this.log.event('audit', {
      kind,
      by: actorType,
      actor: actorId ?? undefined,
      account: subjectId ?? undefined,
      ip: ip || undefined,
      at: actorType === 'command' ? createdAt : undefined, // logged later
      ...facts,
    });
  }
}

function isOperators(actorType: Actor['actorType']): boolean {
  return actorType === 'command' || actorType === 'service';
}

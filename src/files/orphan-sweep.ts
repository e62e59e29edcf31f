import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, Entity, PrimaryColumn } from 'typeorm';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../platform/instance-audit/instance-audit.service.js';
import { Log } from '../platform/logging/log.js';
import { Job } from '../platform/scheduling/jobs.js';
import { eachDespiteErrors } from '../platform/scheduling/each-despite-errors.js';
import { DAY_MS, HOUR_MS } from '../platform/settings/units.js';
import { INSTALLATION, Installation } from './installation.entity.js';
import { batches, StoreIdentity } from './store-identity.js';
import { DateTimeColumn } from '../platform/database/columns.js';
import { NotExported } from '../platform/database/tables.js';

/** A stored file that no row of `files` refers to, as the last sweep found it. */
@NotExported() // the next sweep finds it again
@Entity('unknown_files')
export class UnknownFile {
  @PrimaryColumn('varchar', { length: 64 })
  storageKey: string;

  /** When a sweep first found it, and every later one has. */
  @DateTimeColumn()
  firstSeenAt: Date;
}

/** An upload gets its row within this time: a request may last 50 minutes. */
const MAX_UPLOAD_MS = HOUR_MS;
/** How long the database must not have known a file before it is removed. */
const MIN_UNKNOWN_MS = DAY_MS;
/** A larger part of the store is not removed: the database may be the wrong one, or an old copy. */
const MAX_PART = 1 / 10;
/** How many unknown files are remembered; further ones are when these are removed. */
const MAX_REMEMBERED = 10_000;
const BATCH = 500;
/** Files that are removed at the same time. */
const REMOVED_AT_ONCE = 50;

/** What a sweep has found and done. */
interface SweepResult {
  /** All files in the store. */
  files: number;
  /** Those of them that are older than an hour and have no row. */
  unknown: number;
  removed: number;
}

interface Survey {
  files: number;
  unknown: number;
  /** Of the unknown files, or of the first ones of them. */
  keys: string[];
}

const NOTHING = { files: 0, unknown: 0, removed: 0 };

/** How many unknown files a sweep may remove: a tenth, and of fewer than ten files one. */
function mostRemoved(files: number): number {
  return Math.max(1, Math.floor(files * MAX_PART));
}

/**
 * Removes stored files that have no row, which interrupted uploads leave. It cannot tell them from files of a database
 * that is not there, so it waits for a day, and removes no large part of a store: docs/decisions/0069.
 */
@Injectable()
export class OrphanSweep {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly identity: StoreIdentity,
    private readonly audit: InstanceAudit,
    private readonly log: Log,
  ) {}

  /**
   * Removes the files that a sweep at least a day ago did not know either, unless too many are unknown.
   * @throws ForeignStore
   */
  @Job({
    name: 'orphan sweep',
    every: CronExpression.EVERY_10_MINUTES,
    title: 'overview.orphanSweep',
    isExclusive: true,
  })
  async sweep(now = new Date(), signal?: AbortSignal): Promise<SweepResult> {
    if ((await this.identity.confirmAgain()) === 'empty') return NOTHING;
    let result: SweepResult = NOTHING;
    const steps = [
      () =>
        this.identity.store.abortIncompleteUploads(new Date(now.getTime() - MIN_UNKNOWN_MS), (keys) =>
          this.identity.statesOf(keys),
        ),
      async () => (result = await this.removeOld(now, signal)),
    ];
    await eachDespiteErrors<() => Promise<unknown>>(steps, (step) => step());
    return result;
  }

  /**
   * What `removeAll` would remove.
   * @throws ForeignStore
   */
  async report(now = new Date()): Promise<SweepResult> {
    if ((await this.identity.confirmAgain()) === 'empty') return NOTHING;
    const { files, unknown } = await this.survey(now);
    return { files, unknown, removed: 0 };
  }

  /**
   * Removes all unknown files, at the operator's word. Those of the last hour stay, which may be uploads in progress.
   * @throws ForeignStore
   */
  async removeAll(now = new Date()): Promise<SweepResult> {
    if ((await this.identity.confirmAgain()) === 'empty') return NOTHING;
    await this.audit.record('files_swept'); // first: it may be interrupted
    const result = { ...NOTHING };
    const failures: unknown[] = [];
    const survey = await this.survey(now, async (keys) => {
      result.removed += await this.remove(keys, failures);
    });
    if (failures.length > 0) throw failures[0];
    return { ...result, files: survey.files, unknown: survey.unknown };
  }

  private async removeOld(now: Date, signal?: AbortSignal): Promise<SweepResult> {
    const survey = await this.survey(now, undefined, signal);
    if (signal?.aborted) return NOTHING;
    const { files, unknown, keys } = survey;
    const due = await this.remember(keys, now);
    const isTooMuch = unknown > mostRemoved(files);
    await this.noteStop(isTooMuch, { files, unknown });
    if (isTooMuch || due.length === 0) return { files, unknown, removed: 0 };

    await this.identity.confirmAgain(); // a large store takes minutes to read
    const failures: unknown[] = [];
    let removed = 0;
    for (let start = 0; start < due.length && !signal?.aborted; start += BATCH)
      removed += await this.remove(due.slice(start, start + BATCH), failures);
    if (removed > 0)
      this.log.warning('Files that the database does not know were removed', { removed, unknown, files });
    if (failures.length > 0) throw failures[0];
    return { files, unknown, removed };
  }

  /** Reads the whole store. `act` gets the unknown keys of each batch. */
  private async survey(
    now: Date,
    act?: (keys: string[]) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<Survey> {
    const uploadedBefore = new Date(now.getTime() - MAX_UPLOAD_MS);
    const survey: Survey = { files: 0, unknown: 0, keys: [] };
    for await (const batch of batches(this.identity.store.list())) {
      if (signal?.aborted) break;
      survey.files += batch.length;
      const old = batch.filter(({ modifiedAt }) => modifiedAt < uploadedBefore).map(({ key }) => key);
      const unknown = await this.unknownOf(old);
      survey.unknown += unknown.length;
      survey.keys.push(...unknown.slice(0, MAX_REMEMBERED - survey.keys.length));
      await act?.(unknown);
    }
    return survey;
  }

  /** Remembers which files are unknown now, forgets all others, and returns those that were unknown a day ago. */
  private async remember(keys: string[], now: Date): Promise<string[]> {
    const found = new Set(keys);
    const isStill = ({ storageKey, firstSeenAt }: UnknownFile) => found.has(storageKey) && firstSeenAt <= now; // later: by a clock that was wrong
    const before = await this.dataSource.manager.find(UnknownFile);
    const still = new Map(before.filter(isStill).map((row) => [row.storageKey, row.firstSeenAt]));
    await this.forget(before.filter((row) => !isStill(row)).map(({ storageKey }) => storageKey));
    const added = keys.filter((key) => !still.has(key));
    for (let start = 0; start < added.length; start += BATCH) {
      const rows = added.slice(start, start + BATCH).map((storageKey) => ({ storageKey, firstSeenAt: now }));
      await this.unitOfWork.run((manager) =>
        manager.createQueryBuilder().insert().into(UnknownFile).values(rows).orIgnore().execute(),
      );
    }
    const aDayAgo = new Date(now.getTime() - MIN_UNKNOWN_MS);
    return keys.filter((key) => (still.get(key) ?? now) <= aDayAgo);
  }

  private async forget(keys: string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += BATCH) {
      const storageKey = In(keys.slice(start, start + BATCH));
      await this.unitOfWork.run((manager) => manager.delete(UnknownFile, { storageKey }));
    }
  }

  /** Warns when the sweep stops: once, and not again before it has gone on in the meantime. */
  private async noteStop(isSweepStopped: boolean, facts: object): Promise<void> {
    const changed = { id: INSTALLATION, isSweepStopped: !isSweepStopped };
    const { affected } = await this.unitOfWork.run((manager) =>
      manager.update(Installation, changed, { isSweepStopped }),
    );
    if (isSweepStopped && affected === 1)
      this.log.warning(
        'Nothing is removed from the file store, because the database knows too few of its files: ' +
          'check that it is the right database, or remove them with files:sweep --yes',
        facts,
      );
  }

  /** Removes those that still have no row; returns how many. */
  private async remove(keys: string[], failures: unknown[]): Promise<number> {
    const unknown = await this.unknownOf(keys);
    const removed: string[] = [];
    for (let start = 0; start < unknown.length; start += REMOVED_AT_ONCE) {
      const some = unknown.slice(start, start + REMOVED_AT_ONCE);
      const results = await Promise.allSettled(some.map((key) => this.identity.store.remove(key)));
      for (const [index, result] of results.entries()) {
        if (result.status === 'rejected') failures.push(result.reason);
        else removed.push(some[index] ?? '');
      }
    }
    await this.forget(removed);
    return removed.length;
  }

  private async unknownOf(keys: string[]): Promise<string[]> {
    const known = await this.identity.knownOf(keys);
    return keys.filter((key) => !known.has(key));
  }
}

import { HttpException } from '@nestjs/common';
import type { DataSource, QueryDeepPartialEntity } from 'typeorm';
import { engineOf } from '../../platform/database/engines/engines.js';
import { statementOf } from '../../platform/database/statements/statements.js';
import type { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { newId } from '../../platform/random/random.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { ENDED, PartialUpload } from './upload.entity.js';
import { UploadProblem } from './uploads.problems.js';

const LEASE_MS = 10 * SECOND_MS;
const RENEW_EVERY_MS = 3 * SECOND_MS;
const HTTP_LOCKED = 423;

type Change = QueryDeepPartialEntity<PartialUpload>;

/**
 * The right to add bytes to an upload, which one request of all processes has at a time. It is renewed while bytes arrive.
 * Nothing is recorded by a request that has lost it.
 */
export class AppendLease {
  private readonly appender = newId();
  private timer?: NodeJS.Timeout;
  private lost?: unknown;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly upload: PartialUpload,
  ) {}

  /** Takes the right, and changes the upload accordingly. Undefined when another request has it. */
  static async take(
    dataSource: DataSource,
    unitOfWork: UnitOfWork,
    upload: PartialUpload,
  ): Promise<AppendLease | undefined> {
    const lease = new AppendLease(dataSource, unitOfWork, upload);
    const { clock } = lease;
    const { nextEpochs: epochs, appends } = upload;
    const { appender } = lease;
    const change = { appender, epochs, appends: appends + 1 };
    const free = `appends = :appends AND received = :received AND (appender IS NULL OR (appender <> :ended AND (append_until < ${clock} OR append_until > ${clock} + ${2 * LEASE_MS})))`;
    const values = { appends, received: upload.received, ended: ENDED };
    if (!(await lease.write({ ...change, ...lease.renewed }, free, values))) return undefined;
    Object.assign(upload, change);
    lease.keep();
    return lease;
  }

  /** Renews it from now on. @throws HttpException when another request has taken it */
  async resume(): Promise<void> {
    await this.renew();
    this.keep();
  }

  /** Lets others take it, who then know that bytes may have been lost. It can be resumed unless somebody has. */
  async pause(change: Change = {}): Promise<void> {
    this.stopRenewing();
    await this.record({ ...change, appendUntil: 0 });
  }

  /** Ends it: all bytes that were added are stored. */
  async release(change: Change = {}): Promise<void> {
    this.stopRenewing();
    await this.record({ ...change, appendUntil: 0, appender: null });
  }

  /** @throws HttpException when another request has taken it, or the upload has ended */
  async record(change: Change): Promise<void> {
    if (!(await this.writeOwn(change))) throw locked();
    Object.assign(this.upload, change);
  }

  /** @throws HttpException when it could not be renewed */
  assertHeld(): void {
    if (this.lost !== undefined) throw this.lost as Error;
  }

  stopRenewing(): void {
    clearInterval(this.timer);
  }

  private keep(): void {
    this.timer = setInterval(() => {
      this.renew().catch((error: unknown) => (this.lost ??= error));
    }, RENEW_EVERY_MS).unref();
  }

  private async renew(): Promise<void> {
    if (!(await this.writeOwn(this.renewed))) throw locked();
  }

  private writeOwn(change: Change): Promise<boolean> {
    return this.write(change, 'appender = :appender', { appender: this.appender });
  }

  private get renewed(): Change {
    return { appendUntil: () => `${this.clock} + ${LEASE_MS}` };
  }

  private get clock(): string {
    return engineOf(this.dataSource).clock;
  }

  private write(change: Change, condition: string, values: object): Promise<boolean> {
    const { id } = this.upload;
    const update = this.dataSource.manager
      .createQueryBuilder()
      .update(PartialUpload)
      .set(change)
      .where(`id = :id AND ${condition}`, { id, ...values });
    return this.unitOfWork.write((tx) => {
      tx.updateOrAbort({ rowId: id, ...statementOf(update) });
    });
  }
}

export function locked(): HttpException {
  return new HttpException(new UploadProblem('upload_locked'), HTTP_LOCKED);
}

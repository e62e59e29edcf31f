import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, Not } from 'typeorm';
import type { DatabaseDescription } from '../../../platform/database/describe-database.js';
import { describeDatabase } from '../../../platform/database/describe-database.js';
import type { ReservedDiskSpace } from '../../../files/file-store.js';
import { FileStore } from '../../../files/file-store.js';
import { MAIL_DESTINATION } from '../../../platform/mail/mails.service.js';
import { OutboxMessage } from '../../../platform/outbox/outbox-message.entity.js';
import type { TitledJob } from '../../../platform/scheduling/jobs.js';
import { Jobs } from '../../../platform/scheduling/jobs.js';
import { SECOND_MS } from '../../../platform/settings/units.js';
import { AllSettings } from '../../../platform/settings/read-settings.js';
import { Settings } from '../../../platform/settings/settings.js';
import type { ShownSetting } from '../../../platform/settings/shown-settings.js';
import { shownSettings } from '../../../platform/settings/shown-settings.js';
import { VersionService } from '../../../version/version.service.js';
import type { Totals } from './totals.service.js';
import { TotalsService } from './totals.service.js';

const SHOWN_MESSAGES = 10;

type FailedMessage = Pick<OutboxMessage, 'id' | 'channel' | 'kind' | 'endedAt' | 'error' | 'reason'>;

/** Why a mail is sent again later: a code, and what was said with it. */
export type MailError = Pick<OutboxMessage, 'error' | 'reason'>;

/** What administrators see of an instance: nothing of what single accounts have stored, and no secret. */
export interface Overview {
  /** Absent while they are being counted for the first time. */
  totals?: Totals;
  storage: 'disk' | 's3';
  /** Of the disk with the files; absent on S3, and when it cannot be read. */
  diskSpace?: ReservedDiskSpace;
  database: DatabaseDescription;
  version: string;
  nodeVersion: string;
  startedAt: Date;
  jobs: TitledJob[];
  /** The mails and webhooks that failed last, without what they contain and who they are for. */
  failedMessages: FailedMessage[];
  /** Of the mails that wait because an attempt has failed, that of the last one; absent when there are none. */
  mailError?: MailError;
  settings: ShownSetting[];
}

@Injectable()
export class OverviewService {
  constructor(
    private readonly settings: AllSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly totals: TotalsService,
    private readonly store: FileStore,
    private readonly version: VersionService,
    private readonly jobs: Jobs,
  ) {}

  async describe(now = new Date()): Promise<Overview> {
    const [totals, database, failedMessages, mailError, diskSpace] = await Promise.all([
      this.totals.current(now),
      describeDatabase(this.dataSource),
      this.findFailed(),
      this.findMailError(),
      this.store.diskSpace?.().catch(() => undefined), // /ready reports a disk that fails
    ]);
    return {
      totals,
      storage: this.settings.of(Settings).FILE_STORAGE,
      diskSpace,
      database,
      version: this.version.describe().application_version,
      nodeVersion: process.versions.node,
      startedAt: new Date(now.getTime() - process.uptime() * SECOND_MS),
      jobs: this.jobs.titled(),
      failedMessages,
      mailError: mailError ?? undefined,
      settings: shownSettings(this.settings),
    };
  }

  private findFailed(): Promise<FailedMessage[]> {
    return this.dataSource.manager.find(OutboxMessage, {
      select: { id: true, channel: true, kind: true, endedAt: true, error: true, reason: true },
      where: { outcome: 'failed' },
      order: { endedAt: 'DESC' },
      take: SHOWN_MESSAGES,
    });
  }

  /** A mail that was attempted waits longer than one that was not. */
  private findMailError(): Promise<MailError | null> {
    return this.dataSource.manager.findOne(OutboxMessage, {
      select: { id: true, error: true, reason: true },
      where: { destination: MAIL_DESTINATION, nextAttemptAt: Not(IsNull()), error: Not(IsNull()) },
      order: { nextAttemptAt: 'DESC' },
    });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { NodemailerError } from 'nodemailer';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountError } from '../../auth/errors/account-error.js';
import { UsersService } from '../../auth/users/users.service.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { declareProblems } from '../../platform/errors/problem.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { MailTransport } from '../../platform/mail/mail-transport.js';
import { testMail } from '../../platform/mail/test-mail.js';
import { newId } from '../../platform/random/random.js';
import { Settings } from '../../platform/settings/settings.js';
import type { Language } from '../../texts/languages.js';
import type { SetupStepName } from './setup-step.entity.js';
import { SetupStep } from './setup-step.entity.js';

const FirstStepsProblem = declareProblems({
  test_mail_failed: [
    ({ reason }: { reason: string }) => `the message was not sent: ${reason}`,
    'steps.mailFailed',
  ],
});

/** What is done, for the administrator who looks. */
export interface FirstSteps {
  /** PUBLIC_URL, if the page was asked for at its host. */
  address?: string;
  isProtected: boolean;
  hasMail: boolean;
  hasBackup: boolean;
  hasOthers: boolean;
}

/** What to do after the first administrator was created. Most of it is known without being told. */
@Injectable()
export class FirstStepsService {
  constructor(
    @InjectRepository(SetupStep) private readonly steps: Repository<SetupStep>,
    private readonly unitOfWork: UnitOfWork,
    private readonly users: UsersService,
    private readonly audit: InstanceAudit,
    private readonly transport: MailTransport,
    private readonly texts: TextsService,
    private readonly settings: Settings,
  ) {}

  /** In the transaction that creates the first administrator: an installation from before has no first steps. */
  async beginWithin(manager: EntityManager, now = new Date()): Promise<void> {
    await recordWithin(manager, 'begun', now);
  }

  async record(name: SetupStepName, now = new Date()): Promise<void> {
    await this.unitOfWork.run((manager) => recordWithin(manager, name, now));
  }

  /** @param host that of the request; undefined if the steps have not begun or are hidden */
  async of({ hasSecondFactor }: User, host: string): Promise<FirstSteps | undefined> {
    const recorded = new Set((await this.steps.find()).map(({ name }) => name));
    if (!recorded.has('begun') || recorded.has('hidden')) return undefined;
    const { PUBLIC_URL } = this.settings;
    const isReached = PUBLIC_URL !== undefined && new URL(PUBLIC_URL).host === host;
    return {
      address: isReached ? PUBLIC_URL : undefined,
      isProtected: hasSecondFactor,
      hasMail: recorded.has('mail'),
      hasBackup: recorded.has('backup') || (await this.wasBackedUp()),
      hasOthers: await this.users.areSeveral(),
    };
  }

  /**
   * Sends a mail at once, and records that the mail server has taken it.
   * @throws AccountError with what the mail server has said instead
   */
  async sendTestMail({ email: to }: User, language: Language): Promise<void> {
    try {
      await this.transport.send(testMail(to, this.settings, this.texts.in(language)), newId());
    } catch (error) {
      const reason = this.transport.reasonOf(error as NodemailerError);
      throw new AccountError(new FirstStepsProblem('test_mail_failed', { reason }));
    }
    await this.record('mail');
  }

  private async wasBackedUp(): Promise<boolean> {
    const { rows } = await this.audit.list(ListPage.parse(undefined), 'database_backed_up');
    return rows.length > 0;
  }
}

async function recordWithin(manager: EntityManager, name: SetupStepName, doneAt: Date): Promise<void> {
  await manager.upsert(SetupStep, { name, doneAt }, ['name']); // two at once record the same
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Repository } from 'typeorm';
import { canBeMailed, emailToName } from '../../auth/entities/emails.js';
import { User } from '../../auth/entities/user.entity.js';
import { writeWithin } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailComposer, MailsService } from '../../platform/mail/mails.service.js';
import { DeliveryError } from '../../platform/outbox/outbox-channels.js';
import { eachDespiteErrors } from '../../platform/scheduling/each-despite-errors.js';
import { Settings } from '../../platform/settings/settings.js';
import { SecretRequestSettings } from './requests.settings.js';
import type { MailedTo } from '../../pushes/fields/list-fields.js';
import { partsOf } from '../../pushes/fields/list-fields.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import { SecretRequestSeal } from './secret-request-seal.js';
import { requestUrl } from './request.dto.js';
import { noticed, SecretRequest } from './secret-request.entity.js';

/** The kinds of these mails in the outbox. */
const LINK = 'request.link';
const NOTICE = 'request.answered';

/** Requests in a batch of the job. */
const BATCH = 100;

interface LinkValues {
  requestId: string;
  address: string;
  locale: string | null;
  /** Whether a person asks on a page: only then the mail may say who sends it. */
  isFromPage: boolean;
}

interface NoticeValues {
  requestId: string;
}

/** Mails with the link of a request, and mails to its owner about answers. */
@Injectable()
export class SecretRequestMails {
  constructor(
    @InjectRepository(SecretRequest) private readonly requests: Repository<SecretRequest>,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: SecretRequestSettings,
    private readonly serviceSettings: Settings,
    private readonly texts: TextsService,
    private readonly requestSeal: SecretRequestSeal,
    private readonly mails: MailsService,
  ) {}

  /** Whether this instance sends mails. */
  get areSent(): boolean {
    return this.mails.isEnabled;
  }

  /** Adds a mail with the link of a request for each recipient. */
  addLinks(
    tx: Transaction,
    { id: requestId, userId }: SecretRequest,
    mailedTo: MailedTo,
    { isFromPage, now }: { isFromPage: boolean; now: Date },
  ): void {
    for (const part of partsOf(mailedTo)) {
      const values: LinkValues = { requestId, address: part.trim(), locale: mailedTo.locale, isFromPage };
      this.mails.add(tx, { kind: LINK, userId, values }, now);
    }
  }

  /** Adds the mail to the owner about all answers so far. */
  addNotice(tx: Transaction, { id: requestId, userId }: SecretRequest, now: Date): void {
    const values: NoticeValues = { requestId };
    this.mails.add(tx, { kind: NOTICE, userId, values }, now);
  }

  /** Adds the mails that had to wait because there was one in the hour before. */
  async addDueNotices(now = new Date(), signal?: AbortSignal): Promise<void> {
    const due = { noticeDueAt: LessThanOrEqual(now) };
    while (!signal?.aborted) {
      const found = await this.requests.find({
        select: { id: true, userId: true, noticeDueAt: true },
        where: due,
        order: { noticeDueAt: 'ASC' }, // by the index, which SQLite would not use otherwise
        take: BATCH,
      });
      if (found.length === 0) return;
      await eachDespiteErrors(found, (request) => this.addDueNotice(request, now));
    }
  }

  private addDueNotice({ id, userId }: SecretRequest, now: Date): Promise<void> {
    const due = { id, noticeDueAt: LessThanOrEqual(now) };
    return this.unitOfWork.run(async (manager) => {
      const owner = await this.unitOfWork.findForUpdate(manager, User, { id: userId });
      const request = owner && (await this.unitOfWork.findForUpdate(manager, SecretRequest, due));
      if (!request) return;
      await manager.update(SecretRequest, id, noticed(now));
      if (!this.mails.isEnabled) return;
      await writeWithin(manager, (tx) => {
        this.addNotice(tx, request, now);
      });
    });
  }

  /** @throws DeliveryError when the request is closed, or the account was disabled */
  @MailComposer(LINK)
  async composeLink({ requestId, address, locale, isFromPage }: LinkValues): Promise<Mail> {
    const request = await this.requests.findOneBy({ id: requestId });
    if (!this.settings.ENABLE_REQUESTS || !request?.isOpen(new Date()))
      throw new DeliveryError('REQUEST_CLOSED', 'dropped');
    const owner = await this.requests.manager.findOneBy(User, { id: request.userId });
    if (!owner || !canBeMailed(owner)) throw new DeliveryError('ACCOUNT_MAY_NOT', 'dropped');
    const { urlToken, recipient, passphrase } = this.requestSeal.unseal(request);
    const t = this.texts.inLanguageOf(locale ?? undefined);
    const { OPERATOR_NAME: site = 'Sealpush', PUBLIC_URL = '' } = this.serviceSettings;
    const sender = owner.namedInMails && isFromPage ? emailToName(owner) : undefined;
    const who = { isNamed: sender === undefined ? 'no' : 'yes', sender: sender ?? '', site };
    return {
      to: address,
      language: t.language,
      subject: t.text('mail.request.subject', who),
      parts: [
        t.text('mail.request.intro', who),
        { url: requestUrl(urlToken, recipient, PUBLIC_URL), label: t.text('mail.request.label') },
        t.text('mail.request.until', { time: t.time(request.openUntil) }),
        ...(passphrase ? [t.text('mail.request.passphrase')] : []),
        ...(sender === undefined ? [t.text('mail.request.unexpected')] : []),
      ],
    };
  }

  @MailComposer(NOTICE)
  async composeNotice({ requestId }: NoticeValues): Promise<Mail | undefined> {
    const request = await this.requests.findOneBy({ id: requestId });
    const owner = request && (await this.requests.manager.findOneBy(User, { id: request.userId }));
    if (!owner || !canBeMailed(owner)) return undefined;
    const t = this.texts.in(owner.language);
    const { PUBLIC_URL = '' } = this.serviceSettings;
    const name = this.requestSeal.unsealIfPossible(request)?.name ?? '';
    const time = t.time(request.createdAt);
    return {
      to: owner.email,
      language: t.language,
      subject: t.text('mail.answered.subject'),
      parts: [
        name === ''
          ? t.text('mail.answered.unnamed', { time })
          : t.text('mail.answered.named', { name, time }),
        t.text('mail.answered.count', { count: request.answersCounted, max: request.answers }),
        {
          url: `${PUBLIC_URL}${this.settings.ENABLE_REQUESTS ? answeredPath(requestId) : '/pushes'}`,
          label: t.text('mail.answered.label'),
        },
        t.text('mail.notice.why'),
      ],
    };
  }
}

/** Leads the owner of a request to it. The page of a request has its link in its address, which no mail may have. */
function answeredPath(requestId: string): string {
  return `/requests/answered/${requestId}`;
}

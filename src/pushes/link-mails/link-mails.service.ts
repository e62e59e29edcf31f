import {
  ForbiddenException,
  Injectable,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { CheckedBy, validationPipe } from '../../platform/http/validation/validation.pipe.js';
import type { MailedToFields, MailedTo } from '../fields/list-fields.js';
import {
  mailedToError,
  isBlankList,
  localeError,
  MAX_MAILED,
  NOT_FOR_EXPIRED_PUSHES,
  partsOf,
  readMailedTo,
  mailRefusalOf,
} from '../fields/list-fields.js';
import { Problem } from '../../platform/errors/problem.js';
import { AuditService } from '../../audit/audit.service.js';
import { canBeMailed } from '../../auth/entities/emails.js';
import { User } from '../../auth/entities/user.entity.js';
import { PreparedStatements, writeWithin } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { newId } from '../../platform/random/random.js';
import type { PushFields } from '../fields/push-fields.js';
import { Push } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { PushSeal } from '../push/push-seal.js';
import { ownId } from '../push/pushes.service.js';
import { LINK_MAIL } from './link-mail-delivery.js';
import { LinkMail } from './link-mail.entity.js';
import { MailQuota } from './mail-quota.js';
import type { LinkMailContent } from './own-link-mail.js';

/** A request to mail the link of an existing push. */
class LinkMailFields implements MailedToFields {
  @CheckedBy((value) => (isBlankList(value) ? new Problem('recipients_blank') : mailedToError(value)))
  notify_emails_to?: unknown;

  @CheckedBy(localeError)
  notify_emails_to_locale?: unknown;
}

/** A request for mails with the link of a push. */
interface MailRequest {
  urlToken: string;
  visitor: Visitor;
  /** Whether a person asks on a page: only then the mails may say who sends them. */
  isFromPage: boolean;
  now: Date;
}

/** Mails with the link of a push, to the recipients that its owner names. */
@Injectable()
export class LinkMailsService {
  private readonly statements: PreparedStatements<LinkMail>;

  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly quota: MailQuota,
    private readonly mails: MailsService,
  ) {
    this.statements = new PreparedStatements(usersRepository.manager.dataSource, LinkMail);
  }

  /**
   * Mails the link of an existing push, for its owner; returns to how many. Checks in this order: the push exists and
   * mails are sent here, the account has not asked too often, it owns the push, its address is verified, the fields, the
   * push has not ended, the quota of the day, the recipients that the push has had.
   */
  async send(
    urlToken: string,
    fields: PushFields,
    visitor: Visitor,
    { isFromPage = false, now = new Date() } = {},
  ): Promise<number> {
    const found = await this.pushes.find(urlToken, visitor);
    if (!this.mails.isEnabled) throw new NotFoundException();
    await this.quota.assertNotTooOften(ownId(visitor));
    if (!found.isOwnedBy(visitor.userId)) throw new ForbiddenException(new Problem('mail_not_allowed'));
    const owner = await this.usersRepository.findOneBy({ id: ownId(visitor) });
    if (!owner || !canBeMailed(owner))
      throw unprocessable({ notify_emails_to: [new Problem('mails_need_verified_email')] });
    const mailedTo = await validated(fields);
    assertMailable(found, fields, now);
    const { length: count } = partsOf(mailedTo);
    const quotaUpdate = await this.quota.prepareUpdate(owner.id, count, now);
    await this.unitOfWork.run(async (manager) => {
      await this.quota.countWithin(manager, owner.id, quotaUpdate, now);
      const push = await this.unitOfWork.findForUpdate(manager, Push, { id: found.id });
      if (!push) throw new NotFoundException();
      assertMailable(push, fields, now);
      await assertFewMailed(manager, push, count);
      await writeWithin(manager, (tx) => {
        this.add(tx, push, mailedTo, { urlToken, visitor, isFromPage, now });
      });
    });
    return count;
  }

  /** Adds the mails, and an audit entry for all of them. */
  add(
    tx: Transaction,
    push: Push,
    mailedTo: MailedTo,
    { urlToken, visitor, isFromPage, now }: MailRequest,
  ): void {
    const { id: pushId, userId } = push;
    const auditEntryId = newId();
    const event = { pushId, kind: 'creation_email_send', urlToken, byOwner: true } as const;
    this.audit.record(tx, { ...event, id: auditEntryId }, visitor, now);
    for (const part of partsOf(mailedTo)) {
      const id = newId();
      const content: LinkMailContent = { part, locale: mailedTo.locale, isFromPage };
      const sealed = this.pushSeal.sealForOwner(push, JSON.stringify(content), `linkMail/${id}`);
      const state = { attempts: 0, changedAt: null, outcome: null, error: null };
      this.statements.insert(tx, { id, pushId, auditEntryId, sealed, ...state });
      this.mails.add(tx, { id, kind: LINK_MAIL, userId, values: {} }, now);
    }
  }
}

async function validated(fields: PushFields): Promise<MailedTo> {
  const valid = (await validationPipe.transform(fields, {
    type: 'body',
    metatype: LinkMailFields,
  })) as LinkMailFields;
  return readMailedTo(valid) as MailedTo;
}

/** @throws UnprocessableEntityException */
function assertMailable(push: Push, fields: PushFields, now: Date): void {
  if (push.isExpired(now)) throw unprocessable(mailRefusalOf(fields, NOT_FOR_EXPIRED_PUSHES));
  if (push.ownerOnly) throw unprocessable({ notify_emails_to: [new Problem('recipients_when_owner_only')] });
  if (push.clientEncrypted)
    throw unprocessable({ notify_emails_to: [new Problem('recipients_when_encrypted')] });
}

/** @throws UnprocessableEntityException */
async function assertFewMailed(manager: EntityManager, push: Push, count: number): Promise<void> {
  const before = await manager.countBy(LinkMail, { pushId: push.id });
  if (before + count > MAX_MAILED)
    throw unprocessable({
      base: [new Problem('too_many_recipients_in_all', { count: MAX_MAILED, before })],
    });
}

function unprocessable(errors: Record<string, Problem[]>): UnprocessableEntityException {
  return new UnprocessableEntityException(errors);
}

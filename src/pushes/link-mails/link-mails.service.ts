import type { OnModuleInit } from '@nestjs/common';
import {
  ForbiddenException,
  Injectable,
  NotFoundException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { canBeMailed, NOT_VERIFIED } from '../../auth/users/can-be-mailed.js';
import { User } from '../../auth/entities/user.entity.js';
import { executeWrite } from '../../database/statements/statements.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import type { NewRow } from '../../database/transactions/write.js';
import { validationPipe } from '../../http/validation/validation.pipe.js';
import type { Visitor } from '../../http/visitor.js';
import type { Mail } from '../../mail/mail.js';
import { MailsService } from '../../mail/mails.service.js';
import { UnsealError } from '../../sealing/secretbox.js';
import { Settings } from '../../settings/settings.js';
import type { Language } from '../../texts/languages.js';
import type { PushFields } from '../fields/push-fields.js';
import { Push } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { PushSeal } from '../push/push-seal.js';
import { LinkMailFields } from './link-mail-fields.js';
import { composeLinkMail } from './compose-link-mail.js';
import { LinkMailsDto } from './link-mails.dto.js';
import { MailQuota } from './mail-quota.js';
import type { Recipients } from './recipients.js';
import { NOT_WHEN_ENCRYPTED, readRecipients } from './recipients.js';

const KIND = 'push.link';

/** What a mail in the outbox has. It has no link: that is read from the push when the mail is sent. */
interface LinkMailValues {
  pushId: string;
  address: string;
  language: Language;
}

/** Mails with the link of a push, to the recipients that its owner names. */
@Injectable()
export class LinkMailsService implements OnModuleInit {
  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly quota: MailQuota,
    private readonly mails: MailsService,
  ) {}

  onModuleInit(): void {
    this.mails.setComposer<LinkMailValues>(KIND, (values) => this.compose(values));
  }

  /**
   * Mails the link of an existing push, for its owner. Checks in this order: the push exists, the visitor owns it, mails
   * are sent here and for this account, the fields, the push has not ended.
   * @throws TooManyRequests when the account has asked for too many mails today
   */
  async send(
    urlToken: string,
    fields: PushFields,
    visitor: Visitor,
    now = new Date(),
  ): Promise<LinkMailsDto> {
    const found = await this.pushes.find(urlToken);
    if (!found.isOwnedBy(visitor.userId)) throw new ForbiddenException('Only the owner may mail this push.');
    if (!this.mails.isEnabled) throw unprocessable('are not available');
    const owner = await this.usersRepository.findOneBy({ id: found.userId ?? '' });
    if (!owner || !canBeMailed(owner)) throw unprocessable(NOT_VERIFIED);
    const recipients = await validated(fields);
    assertMailable(found, now);
    const quotaUpdate = await this.quota.prepareUpdate(owner.id, recipients.emails.length, now);
    await this.unitOfWork.run(async (manager) => {
      await this.quota.countWithin(manager, owner.id, quotaUpdate, now);
      const push = await this.unitOfWork.findForUpdate(manager, Push, { id: found.id });
      if (!push) throw new NotFoundException();
      assertMailable(push, now);
      await executeWrite(manager, { rows: this.newRows(push, recipients, urlToken, visitor, now) });
    });
    return LinkMailsDto.of(recipients);
  }

  /** The mails, and an audit entry for each. */
  newRows(
    push: Push,
    { emails, language }: Recipients,
    urlToken: string,
    visitor: Visitor,
    now: Date,
  ): NewRow[] {
    const { id: pushId, userId } = push;
    const event = { pushId, kind: 'notify_by_email', urlToken, byOwner: true } as const;
    return emails.flatMap((address) => {
      const values: LinkMailValues = { pushId, address, language };
      return [this.audit.newRow(event, visitor, now), this.mails.newRow({ kind: KIND, userId, values }, now)];
    });
  }

  /** Nothing is sent of a push that has ended meanwhile, or of an account that was disabled. */
  private async compose({ pushId, address, language }: LinkMailValues): Promise<Mail | undefined> {
    const now = new Date();
    const push = await this.pushes.findById(pushId);
    if (!push?.userId || push.isExpired(now)) return undefined;
    const owner = await this.usersRepository.findOneBy({ id: push.userId });
    if (!owner || !canBeMailed(owner)) return undefined;
    const { urlToken } = this.pushSeal.unsealOwnerFields(push);
    if (urlToken === '') throw new UnsealError('the link of the push cannot be read');
    return composeLinkMail(push, urlToken, { address, language }, this.settings, now);
  }
}

async function validated(fields: PushFields): Promise<Recipients> {
  const valid = (await validationPipe.transform(fields, {
    type: 'body',
    metatype: LinkMailFields,
  })) as LinkMailFields;
  return readRecipients(valid) as Recipients;
}

/** @throws UnprocessableEntityException */
function assertMailable(push: Push, now: Date): void {
  if (push.isExpired(now)) throw unprocessable('cannot be mailed: this push has ended');
  if (push.clientEncrypted) throw unprocessable(NOT_WHEN_ENCRYPTED);
}

function unprocessable(message: string): UnprocessableEntityException {
  return new UnprocessableEntityException({ notify_emails_to: [message] });
}

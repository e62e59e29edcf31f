import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import type { Push } from '../push/push.entity.js';
import { PushSeal } from '../push/push-seal.js';
import { LinkMail } from './link-mail.entity.js';
import type { LinkMailContent } from './own-link-mail.js';
import { OwnLinkMail } from './own-link-mail.js';

/** What became of the mails with the link of a push, for its owner. */
@Injectable()
export class OwnLinkMailsService {
  constructor(
    @InjectRepository(LinkMail) private readonly linkMails: Repository<LinkMail>,
    private readonly pushSeal: PushSeal,
  ) {}

  /** The mails that these audit entries of the push are about, by the id of the entry. */
  async ofEntries(push: Push, entries: AuditEntry[]): Promise<Map<string, OwnLinkMail[]>> {
    if (!entries.some(({ kind }) => kind === 'creation_email_send')) return new Map();
    const mails = await this.linkMails.find({ where: { pushId: push.id }, order: { id: 'ASC' } });
    const byEntry = Map.groupBy(mails, ({ auditEntryId }) => auditEntryId);
    return new Map(
      [...byEntry].map(([id, ofEntry]) => [
        id,
        ofEntry.map((mail) => new OwnLinkMail(mail, this.read(push, mail))),
      ]),
    );
  }

  /** Undefined when it cannot be read, because a row is damaged. */
  read(push: Push, { id, sealed }: LinkMail): LinkMailContent | undefined {
    const content = this.pushSeal.unsealForOwner(push, sealed, `linkMail/${id}`);
    return content === undefined ? undefined : (JSON.parse(content) as LinkMailContent);
  }
}

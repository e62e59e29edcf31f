import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SomeTextValues, TextKey } from '../../texts/text-parameters.js';
import { LinkMail } from './link-mail.entity.js';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import type { Push } from '../push/push.entity.js';
import { PushSeal } from '../push/push-seal.js';

/** Why a mail is dropped: its push has ended, or its account was disabled. */
export const PUSH_ENDED = 'PUSH_ENDED';
export const ACCOUNT_MAY_NOT = 'ACCOUNT_MAY_NOT';

/** `retrying`: an attempt has failed, and there will be others. */
type LinkMailState = 'waiting' | 'sending' | 'retrying' | 'sent' | 'failed';

/** Recipient and locale of a mail, as they are sealed. */
export interface LinkMailContent {
  /** The part of the text in the request: the email address, perhaps with spaces around it. */
  part: string;
  locale: string | null;
  /** Whether a person asked for it on a page, not a program by a token. */
  isFromPage?: boolean;
}

/** A mail with the link of a push, as the owner sees it. */
export class OwnLinkMail {
  constructor(
    private readonly mail: Pick<LinkMail, 'attempts' | 'outcome' | 'error' | 'changedAt'>,
    /** Undefined when it cannot be read, because a row is damaged. */
    readonly content: LinkMailContent | undefined,
  ) {}

  get address(): string | undefined {
    return this.content?.part.trim();
  }

  get state(): LinkMailState {
    const { attempts, outcome, error } = this.mail;
    if (outcome !== null) return outcome === 'delivered' ? 'sent' : 'failed';
    if (error !== null) return 'retrying';
    return attempts === 0 ? 'waiting' : 'sending';
  }

  get changedAt(): Date | null {
    return this.mail.changedAt;
  }

  /** Why it is not sent, or not yet, in words of ours: a mail server can choose no more than a number in them. */
  get reason(): { text: TextKey; values?: SomeTextValues } | undefined {
    const { error } = this.mail;
    if (error === null) return undefined;
    const [, code] = /^SMTP ([2-5]\d\d)$/.exec(error) ?? [];
    if (code !== undefined) return { text: 'linkMail.notAccepted', values: { code } };
    return {
      text: REASONS[error] ?? (/^E[A-Z]/.test(error) ? 'linkMail.unreachable' : 'linkMail.unexpected'),
    };
  }
}

const REASONS: Partial<Record<string, TextKey>> = {
  [PUSH_ENDED]: 'linkMail.pushEnded',
  [ACCOUNT_MAY_NOT]: 'linkMail.accountMayNot',
};

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

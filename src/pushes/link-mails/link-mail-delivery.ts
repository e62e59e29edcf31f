import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { canBeMailed, emailToName } from '../../auth/entities/emails.js';
import { UsersService } from '../../auth/users/users.service.js';
import type { Mail } from '../../platform/mail/mail.js';
import { MailComposer } from '../../platform/mail/mails.service.js';
import type { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import type { Delivery } from '../../platform/outbox/outbox-channels.js';
import { DeliveryError, DeliveryRecorder } from '../../platform/outbox/outbox-channels.js';
import { UnsealError } from '../../platform/sealing/secretbox.js';
import { Settings } from '../../platform/settings/settings.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import { PushRepository } from '../push/push.repository.js';
import { PushSeal } from '../push/push-seal.js';
import { LinkMail } from './link-mail.entity.js';
import { ACCOUNT_MAY_NOT, PUSH_ENDED, OwnLinkMailsService } from './own-link-mail.js';
import type { Translator } from '../../texts/translator.js';
import type { Push } from '../push/push.entity.js';
import { htmlUrl } from '../push/push.dto.js';

/** The kind of these mails in the outbox. */
export const LINK_MAIL = 'push.link';

/** Writes the mails with links when they are sent, and records what becomes of them. */
@Injectable()
export class LinkMailDelivery {
  constructor(
    @InjectRepository(LinkMail) private readonly linkMails: Repository<LinkMail>,
    private readonly users: UsersService,
    private readonly ownLinkMails: OwnLinkMailsService,
    private readonly settings: Settings,
    private readonly texts: TextsService,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
  ) {}

  @DeliveryRecorder(LINK_MAIL)
  record(
    manager: EntityManager,
    { id, attempts, outcome, error }: OutboxMessage,
    changedAt: Date,
  ): Promise<unknown> {
    return manager.update(LinkMail, { id }, { attempts, outcome, error, changedAt });
  }

  /** @throws DeliveryError when the push has ended meanwhile, or the account was disabled */
  @MailComposer(LINK_MAIL)
  async compose(_values: object, { id }: Delivery): Promise<Mail> {
    const now = new Date();
    const mail = await this.linkMails.findOneBy({ id });
    const push = mail && (await this.pushes.findById(mail.pushId));
    if (!mail || !push?.userId || push.isExpired(now)) throw new DeliveryError(PUSH_ENDED, 'dropped');
    const owner = await this.users.find(push.userId);
    if (!owner || !canBeMailed(owner)) throw new DeliveryError(ACCOUNT_MAY_NOT, 'dropped');
    const { urlToken } = this.pushSeal.unsealOwnerFields(push);
    const content = this.ownLinkMails.read(push, mail);
    if (urlToken === '' || !content)
      throw new UnsealError('the link of the push cannot be read, or to whom it goes');
    const address = content.part.trim();
    const t = this.texts.inLanguageOf(content.locale ?? undefined);
    const sender = owner.namedInMails && content.isFromPage ? emailToName(owner) : undefined;
    return composeLinkMail(push, urlToken, { address, sender }, this.settings, t, now);
  }
}

interface Correspondents {
  address: string;
  /** The email address of the account that sends it, if the mail shall say so. */
  sender?: string;
}

/**
 * The mail that brings somebody a link. It has no text of the sender's, and names at most the email address of the
 * account: otherwise anyone with an account could have this site send messages in any name.
 */
function composeLinkMail(
  push: Push,
  urlToken: string,
  { address, sender }: Correspondents,
  { OPERATOR_NAME: site = 'Sealpush', PUBLIC_URL = '' }: Settings,
  t: Translator,
  now: Date,
): Mail {
  const limits = { views: push.viewsRemaining(), time: t.time(push.expiresAt) };
  const who = { isNamed: sender === undefined ? 'no' : 'yes', sender: sender ?? '', site };
  return {
    to: address,
    language: t.language,
    subject: t.text('mail.link.subject', who),
    parts: [
      t.text('mail.link.intro', who),
      { url: htmlUrl(push, urlToken, PUBLIC_URL), label: t.text('mail.link.label') },
      t.text('mail.link.limits', limits),
      ...(push.opensAt ? [t.text('mail.link.opens', { time: t.time(push.opensAt) })] : []),
      ...(push.isProtected(now) ? [t.text('mail.link.passphrase')] : []),
      ...(sender === undefined ? [t.text('mail.link.unexpected')] : []),
    ],
  };
}

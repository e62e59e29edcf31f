import type { User } from '../../auth/entities/user.entity.js';
import type { Mail } from '../../platform/mail/mail.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { Translator } from '../../texts/translator.js';

/** What the owner of a push is told. */
export interface PushNotice {
  event: 'view' | 'failed_passphrase' | 'ended_unseen';
  at: Date;
  /** The owner's name for the push; empty when it has none, or it has been removed. */
  name: string;
  createdAt: Date;
}

const TEXTS: Record<PushNotice['event'], { subject: TextKey; text: TextKey; list: string }> = {
  view: { subject: 'mail.viewed.subject', text: 'mail.viewed.text', list: '/pushes' },
  failed_passphrase: { subject: 'mail.passphrase.subject', text: 'mail.passphrase.text', list: '/pushes' },
  ended_unseen: { subject: 'mail.unseen.subject', text: 'mail.unseen.text', list: '/pushes/expired' },
};

/** The mail to the owner. It links to the list, because the page of the push has its link in its address. */
export function composeNotice(
  notice: PushNotice,
  { email }: User,
  { OPERATOR_NAME: site = 'Sealpush', PUBLIC_URL = '' }: Settings,
  t: Translator,
): Mail {
  const { subject, text, list } = TEXTS[notice.event];
  return {
    to: email,
    language: t.language,
    subject: t.text(subject, { site }),
    parts: [
      nameOf(notice, t),
      t.text(text, { time: t.time(notice.at) }),
      { url: `${PUBLIC_URL}${list}`, label: t.text('mail.notice.label') },
      t.text('mail.notice.why'),
    ],
  };
}

function nameOf({ name, createdAt }: PushNotice, t: Translator): string {
  const time = t.time(createdAt);
  return name === '' ? t.text('mail.notice.unnamed', { time }) : t.text('mail.notice.named', { name, time });
}

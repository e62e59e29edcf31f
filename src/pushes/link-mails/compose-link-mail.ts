import type { Mail } from '../../platform/mail/mail.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { Translator } from '../../texts/translator.js';
import type { Push } from '../push/push.entity.js';
import { htmlUrl } from '../push/push.dto.js';

interface Correspondents {
  address: string;
  /** The email address of the account that sends it, if the mail shall say so. */
  sender?: string;
}

/**
 * The mail that brings somebody a link. It has no text of the sender's, and names at most the email address of the
 * account: otherwise anyone with an account could have this site send messages in any name.
 */
export function composeLinkMail(
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

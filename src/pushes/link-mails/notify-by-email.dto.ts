import { ENGLISH } from '../../texts/translator.js';
import type { OwnLinkMail } from './own-link-mail.js';

/** Stands for a recipient that cannot be read. */
const UNREADABLE = 'unreadable';

export type NotifyByEmailStatus = 'pending' | 'processing' | 'completed' | 'partially_failed' | 'failed';

/** What became of the mails that one request asked for. */
export class NotifyByEmailDto {
  /** The text that named them. */
  recipients: string;
  locale: string | null;
  status: NotifyByEmailStatus;
  /** Why mails are not sent, or not yet. Absent when there is no reason. */
  error_message?: string;
  /** The addresses of the mails that were sent, with commas between them; null when there are none. */
  successful_sends: string | null;
  /** When a mail of them was last attempted; null before the first attempt. */
  proceed_at: string | null;

  static of(mails: OwnLinkMail[]): NotifyByEmailDto {
    const sent = mails.filter(({ state }) => state === 'sent').map(({ address = UNREADABLE }) => address);
    const errors = mails.flatMap((mail) => sentenceAbout(mail) ?? []);
    const lastChange = Math.max(...mails.map(({ changedAt }) => changedAt?.getTime() ?? 0));
    return {
      recipients: mails.map(({ content }) => content?.part ?? UNREADABLE).join(','),
      locale: mails[0]?.content?.locale ?? null,
      status: statusOf(mails),
      ...(errors.length > 0 && { error_message: errors.join(' ') }),
      successful_sends: sent.join(',') || null,
      proceed_at: lastChange === 0 ? null : new Date(lastChange).toISOString(),
    };
  }
}

/** The response to a request for mails. */
export class MailsQueuedDto {
  message: string;

  static create(): MailsQueuedDto {
    return { message: 'Recipient(s) are added to the queue to be sent.' };
  }
}

function statusOf(mails: OwnLinkMail[]): NotifyByEmailStatus {
  const all = (...states: OwnLinkMail['state'][]) => mails.every(({ state }) => states.includes(state));
  if (all('waiting')) return 'pending';
  if (all('sent')) return 'completed';
  if (all('failed')) return 'failed';
  return all('sent', 'failed') ? 'partially_failed' : 'processing';
}

function sentenceAbout({ state, address = UNREADABLE, reason }: OwnLinkMail): string | undefined {
  if (!reason) return undefined;
  const why = ENGLISH.text(reason.text, reason.values);
  return state === 'failed'
    ? `Not sent to ${address}: ${why}.`
    : `Not sent to ${address} yet: ${why}. It is tried again.`;
}

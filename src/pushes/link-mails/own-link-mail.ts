import type { SomeTextValues, TextKey } from '../../texts/text-parameters.js';
import type { LinkMail } from './link-mail.entity.js';

/** Why a mail is dropped: its push has ended, or its account was disabled. */
export const PUSH_ENDED = 'PUSH_ENDED';
export const ACCOUNT_MAY_NOT = 'ACCOUNT_MAY_NOT';

/** `retrying`: an attempt has failed, and there will be others. */
export type LinkMailState = 'waiting' | 'sending' | 'retrying' | 'sent' | 'failed';

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

import { Injectable } from '@nestjs/common';
import type { Mail, MailLink } from '../../platform/mail/mail.js';
import { MailComposer } from '../../platform/mail/mails.service.js';
import type { Delivery } from '../../platform/outbox/outbox-channels.js';
import { Settings } from '../../platform/settings/settings.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { Language } from '../../texts/languages.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import type { NewLink } from '../links/password-links.service.js';
import { PasswordLinksService } from '../links/password-links.service.js';
import { User } from '../entities/user.entity.js';
import { UsersService } from '../users/users.service.js';
import type {
  AccountNotice,
  AccountNoticeValues,
  PasswordLinkValues,
  RequestedMailValues,
} from '../notices/account-mail-kinds.js';
import { ACCOUNT_MAILS } from '../notices/account-mail-kinds.js';
import { EmailLinksService } from '../links/email-links.service.js';

interface MailTexts {
  subject: TextKey;
  text: TextKey;
}

/** A mail with a link. */
interface LinkTexts extends MailTexts {
  /** Whether someone who gave this address has asked for it, who may be a stranger. */
  isRequested?: boolean;
}

const SET_PASSWORD = { path: '/users/password', label: 'mail.notYou' } as const;
const SEE_TOKENS = { path: '/users/token', label: 'mail.seeTokens' } as const;

const SEE_SESSIONS = { path: '/users/sessions', label: 'mail.seeSessions' } as const;
const SEE_FACTORS = { path: '/users/second_factor', label: 'mail.seeFactors' } as const;

const NOTICES: Record<AccountNotice, MailTexts & { advice?: { path: string; label: TextKey } }> = {
  token: { subject: 'mail.tokenSubject', text: 'mail.tokenText', advice: SET_PASSWORD },
  token_ends: { subject: 'mail.tokenEndsSubject', text: 'mail.tokenEndsText', advice: SEE_TOKENS },
  new_browser: { subject: 'mail.browserSubject', text: 'mail.browserText', advice: SEE_SESSIONS },
  password: { subject: 'mail.passwordSubject', text: 'mail.passwordText', advice: SET_PASSWORD },
  email: { subject: 'mail.emailSubject', text: 'mail.emailText' },
  second_factor_added: {
    subject: 'mail.factorAddedSubject',
    text: 'mail.factorAddedText',
    advice: SEE_FACTORS,
  },
  second_factor_removed: {
    subject: 'mail.factorRemovedSubject',
    text: 'mail.factorRemovedText',
    advice: SET_PASSWORD,
  },
  recovery_codes_created: {
    subject: 'mail.recoveryCodesSubject',
    text: 'mail.recoveryCodesText',
    advice: SEE_FACTORS,
  },
  recovery_code_used: {
    subject: 'mail.recoveryCodeSubject',
    text: 'mail.recoveryCodeText',
    advice: SEE_FACTORS,
  },
  wrong_codes: { subject: 'mail.wrongCodesSubject', text: 'mail.wrongCodesText', advice: SET_PASSWORD },
  identity_joined: {
    subject: 'mail.identitySubject',
    text: 'mail.identityText',
    advice: SEE_SESSIONS,
  },
  administrator: { subject: 'mail.administratorSubject', text: 'mail.administratorText' },
  disabled: { subject: 'mail.disabledSubject', text: 'mail.disabledText' },
};

/**
 * Writes the mails about accounts. Accounts are looked up, and links created, only here: when a mail is sent again, it
 * has a new link. Disabled accounts get no links.
 */
@Injectable()
export class AccountMails {
  constructor(
    private readonly users: UsersService,
    private readonly emailLinks: EmailLinksService,
    private readonly passwordLinks: PasswordLinksService,
    private readonly texts: TextsService,
    private readonly settings: Settings,
  ) {}

  @MailComposer(ACCOUNT_MAILS.signUp)
  async signUp({ email, language, next }: RequestedMailValues): Promise<Mail | undefined> {
    const user = await this.users.findByEmail(email);
    if (user) return this.taken(user, language);
    if (!this.settings.maySignUp) return undefined;
    const link = await this.emailLinks.createForSignUp(email);
    const texts = { subject: 'mail.signUpSubject', text: 'mail.signUpText', isRequested: true } as const;
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    return this.withLink(email, language, texts, link, `/users/sign_up_link/${link.token}${query}`);
  }

  private taken({ email, disabledAt }: User, language: Language): Mail | undefined {
    if (disabledAt !== null) return undefined;
    const t = this.texts.in(language);
    return {
      to: email,
      language,
      subject: t.text('mail.takenSubject'),
      parts: [t.text('mail.takenText', { email }), this.link('/users/password', t.text('mail.takenLink'))],
    };
  }

  @MailComposer(ACCOUNT_MAILS.newPassword)
  async newPassword({ email, language }: RequestedMailValues): Promise<Mail | undefined> {
    const user = await this.users.findByEmail(email);
    const texts = { subject: 'mail.resetSubject', text: 'mail.resetText', isRequested: true } as const;
    return user?.mayUsePassword(this.settings.PASSWORD_SIGN_IN)
      ? this.withPasswordLink(user, language, texts)
      : undefined;
  }

  @MailComposer(ACCOUNT_MAILS.passwordLink)
  async passwordLink({ language }: PasswordLinkValues, { userId }: Delivery): Promise<Mail | undefined> {
    const user = await this.owner(userId);
    if (!user) return undefined;
    return this.withPasswordLink(
      user,
      language,
      user.passwordHash === null
        ? { subject: 'mail.invitationSubject', text: 'mail.invitationText' }
        : { subject: 'mail.resetSubject', text: 'mail.resetByAdministratorText' },
    );
  }

  @MailComposer(ACCOUNT_MAILS.email)
  async email(values: RequestedMailValues, { userId }: Delivery): Promise<Mail | undefined> {
    const { email, language } = values;
    const user = await this.owner(userId);
    if (!user || user.disabledAt !== null) return undefined;
    const holder = await this.users.findByEmail(email);
    if (holder && holder.id !== user.id) return this.taken(holder, language);
    if (holder && !user.emailUnverified) return undefined; // it is verified
    const link = await this.emailLinks.createFor(user, email);
    const texts = { subject: 'mail.verifySubject', text: 'mail.verifyText', isRequested: true } as const;
    return this.withLink(email, language, texts, link, `/users/email/${link.token}`);
  }

  @MailComposer(ACCOUNT_MAILS.join)
  async join({ language, next }: RequestedMailValues, { userId }: Delivery): Promise<Mail | undefined> {
    const user = await this.owner(userId);
    if (!user || user.disabledAt !== null) return undefined;
    const link = await this.emailLinks.createFor(user, user.email);
    const texts = { subject: 'mail.joinSubject', text: 'mail.joinText', isRequested: true } as const;
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    return this.withLink(user.email, language, texts, link, `/users/sign_in/join/${link.token}${query}`);
  }

  @MailComposer(ACCOUNT_MAILS.notice)
  notice({ notice, to, language, about }: AccountNoticeValues): Mail {
    const t = this.texts.in(language);
    const { subject, text, advice } = NOTICES[notice];
    const parts: Mail['parts'] = [
      t.text(text, { email: to, ...(about && { name: about.name, time: t.time(new Date(about.time)) }) }),
    ];
    if (advice) parts.push(this.link(advice.path, t.text(advice.label)));
    return { to, language, subject: t.text(subject), parts };
  }

  private async withPasswordLink(
    user: User,
    language: Language,
    texts: LinkTexts,
  ): Promise<Mail | undefined> {
    if (user.disabledAt !== null) return undefined;
    const link = await this.passwordLinks.create(user);
    return this.withLink(user.email, language, texts, link, `/users/password/${link.token}`);
  }

  private withLink(
    to: string,
    language: Language,
    { subject, text, isRequested = false }: LinkTexts,
    { endsAt }: NewLink,
    path: string,
  ): Mail {
    const t = this.texts.in(language);
    const values = { email: to, site: this.settings.OPERATOR_NAME ?? 'Sealpush' };
    return {
      to,
      language,
      subject: t.text(subject, values),
      parts: [
        t.text(text, values),
        this.link(path, t.text('mail.link')),
        t.text('mail.linkEnds', { time: t.time(endsAt) }),
        ...(isRequested ? [t.text('mail.notAsked')] : []),
      ],
    };
  }

  /** Never from the Host header of a request: a stranger can set that. */
  private link(path: string, label: string): MailLink {
    return { url: `${this.settings.PUBLIC_URL ?? ''}${path}`, label };
  }

  private owner(userId: string | null): Promise<User | null> {
    return userId === null ? Promise.resolve(null) : this.users.find(userId);
  }
}

import { Injectable } from '@nestjs/common';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import type { NewLink } from '../../auth/links/password-links.service.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { MailsService } from '../../mail/mails.service.js';
import { AccountRemovalService } from '../../account-removal/account-removal.service.js';
import type { Language } from '../../texts/languages.js';

interface WithLink {
  user: User;
  /** Undefined if it is sent by mail. */
  link?: NewLink;
}

/** What administrators do with the accounts of others. */
@Injectable()
export class AccountActions {
  constructor(
    private readonly administration: AccountAdministration,
    private readonly administrators: AdministratorsService,
    private readonly links: PasswordLinksService,
    private readonly removal: AccountRemovalService,
    private readonly mails: MailsService,
  ) {}

  async invite(email: string, language: Language): Promise<WithLink> {
    return this.mails.isEnabled
      ? { user: await this.links.inviteByMail(email, language) }
      : this.links.invite(email);
  }

  async createPasswordLink(id: string): Promise<Required<WithLink>> {
    const user = await this.administration.findById(id);
    return { user, link: await this.links.create(user) };
  }

  async sendPasswordLink(id: string, language: Language): Promise<void> {
    await this.links.mail(await this.administration.findById(id), language);
  }

  async disable(id: string, language: Language): Promise<void> {
    await this.administration.disable(await this.administration.findById(id), {}, language);
  }

  async enable(id: string): Promise<void> {
    await this.administration.enable(await this.administration.findById(id));
  }

  async promote(id: string, language: Language): Promise<void> {
    await this.administrators.promote(await this.administration.findById(id), language);
  }

  async demote(id: string): Promise<void> {
    await this.administrators.demote(await this.administration.findById(id));
  }

  async delete(id: string): Promise<void> {
    await this.removal.remove(await this.administration.findById(id));
  }
}

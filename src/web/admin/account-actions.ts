import { Injectable } from '@nestjs/common';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import type { NewLink } from '../../auth/links/password-links.service.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { Log } from '../../logging/log.js';
import { MailsService } from '../../mail/mails.service.js';
import { AccountRemovalService } from '../../account-removal/account-removal.service.js';
import type { Language } from '../../texts/languages.js';

/** What an administrator does to an account on the pages, as the log names it. */
type AdminAction =
  | 'invite'
  | 'create password link'
  | 'send password link'
  | 'disable'
  | 'enable'
  | 'promote'
  | 'demote'
  | 'delete';

interface WithLink {
  user: User;
  /** Undefined if it is sent by mail. */
  link?: NewLink;
}

/** What administrators do with the accounts of others. Each action is logged when it is done, without links. */
@Injectable()
export class AccountActions {
  constructor(
    private readonly administration: AccountAdministration,
    private readonly administrators: AdministratorsService,
    private readonly links: PasswordLinksService,
    private readonly removal: AccountRemovalService,
    private readonly mails: MailsService,
    private readonly log: Log,
  ) {}

  async invite(administrator: User, email: string, language: Language): Promise<WithLink> {
    const invited = this.mails.isEnabled
      ? { user: await this.links.inviteByMail(email, language) }
      : await this.links.invite(email);
    this.record('invite', administrator, invited.user);
    return invited;
  }

  async createPasswordLink(administrator: User, id: string): Promise<Required<WithLink>> {
    const user = await this.administration.findById(id);
    const link = await this.links.create(user);
    this.record('create password link', administrator, user);
    return { user, link };
  }

  sendPasswordLink(administrator: User, id: string, language: Language): Promise<void> {
    return this.run('send password link', administrator, id, (user) => this.links.mail(user, language));
  }

  disable(administrator: User, id: string, language: Language): Promise<void> {
    return this.run('disable', administrator, id, (user) => this.administration.disable(user, {}, language));
  }

  enable(administrator: User, id: string): Promise<void> {
    return this.run('enable', administrator, id, (user) => this.administration.enable(user));
  }

  promote(administrator: User, id: string, language: Language): Promise<void> {
    return this.run('promote', administrator, id, (user) => this.administrators.promote(user, language));
  }

  demote(administrator: User, id: string): Promise<void> {
    return this.run('demote', administrator, id, (user) => this.administrators.demote(user));
  }

  delete(administrator: User, id: string): Promise<void> {
    return this.run('delete', administrator, id, (user) => this.removal.remove(user));
  }

  private async run(
    action: AdminAction,
    administrator: User,
    id: string,
    work: (user: User) => Promise<void>,
  ): Promise<void> {
    const user = await this.administration.findById(id);
    await work(user);
    this.record(action, administrator, user);
  }

  private record(action: AdminAction, administrator: User, account: User): void {
    this.log.event('account management', {
      act: action,
      administrator: administrator.id,
      account: account.id,
    });
  }
}

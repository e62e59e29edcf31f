import { Injectable } from '@nestjs/common';
import { AccountAdministration } from '../../auth/account-administration.js';
import { Administrators } from '../../auth/administrators.service.js';
import type { NewLink } from '../../auth/password-links.service.js';
import { PasswordLinks } from '../../auth/password-links.service.js';
import type { User } from '../../auth/user.entity.js';
import { Log } from '../../logging/log.js';
import { Mails } from '../../mail/mails.service.js';
import { AccountRemovalService } from '../../pushes/account-removal.service.js';
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
    private readonly administrators: Administrators,
    private readonly links: PasswordLinks,
    private readonly removal: AccountRemovalService,
    private readonly mails: Mails,
    private readonly log: Log,
  ) {}

  async invite(by: User, email: string, language: Language): Promise<WithLink> {
    const invited = this.mails.areSent
      ? { user: await this.links.inviteByMail(email, language) }
      : await this.links.invite(email);
    this.record('invite', by, invited.user);
    return invited;
  }

  async createPasswordLink(by: User, id: string): Promise<Required<WithLink>> {
    const user = await this.administration.findById(id);
    const link = await this.links.create(user);
    this.record('create password link', by, user);
    return { user, link };
  }

  sendPasswordLink(by: User, id: string, language: Language): Promise<void> {
    return this.run('send password link', by, id, (user) => this.links.mail(user, language));
  }

  disable(by: User, id: string, language: Language): Promise<void> {
    return this.run('disable', by, id, (user) => this.administration.disable(user, {}, language));
  }

  enable(by: User, id: string): Promise<void> {
    return this.run('enable', by, id, (user) => this.administration.enable(user));
  }

  promote(by: User, id: string, language: Language): Promise<void> {
    return this.run('promote', by, id, (user) => this.administrators.promote(user, language));
  }

  demote(by: User, id: string): Promise<void> {
    return this.run('demote', by, id, (user) => this.administrators.demote(user));
  }

  delete(by: User, id: string): Promise<void> {
    return this.run('delete', by, id, (user) => this.removal.remove(user));
  }

  private async run(
    action: AdminAction,
    by: User,
    id: string,
    work: (user: User) => Promise<void>,
  ): Promise<void> {
    const user = await this.administration.findById(id);
    await work(user);
    this.record(action, by, user);
  }

  private record(action: AdminAction, by: User, account: User): void {
    this.log.event('account management', { act: action, administrator: by.id, account: account.id });
  }
}

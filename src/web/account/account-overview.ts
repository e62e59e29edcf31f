import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { VNode } from 'preact';
import { isEnabled } from '../../auth/bearer.guard.js';
import type { Passkey } from '../../auth/entities/passkey.entity.js';
import type { Session } from '../../auth/entities/session.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import { PasskeysService } from '../../auth/second-factor/passkeys.service.js';
import type { FactorsOfAccount } from '../../auth/second-factor/second-factors.service.js';
import { SecondFactorsService } from '../../auth/second-factor/second-factors.service.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import type { Contribution } from '../../platform/contributions/contributions.js';
import { contributedMethod, Contributions } from '../../platform/contributions/contributions.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';

type StateOfAccount = (user: User) => VNode | Promise<VNode>;

/**
 * What the page of an account says about a page in the menu `programs`, whose path is the argument: how many of them the
 * account has.
 */
export const StateInAccount = contributedMethod<StateOfAccount, string>();

/** How an account is set. */
export interface AccountDescription {
  user: User;
  factors: FactorsOfAccount;
  passkeys: Passkey[];
  sessions: UncountedPage<Session>;
  /** The id of the session in which the page is seen. */
  ownId: string;
  /** When the password was last changed, if that is known. */
  passwordSetAt?: Date;
  /** Undefined when no mails are sent to this account. */
  notices?: NoticeEvent[];
  /** Of the pages in the menu `programs`, by their paths. */
  states: ReadonlyMap<string, VNode>;
}

/** What the page of an account says about it. */
@Injectable()
export class AccountOverview implements OnModuleInit {
  private stateMethods: Contribution<StateOfAccount, string>[] = [];

  constructor(
    private readonly secondFactors: SecondFactorsService,
    private readonly passkeys: PasskeysService,
    private readonly sessions: SessionsService,
    private readonly rules: PushRules,
    private readonly audit: InstanceAudit,
    private readonly contributions: Contributions,
    private readonly moduleRef: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.stateMethods = this.contributions
      .methods(StateInAccount)
      .filter(({ targets: [, controller] }) => isEnabled(controller, this.moduleRef));
  }

  async describe(user: User, { id: ownId }: Session): Promise<AccountDescription> {
    const states = await Promise.all(
      this.stateMethods.map(
        async ({ argument: path, contributed }) => [path, await contributed(user)] as const,
      ),
    );
    return {
      user,
      factors: await this.secondFactors.of(user),
      passkeys: await this.passkeys.listOf(user),
      sessions: await this.sessions.pageOf(user, ListPage.parse(undefined)),
      ownId,
      passwordSetAt: await this.audit.lastTimeOf('password_set', user),
      notices: this.rules.defaultNotices(user),
      states: new Map(states),
    };
  }
}

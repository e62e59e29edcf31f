import { Injectable } from '@nestjs/common';
import { asProvider } from '../../platform/instance-audit/current-actor.js';
import { Log } from '../../platform/logging/log.js';
import { OidcSettings } from './oidc.settings.js';
import { MINUTE_MS } from '../../platform/settings/units.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountError } from '../../auth/errors/account-error.js';
import type { SignedInBrowser } from '../../auth/sign-in/sign-ins.service.js';
import { OnSignIn } from '../../auth/sign-in/sign-ins.service.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';

/** After that, what the provider has said about rights is not used any more. */
const RIGHTS_LAST_MS = 10 * MINUTE_MS;

/** Gives accounts the rights that the groups of their owners at the provider mean: OIDC_ADMIN_GROUP. */
@Injectable()
export class ProviderRights {
  constructor(
    private readonly administrators: AdministratorsService,
    private readonly settings: OidcSettings,
    private readonly log: Log,
  ) {}

  /** Whether the owner of an account is to be an administrator; undefined when groups say nothing about that. */
  isAdministrator(groups: readonly string[]): boolean | undefined {
    const { OIDC_ADMIN_GROUP: group } = this.settings;
    return group === undefined ? undefined : groups.includes(group);
  }

  @OnSignIn()
  async followSignIn(
    user: User,
    { provider, language }: Pick<SignedInBrowser, 'provider' | 'language'>,
    now = new Date(),
  ): Promise<void> {
    const { administrator } = provider ?? {};
    if (!provider || administrator === undefined || administrator === user.administrator) return;
    if (!administrator) await this.takeFrom(user);
    else if (now.getTime() - provider.at < RIGHTS_LAST_MS)
      await asProvider(this.settings.providerName ?? '', () => this.administrators.promote(user, language));
  }

  /** When the owner of an account may not come in any more. */
  async followRefusal(user: User): Promise<void> {
    if (this.settings.OIDC_ADMIN_GROUP !== undefined && user.administrator) await this.takeFrom(user);
  }

  /** The last administrator keeps them. */
  private async takeFrom(user: User): Promise<void> {
    try {
      await asProvider(this.settings.providerName ?? '', () => this.administrators.demote(user));
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      this.log.warning('The last administrator is not in the group OIDC_ADMIN_GROUP, and stays one', {
        account: user.id,
      });
    }
  }
}

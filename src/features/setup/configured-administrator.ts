import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/log.js';
import { Settings } from '../../platform/settings/settings.js';
import { FirstStepsService } from './first-steps.service.js';
import { SetupSettings } from './setup.settings.js';
import { EmailTaken } from '../../auth/errors/account-error.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';

/**
 * Creates the administrator that the settings name when the service starts and has no administrator. An existing account
 * is not changed, and nobody is created whom administrators have removed. A gateway creates nobody.
 */
@Injectable()
export class ConfiguredAdministrator implements OnApplicationBootstrap {
  constructor(
    private readonly settings: SetupSettings,
    private readonly serviceSettings: Settings,
    private readonly users: UsersService,
    private readonly administrators: AdministratorsService,
    private readonly firstSteps: FirstStepsService,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = this.settings;
    if (this.serviceSettings.isGateway || email === undefined || password === undefined) return;
    const existing = await this.users.findByEmail(email);
    if (existing) this.reportExisting(existing);
    else if (!(await this.administrators.exist())) await this.create(email, password);
  }

  private async create(email: string, password: string): Promise<void> {
    try {
      const { user } = await this.users.create(
        { email, password, administrator: true },
        { after: (manager) => this.firstSteps.beginWithin(manager) },
      );
      this.log.event('Created the administrator that ADMIN_EMAIL names', { account: user.id });
    } catch (error) {
      const existing = await this.users.findByEmail(email); // of another process that starts now, or of a stranger
      if (!(error instanceof EmailTaken) || !existing) throw error;
      this.reportExisting(existing);
    }
  }

  /** It may be a stranger's account, who has signed up with the email address: nobody has verified it. */
  private reportExisting({ administrator }: User): void {
    if (administrator) return;
    this.log.warn(
      'The account that ADMIN_EMAIL names already exists and is not an administrator. It was not changed: ' +
        'if you know whose account it is, use the command user:grant-admin with --existing',
    );
  }
}

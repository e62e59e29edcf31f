import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { Settings } from '../../platform/settings/settings.js';
import type { User } from '../entities/user.entity.js';
import { AccountError } from '../errors/account-error.js';
import { IdentitiesService } from '../sessions/identities.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AdministratorsService } from './administrators.service.js';

/** Unlinks accounts from whom they belong to at the provider. */
@Injectable()
export class IdentityRemoval {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly sessions: SessionsService,
    private readonly administrators: AdministratorsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /**
   * Unlinks an account, and ends its sessions.
   * @throws AccountError when it belongs to nobody there, or no other administrator could sign in
   */
  async unlink(user: User): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      if (user.passwordHash === null || this.settings.PASSWORD_SIGN_IN === 'none')
        await this.administrators.checkOthersRemainWithin(manager, user.id);
      if (!(await this.identities.removeWithin(manager, user)))
        throw new AccountError(new Problem('identity_unknown'));
      await this.sessions.endAllWithin(manager, user.id);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { NextStep } from '../../platform/http/connections/next-steps.js';
import { Settings } from '../../platform/settings/settings.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { FirstStepsService } from './first-steps.service.js';
import { SetupCodes, WrongSetupCode } from './setup-codes.js';
import { SignInThrottle } from '../../auth/sign-in/sign-in-throttle.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';

/** Creates the first administrator for whoever has the setup code. */
@Injectable()
export class SetupService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly administrators: AdministratorsService,
    private readonly codes: SetupCodes,
    private readonly users: UsersService,
    private readonly firstSteps: FirstStepsService,
    private readonly throttle: SignInThrottle,
    private readonly settings: Settings,
  ) {}

  /** Whoever can read the log gets the code. */
  @NextStep()
  async nextStep() {
    const code = this.settings.isGateway ? undefined : await this.codes.current();
    if (code === undefined) return undefined;
    const message = 'Create the first administrator at this address, with this code';
    return { message, path: '/setup', more: { code } };
  }

  /**
   * The code is checked twice: before the costly hash of the password, and in the transaction that ends it.
   * @throws WrongSetupCode
   * @throws SignInNeeded when another request has just created an administrator
   * @throws AccountError when the email address or the password is not acceptable, or the email address is taken
   * @throws TooManyRequests
   */
  async createAdministrator(
    code: string,
    email: string,
    password: string,
    ip: string,
    now = new Date(),
  ): Promise<User> {
    const attempt = await this.throttle.recordSetupCode(ip, now);
    try {
      await this.codes.checkWithin(this.dataSource.manager, code);
      const { user } = await this.users.create(
        { email, password, ip, administrator: true },
        {
          before: (manager) => this.codes.checkWithin(manager, code),
          after: (manager) => this.firstSteps.beginWithin(manager, now),
          now,
        },
      );
      await this.throttle.deleteAttempt(attempt);
      return user;
    } catch (error) {
      const isOver = await this.administrators.exist();
      if (isOver || !(error instanceof WrongSetupCode)) await this.throttle.tryToDeleteAttempt(attempt);
      throw isOver ? new SignInNeeded() : error;
    }
  }
}

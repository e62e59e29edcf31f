import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SessionsService } from './sessions.service.js';
import { User } from './user.entity.js';
import { AccountError, UsersService } from './users.service.js';

const BATCH = 1000;
/** Used as the client address for commands, which have none. */
const OPERATOR = '';

/** What the operator can do with the accounts of users. */
@Injectable()
export class AccountAdministration {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly accounts: UsersService,
    private readonly sessions: SessionsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws AccountError when there is no account with this address */
  async find(email: string): Promise<User> {
    const user = await this.accounts.findByEmail(email);
    if (!user) throw new AccountError('There is no account with this email address.');
    return user;
  }

  /**
   * Finds an account to create a token for.
   * @param isKnown whether the operator knows whose account it is
   * @throws AccountError when there is none, or it was created by signing up and `isKnown` is false
   */
  async findForToken(email: string, isKnown: boolean): Promise<User> {
    const user = await this.find(email);
    if (user.signedUp && !isKnown)
      throw new AccountError(
        'This account was created by signing up, and the owner of its email address has not been verified. ' +
          'Use --existing if you know whose account it is.',
      );
    return user;
  }

  /** All accounts, oldest first. */
  async *all(): AsyncGenerator<User> {
    let last = '';
    for (;;) {
      const batch = await this.users.find({
        where: { id: MoreThan(last) },
        order: { id: 'ASC' },
        take: BATCH,
      });
      yield* batch;
      last = batch.at(-1)?.id ?? '';
      if (batch.length < BATCH) return;
    }
  }

  /**
   * Sets the password and ends every session.
   * @throws AccountError when the password is not acceptable
   */
  async setPassword(user: User, password: string): Promise<void> {
    const hash = await this.accounts.hashPassword(password, user.email, OPERATOR);
    await this.unitOfWork.run(async (manager) => {
      await this.accounts.setPasswordWithin(manager, user, hash);
      await this.sessions.endAllWithin(manager, user.id);
    });
  }

  /** From now on the account can neither sign in nor use its tokens. Its pushes are kept. */
  async disable({ id }: User, now = new Date()): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      await manager.update(User, { id }, { disabledAt: now });
      await this.sessions.endAllWithin(manager, id);
    });
  }

  async enable({ id }: User): Promise<void> {
    await this.unitOfWork.run((manager) => manager.update(User, { id }, { disabledAt: null }));
  }
}

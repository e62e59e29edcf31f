import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { isEmail } from 'class-validator';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { isDuplicate } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Passphrases } from '../sealing/passphrases.js';
import { TokensService } from './tokens.service.js';
import { User } from './user.entity.js';

const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 128;

/** Why an account could not be made, in a sentence for whoever asked. */
export class AccountRefused extends Error {
  override readonly name = 'AccountRefused';
}

@Injectable()
export class UsersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly passphrases: Passphrases,
    private readonly tokens: TokensService,
  ) {}

  findByEmail(email: string): Promise<User | null> {
    return this.dataSource.manager.findOneBy(User, { email: User.normalizeEmail(email) });
  }

  /**
   * Makes an account and a first API token for it; without a password it is for the API alone.
   * @throws AccountRefused when the address or the password is not acceptable, or the address is taken
   */
  async createWithToken(
    email: string,
    password: string | undefined,
    tokenName: string,
    now = new Date(),
  ): Promise<{ user: User; token: string }> {
    const user = new User();
    user.id = uuidv7();
    user.email = acceptableEmail(email);
    user.passwordHash = password === undefined ? null : await this.hash(password);
    user.createdAt = now;
    try {
      const token = await this.unitOfWork.run(async (manager) => {
        await manager.insert(User, user);
        return this.tokens.createWithin(manager, user, tokenName, now);
      });
      return { user, token };
    } catch (error) {
      if (isDuplicate(error))
        throw new AccountRefused('There is an account with this e-mail address already.');
      throw error;
    }
  }

  private hash(password: string): Promise<string> {
    const { length } = Array.from(password);
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
      throw new AccountRefused(`A password has ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`);
    }
    return this.passphrases.hashPassword(password);
  }
}

function acceptableEmail(email: string): string {
  const normal = User.normalizeEmail(email);
  if (!isEmail(normal)) throw new AccountRefused('This is not an e-mail address.');
  return normal;
}

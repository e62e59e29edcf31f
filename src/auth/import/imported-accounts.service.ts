import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { NamedAccount } from '../../platform/instance-audit/current-actor.js';
import { digestOf } from '../../platform/random/random.js';
import type { Language } from '../../texts/languages.js';
import { ApiToken } from '../entities/api-token.entity.js';
import { ImportedAccount } from '../entities/imported-account.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountError } from '../errors/account-error.js';
import type { ImportedFactor } from '../second-factor/second-factors.service.js';
import { SecondFactorsService } from '../second-factor/second-factors.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { AdministratorsService } from '../users/administrators.service.js';
import { UsersService } from '../users/users.service.js';

/** An account of another service. */
export interface AccountToImport {
  email: string;
  passwordHash: string | null;
  emailUnverified: boolean;
  administrator: boolean;
  language: Language | null;
  createdAt: Date;
  /** An API token, and the name that it gets. */
  token?: { token: string; name: string };
  secondFactor?: ImportedFactor;
}

/** Creates accounts that another service had. */
@Injectable()
export class ImportedAccountsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly secondFactors: SecondFactorsService,
    private readonly administrators: AdministratorsService,
  ) {}

  /**
   * Creates the account. Returns its id.
   * @throws AccountError when the email address is not acceptable or taken
   */
  async create(account: AccountToImport, now: Date): Promise<string> {
    const { email, passwordHash, emailUnverified } = account;
    const { user } = await this.users.create(
      { email, passwordHash, emailUnverified },
      {
        after: async (manager, created) => {
          const { language, secondFactor, administrator } = account;
          await manager.update(User, { id: created.id }, { language });
          await this.addTokenWithin(manager, created, account);
          if (secondFactor) await this.secondFactors.importWithin(manager, created, secondFactor, now);
          if (administrator) await this.promoteIfAllowedWithin(manager, created);
          await recordWithin(manager, account, created);
        },
        now: account.createdAt,
      },
    );
    return user.id;
  }

  /**
   * Gives an account that was here already the API token of another service's account with the same email address. Its
   * password and second factor stay as they are.
   */
  async join(user: NamedAccount, account: AccountToImport): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      await this.addTokenWithin(manager, user, account);
      await recordWithin(manager, account, user);
    });
  }

  private async addTokenWithin(
    manager: EntityManager,
    user: NamedAccount,
    { token, createdAt }: AccountToImport,
  ): Promise<void> {
    if (!token || (await manager.existsBy(ApiToken, { digest: digestOf(token.token) }))) return;
    await this.tokens.createWithin(manager, user, token, createdAt);
  }

  /** With PASSWORD_SIGN_IN=none nobody who has only a password can be the first administrator. */
  private async promoteIfAllowedWithin(manager: EntityManager, user: User): Promise<void> {
    try {
      await this.administrators.promoteWithin(manager, user);
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
    }
  }
}

/** The row of an account that was imported; undefined when it was not. */
export function findImportedAccount(manager: EntityManager, email: string): Promise<ImportedAccount | null> {
  return manager.findOneBy(ImportedAccount, { id: idOf(email) });
}

async function recordWithin(
  manager: EntityManager,
  { email }: AccountToImport,
  user: NamedAccount,
): Promise<void> {
  await manager.insert(ImportedAccount, { id: idOf(email), userId: user.id });
}

function idOf(email: string): string {
  return digestOf(User.normalizeEmail(email));
}

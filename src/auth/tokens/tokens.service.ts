import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, LessThan } from 'typeorm';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { findUncountedPage } from '../../platform/http/paging/find-page.js';
import type { ListPage } from '../../platform/http/paging/list-page.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { newId } from '../../platform/random/ids.js';
import { digestOf, newToken } from '../../platform/random/tokens.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import type { Batcher } from '../../platform/database/statements/batcher.js';
import { PreparedStatements } from '../../platform/database/statements/prepared-statements.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Language } from '../../texts/languages.js';
import { AccountNotices } from '../notices/account-notices.js';
import { ApiToken, TOKEN_PREFIX } from '../entities/api-token.entity.js';
import { User } from '../entities/user.entity.js';

/** Tokens that are read together. */
const BATCH = 1000;

/** Creates, looks up and revokes API tokens. */
@Injectable()
export class TokensService {
  private readonly byDigest: Batcher<string, ApiToken | undefined>;
  private readonly users: Batcher<string, User | undefined>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
    private readonly log: Log,
  ) {
    this.byDigest = new PreparedStatements(dataSource, ApiToken).lookupBy('digest');
    this.users = new PreparedStatements(dataSource, User).lookupBy('id');
  }

  /** Creates a token for an account. It is returned only here; the database has just its digest. */
  create(user: User, name: string, now = new Date()): Promise<string> {
    return this.createAndNotify(user, name, now);
  }

  /** An id for `createOnce`. */
  newId(): string {
    return newId();
  }

  /**
   * Creates a token with this id; undefined when there is one already, so that a repeated request creates no second.
   */
  async createOnce(
    user: User,
    name: string,
    id: string,
    language?: Language,
    now = new Date(),
  ): Promise<string | undefined> {
    try {
      return await this.createAndNotify(user, name, now, id, language);
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    }
  }

  /** Creates a token within the transaction of `manager`. The owner is not told. */
  async createWithin(
    manager: EntityManager,
    user: User,
    name: string,
    now: Date,
    id = newId(),
  ): Promise<string> {
    const token = newToken();
    await manager.insert(ApiToken, {
      id,
      userId: user.id,
      name,
      digest: digestOf(token),
      prefix: token.slice(0, TOKEN_PREFIX),
      createdAt: now,
      lastUsedAt: null,
    });
    await this.audit.recordWithin(manager, 'token_created', { subject: user, details: { token: id } });
    return token;
  }

  /**
   * The account that owns the token, or undefined when there is no such token or the account is disabled. Every request
   * with a token needs it, so each of its two lookups is shared by all requests that arrive together.
   */
  async authenticate(token: string, now = new Date()): Promise<User | undefined> {
    const found = await this.byDigest.submit(digestOf(token));
    const user = found && (await this.users.submit(found.userId));
    if (!user || user.disabledAt !== null) return undefined;

    if (found.shouldRecordUse(now)) await this.recordUse(found, now);
    return user;
  }

  /** The tokens of an account, newest first. */
  async *listOf({ id: userId }: User): AsyncGenerator<ApiToken> {
    for (let before: string | undefined; ;) {
      const batch = await this.dataSource.manager.find(ApiToken, {
        where: { userId, ...(before !== undefined && { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take: BATCH,
      });
      yield* batch;
      if (batch.length < BATCH) return;
      before = batch.at(-1)?.id;
    }
  }

  /** A page of them. */
  pageOf({ id: userId }: User, page: ListPage): Promise<UncountedPage<ApiToken>> {
    const tokens = this.dataSource.manager.createQueryBuilder(ApiToken, 'token');
    return findUncountedPage(tokens.where({ userId }).orderBy('token.id', 'DESC'), page);
  }

  /** Deletes a token of this account; returns whether it existed. */
  revoke(user: User, id: string): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.delete(ApiToken, { id, userId: user.id });
      if (affected !== 1) return false;
      await this.audit.recordWithin(manager, 'token_revoked', { subject: user, details: { token: id } });
      return true;
    });
  }

  private createAndNotify(
    user: User,
    name: string,
    now: Date,
    id = newId(),
    language?: Language,
  ): Promise<string> {
    return this.unitOfWork.run(async (manager) => {
      await this.notices.addWithin(manager, user, 'token', language, now);
      return this.createWithin(manager, user, name, now, id);
    });
  }

  private async recordUse({ id, userId }: ApiToken, now: Date): Promise<void> {
    try {
      await this.unitOfWork.run(async (manager) => {
        await manager.update(User, { id: userId }, { lastUsedAt: now });
        await manager.update(ApiToken, { id }, { lastUsedAt: now });
      });
    } catch (error) {
      this.log.failure('The use of a token could not be recorded', error); // no reason to reject the request
    }
  }
}

import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource } from 'typeorm';
import { batchesById } from '../../platform/database/in-batches.js';
import type { UncountedPage } from '../../platform/http/paging/find-page.js';
import { findUncountedPage } from '../../platform/http/paging/find-page.js';
import type { ListPage } from '../../platform/http/paging/list-page.js';
import type { NamedAccount } from '../../platform/instance-audit/current-actor.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { newId, digestOf, newToken } from '../../platform/random/random.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import type { Batcher } from '../../platform/database/transactions/batcher.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Language } from '../../texts/languages.js';
import { AccountNotices } from '../notices/account-notices.js';
import type { TokenScope } from '../entities/api-token.entity.js';
import { ApiToken, TOKEN_PREFIX } from '../entities/api-token.entity.js';
import { Settings } from '../../platform/settings/settings.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { User } from '../entities/user.entity.js';

/** Tokens that are read together. */
const BATCH = 1000;

/** What the owner of a new token chooses. */
export interface NewToken {
  name: string;
  /** Default: everything. */
  scope?: TokenScope;
  /** After how many days it ends. Default: never. */
  days?: number;
  /** A token that is known already, because it is imported. Default: a new one. */
  token?: string;
}

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
    private readonly settings: Settings,
    private readonly log: Log,
  ) {
    this.byDigest = new PreparedStatements(dataSource, ApiToken).lookupBy('digest');
    this.users = new PreparedStatements(dataSource, User).lookupBy('id');
  }

  /** Creates a token for an account. It is returned only here; the database has just its digest. */
  create(user: User, token: NewToken, now = new Date()): Promise<string> {
    return this.createAndNotify(user, token, now);
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
    token: NewToken,
    id: string,
    language?: Language,
    now = new Date(),
  ): Promise<string | undefined> {
    try {
      return await this.createAndNotify(user, token, now, id, language);
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    }
  }

  /** Creates a token within the transaction of `manager`. The owner is not told. */
  async createWithin(
    manager: EntityManager,
    user: NamedAccount,
    { name, scope = 'everything', days, token = newToken() }: NewToken,
    now: Date,
    id = newId(),
  ): Promise<string> {
    const endsAt = days === undefined ? null : new Date(now.getTime() + days * DAY_MS);
    await manager.insert(ApiToken, {
      id,
      userId: user.id,
      name,
      digest: digestOf(token),
      prefix: token.slice(0, TOKEN_PREFIX),
      scope,
      createdAt: now,
      endsAt,
      lastUsedAt: null,
    });
    await this.audit.recordWithin(manager, 'token_created', {
      subject: user,
      details: {
        token: id,
        ...(scope !== 'everything' && { scope }),
        ...(endsAt && { ends_at: endsAt.toISOString() }),
      },
    });
    return token;
  }

  /**
   * The token with its account; undefined when there is none, it has ended, or its account is disabled or has left.
   * Every request with a token needs it, so each of its two lookups is shared by all requests that arrive together.
   */
  async authenticate(token: string, now = new Date()): Promise<{ user: User; token: ApiToken } | undefined> {
    const found = await this.byDigest.submit(digestOf(token));
    if (!found || found.hasEnded(now)) return undefined;
    const user = await this.users.submit(found.userId);
    if (!user || user.disabledAt !== null || this.hasLeft(user, now)) return undefined;

    if (found.shouldRecordUse(now)) await this.recordUse(found, user, now);
    return { user, token: found };
  }

  /** The tokens of an account, newest first. */
  async *listOf({ id: userId }: User): AsyncGenerator<ApiToken> {
    const { manager } = this.dataSource;
    for await (const batch of batchesById(manager, ApiToken, BATCH, { where: { userId }, order: 'DESC' }))
      yield* batch;
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

  /** Whether the account signs in at the provider and has not done so for too long: OIDC_TOKENS_FOLLOW. */
  private hasLeft({ providerSignInAt }: User, now: Date): boolean {
    const { OIDC_TOKENS_FOLLOW, SESSION_DAYS } = this.settings;
    if (!OIDC_TOKENS_FOLLOW || providerSignInAt === null) return false;
    return now.getTime() - providerSignInAt.getTime() > SESSION_DAYS * DAY_MS;
  }

  private createAndNotify(
    user: User,
    token: NewToken,
    now: Date,
    id = newId(),
    language?: Language,
  ): Promise<string> {
    return this.unitOfWork.run(async (manager) => {
      await this.notices.addWithin(manager, user, 'token', language, now);
      return this.createWithin(manager, user, token, now, id);
    });
  }

  private async recordUse(token: ApiToken, user: User, now: Date): Promise<void> {
    const { id } = token;
    try {
      await this.unitOfWork.run(async (manager) => {
        await manager.update(User, { id: user.id }, { lastUsedAt: now });
        await manager.update(ApiToken, { id }, { lastUsedAt: now });
        if (token.shouldAnnounceEnd(now)) await this.announceEndWithin(manager, token, user, now);
      });
    } catch (error) {
      this.log.failure('The use of a token could not be recorded', error); // no reason to reject the request
    }
  }

  /** Once: of several processes that notice it, one changes the row. */
  private async announceEndWithin(
    manager: EntityManager,
    { id, name, endsAt }: ApiToken,
    user: User,
    now: Date,
  ): Promise<void> {
    if (!endsAt) return;
    const { affected } = await manager.update(ApiToken, { id, endAnnounced: false }, { endAnnounced: true });
    if (affected !== 1) return;
    const ending = { name, time: endsAt.getTime() };
    await this.notices.addWithin(manager, user, 'token_ends', user.language ?? undefined, now, ending);
  }
}

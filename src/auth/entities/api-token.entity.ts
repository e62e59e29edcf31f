import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { DigestColumn, IdColumn, DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { User } from './user.entity.js';
import { lineError } from '../../platform/http/validation/text-error.js';
import type { Problem } from '../../platform/errors/problem.js';

const MAX_TOKEN_NAME = 255;
/** Stored characters of a token: enough for its owner to recognise it, too few to help in guessing it. */
export const TOKEN_PREFIX = 6;
export const USE_ACCURACY_MS = 60 * 60 * 1000;
/** How long before its end the owner of a token that is in use is told. */
const END_NOTICE_MS = 7 * DAY_MS;

/** What a token may be used for: all that its account may do, only creating pushes, or only reading lists and logs. */
export const TOKEN_SCOPES = ['everything', 'create', 'read'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A credential for the API. Only its digest is stored. */
@Entity('api_tokens')
@Index(['userId', 'id'])
export class ApiToken {
  @IdColumn()
  id: string;

  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  @Column('varchar', { length: MAX_TOKEN_NAME })
  name: string;

  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  /** The first characters. */
  @Column('varchar', { length: TOKEN_PREFIX })
  prefix: string;

  @Column('varchar', { length: 10, default: 'everything' })
  scope: TokenScope;

  @DateTimeColumn()
  createdAt: Date;

  /** From then on it is refused; null when it works until it is revoked. */
  @DateTimeColumn({ nullable: true })
  endsAt: Date | null;

  /** Whether its owner has been told that it ends. */
  @Column('boolean', { default: false })
  endAnnounced: boolean;

  /** Accurate to the hour, so that not every request writes it. */
  @DateTimeColumn({ nullable: true })
  lastUsedAt: Date | null;

  hasEnded(now: Date): boolean {
    return this.endsAt !== null && this.endsAt <= now;
  }

  /** @param scope that of a route; routes without one need a token for everything */
  allows(scope: TokenScope | undefined): boolean {
    return this.scope === 'everything' || this.scope === scope;
  }

  shouldAnnounceEnd(now: Date): boolean {
    if (this.endAnnounced || this.endsAt === null) return false;
    const lifetime = this.endsAt.getTime() - this.createdAt.getTime();
    return this.endsAt.getTime() - now.getTime() <= Math.min(END_NOTICE_MS, lifetime / 4);
  }

  /** Whether the recorded time is old enough to be updated. */
  shouldRecordUse(now: Date): boolean {
    return this.lastUsedAt === null || Math.abs(now.getTime() - this.lastUsedAt.getTime()) > USE_ACCURACY_MS;
  }
}

/** What is wrong with the name of an API token; undefined when it is valid. */
export function tokenNameError(name: string): Problem | undefined {
  return lineError(name, MAX_TOKEN_NAME);
}

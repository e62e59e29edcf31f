import { Entity, ForeignKey, Index } from 'typeorm';
import {
  DateTimeColumn,
  DigestColumn,
  ExactTextColumn,
  IdColumn,
  ReferenceColumn,
} from '../../platform/database/columns.js';
import { digestOf } from '../../platform/random/random.js';
import { MAX_EMAIL, User } from './user.entity.js';

/** Who somebody is at a provider of OpenID Connect, and whose account that is here. */
@Entity('identities')
export class Identity {
  @IdColumn()
  id: string;

  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  userId: string;

  /** Of the issuer and the subject, which together are too long for an index. */
  @Index({ unique: true })
  @DigestColumn()
  digest: string;

  /** The email address that the provider last gave, as `User.normalizeEmail` returns it. */
  @ExactTextColumn(MAX_EMAIL)
  email: string;

  @DateTimeColumn()
  createdAt: Date;

  static digestOf({ issuer, subject }: { issuer: string; subject: string }): string {
    return digestOf(JSON.stringify([issuer, subject]));
  }
}

import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../auth/user.entity.js';

/** How many bytes of files an account sent on the last day on which it sent any. */
@Entity('upload_days')
export class UploadDay {
  @ForeignKey(() => User, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  userId: string;

  /** The day in UTC, such as 2026-11-22. */
  @Column('varchar', { length: 10 })
  day: string;

  @Column({ type: 'bigint', transformer: { from: Number, to: (bytes: number) => bytes } })
  bytes: number;
}

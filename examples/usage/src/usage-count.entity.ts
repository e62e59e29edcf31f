import { IdColumn } from 'sealpush';
import { Column, Entity } from 'typeorm';

/** How many pushes an account has created. */
@Entity('usage_counts')
export class UsageCount {
  @IdColumn()
  userId: string;

  @Column('integer')
  pushes: number;
}

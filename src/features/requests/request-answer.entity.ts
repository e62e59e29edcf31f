import { Entity, ForeignKey, Index } from 'typeorm';
import { DateTimeColumn, ReferenceColumn } from '../../platform/database/columns.js';
import { Push } from '../../pushes/push/push.entity.js';
import { PrimaryColumn } from 'typeorm';
import { SecretRequest } from './secret-request.entity.js';

/** Which push is an answer to which request. It is removed with either of them. */
@Entity('request_answers')
@Index(['requestId', 'pushId'])
export class RequestAnswer {
  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  pushId: string;

  @ForeignKey(() => SecretRequest, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  requestId: string;

  @DateTimeColumn()
  createdAt: Date;
}

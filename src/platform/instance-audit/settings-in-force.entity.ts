import { Column, Entity } from 'typeorm';
import { IdColumn } from '../database/columns.js';

/** The id of the only row. */
export const SETTINGS_IN_FORCE = 'settings';

/** The settings of the process that started last, without secrets. */
@Entity('settings_in_force')
export class SettingsInForce {
  @IdColumn()
  id: string;

  /** By name, as administrators see them; empty before the first start. */
  @Column('simple-json')
  shown: Record<string, string>;
}

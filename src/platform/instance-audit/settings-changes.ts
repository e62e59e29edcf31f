import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { AllSettings } from '../settings/read-settings.js';
import { Settings } from '../settings/settings.js';
import { allSettings } from '../settings/settings-classes.js';
import { shownSettings } from '../settings/shown-settings.js';
import { InstanceAudit } from './instance-audit.service.js';
import { IdColumn } from '../database/columns.js';

/** The id of the only row. */
const SETTINGS_IN_FORCE = 'settings';

/** The settings of the process that started last, without secrets. */
@Entity('settings_in_force')
export class SettingsInForce {
  @IdColumn()
  id: string;

  /** By name, as administrators see them; empty before the first start. */
  @Column('simple-json')
  shown: Record<string, string>;
}

/**
 * Records which settings have changed since the last start. Of several processes that start together, the first one
 * does. A gateway does not, because it needs only some of them. Of a setting that may be a secret only whether it is set
 * is known.
 */
@Injectable()
export class SettingsChanges implements OnApplicationBootstrap {
  constructor(
    private readonly settings: AllSettings,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.of(Settings).isGateway) return;
    const shown = shownByName(this.settings);
    const id = SETTINGS_IN_FORCE;
    await this.unitOfWork.run(async (manager) => {
      const last = await this.unitOfWork.findForUpdate(manager, SettingsInForce, { id });
      const before = last?.shown ?? {};
      const names = [...new Set([...Object.keys(before), ...Object.keys(shown)])];
      const changed = names.filter((name) => before[name] !== shown[name]);
      if (changed.length === 0) return;
      await manager.update(SettingsInForce, { id }, { shown });
      const isFirstStart = Object.keys(before).length === 0;
      if (!isFirstStart)
        await this.audit.recordWithin(manager, 'settings_changed', { details: { settings: changed.sort() } });
    });
  }
}

function shownByName(settings: AllSettings): Record<string, string> {
  const parsers = allSettings();
  return Object.fromEntries(
    shownSettings(settings)
      .filter(({ name }) => !parsers.get(name)?.isOfOneProcess)
      .map(({ name, value, isSet }) => [name, value ?? (isSet ? 'set' : 'not set')]),
  );
}

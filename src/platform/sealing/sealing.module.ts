import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Leases } from '../database/leases.js';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { InstanceAudit } from '../instance-audit/instance-audit.service.js';
import { Settings } from '../settings/settings.js';
import { InstanceAuditModule } from '../instance-audit/instance-audit.module.js';
import { Keyring } from './keyring.js';
import { loadKeyring } from './load-keyring.js';
import { MasterKey } from './master-key.entity.js';
import { RowKeyRotation } from './row-key-rotation.js';
import { UnreadableRows } from './unreadable-rows.js';
import { MigrationsModule } from '../database/migrations.module.js';
import { Sealing_Initial1767200000000 } from './initial.migration.js';

@Module({
  imports: [
    InstanceAuditModule,
    TypeOrmModule.forFeature([MasterKey]),
    MigrationsModule.forFeature([Sealing_Initial1767200000000]),
  ],
  providers: [
    {
      provide: Keyring,
      inject: [Settings, DataSource, UnitOfWork, Leases, InstanceAudit],
      useFactory: loadKeyring,
    },
    UnreadableRows,
    RowKeyRotation,
  ],
  exports: [Keyring, UnreadableRows, RowKeyRotation],
})
export class SealingModule {}

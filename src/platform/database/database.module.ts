import { Global, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { DataSource } from 'typeorm';
import { Log } from '../logging/log.js';
import { Settings } from '../settings/settings.js';
import { connect, openUnitOfWork } from './connect.js';
import { dataSourceOptions } from './engines/engines.js';
import { Leases, Lease } from './leases.js';
import { Database_Initial1767000000000 } from './initial.migration.js';
import { MigrationsModule, schemaOf } from './migrations.module.js';
import { UnitOfWork } from './transactions/unit-of-work.js';
import { isUnavailable } from './errors/database-error.js';
import { FreePages } from './free-pages.js';
import { WriteAheadLog } from './sqlite/write-ahead-log.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings, ModulesContainer],
      useFactory: async (settings: Settings, modules: ModulesContainer) => ({
        ...(await dataSourceOptions(settings)),
        ...schemaOf(modules),
        toRetry: () => false, // an orchestrator restarts the service; an operator wants to see the error immediately
      }),
      dataSourceFactory: (options) => connect(options as DataSourceOptions),
    }),
    TypeOrmModule.forFeature([Lease]),
    MigrationsModule.forFeature([Database_Initial1767000000000]),
  ],
  providers: [
    { provide: UnitOfWork, inject: [DataSource, Log], useFactory: unitOfWork },
    {
      provide: Leases,
      inject: [DataSource, UnitOfWork],
      useFactory: (dataSource: DataSource, unitOfWork: UnitOfWork) => new Leases(dataSource, unitOfWork),
    },
    FreePages,
    WriteAheadLog,
  ],
  exports: [UnitOfWork, Leases, FreePages, WriteAheadLog],
})
export class DatabaseModule {}

async function unitOfWork(dataSource: DataSource, log: Log): Promise<UnitOfWork> {
  const opened = await openUnitOfWork(dataSource);
  opened.outage = log.outage(isUnavailable, {
    begins: 'The database is unavailable',
    ends: 'The database is available again',
  });
  return opened;
}

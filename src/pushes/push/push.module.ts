import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { FilesModule } from '../../files/files.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { Passphrases } from './passphrases.js';
import { PushEvents } from './push-events.js';
import { PushSeal } from './push-seal.js';
import { Push } from './push.entity.js';
import { PushRepository } from './push.repository.js';
import { PushesService } from './pushes.service.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { Pushes_HidesContents1796000000000 } from './hides-contents.migration.js';
import { Pushes_Initial1767500000000 } from './initial.migration.js';

/** What all use cases of pushes share. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Push]),
    MigrationsModule.forFeature([Pushes_Initial1767500000000, Pushes_HidesContents1796000000000]),
    EventEmitterModule.forRoot(),
    SealingModule,
    AuditModule,
    FilesModule,
  ],
  providers: [PushesService, PushRepository, PushSeal, Passphrases, PushEvents],
  exports: [PushesService, PushRepository, PushSeal, Passphrases, PushEvents],
})
export class PushModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { FilesModule } from '../files/files.module.js';
import { AccountRemovalService } from './account-removal.service.js';
import { ExpirySchedule } from './expiry.schedule.js';
import { ExpiryService } from './expiry.service.js';
import { KeyRotationService } from './key-rotation.service.js';
import { PassphraseAttempt } from './passphrase-attempt.entity.js';
import { PassphraseThrottle } from './passphrase-throttle.js';
import { PushEvents } from './push-events.js';
import { PushRules } from './push-rules.js';
import { PushSeal } from './push-seal.js';
import { PushStore } from './push.store.js';
import { Push } from './push.entity.js';
import { LONGEST_SILENCE } from './push-body.interceptor.js';
import { PushesController } from './pushes.controller.js';
import { PushesService } from './pushes.service.js';
import { RetrievalsService } from './retrievals.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Push, PassphraseAttempt]), AuditModule, FilesModule],
  controllers: [PushesController],
  providers: [
    PushesService,
    RetrievalsService,
    PushStore,
    PushSeal,
    PushRules,
    PushEvents,
    PassphraseThrottle,
    AccountRemovalService,
    ExpiryService,
    ExpirySchedule,
    KeyRotationService,
    { provide: LONGEST_SILENCE, useValue: 60_000 },
  ],
  exports: [
    PushesService,
    RetrievalsService,
    PushRules,
    AccountRemovalService,
    ExpiryService,
    KeyRotationService,
    LONGEST_SILENCE,
  ],
})
export class PushesModule {}

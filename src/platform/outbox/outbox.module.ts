import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MessageSeal } from './message-seal.js';
import { OutboxChannels, DeliveryRecorders } from './outbox-channels.js';
import { OutboxMessage } from './outbox-message.entity.js';
import { OutboxSchedule } from './outbox.schedule.js';
import { OutboxSender } from './outbox-sender.js';
import { OutboxService } from './outbox.service.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { SealingModule } from '../sealing/sealing.module.js';
import { MigrationsModule } from '../database/migrations.module.js';
import { Outbox_Initial1767400000000 } from './initial.migration.js';

@Module({
  imports: [
    SchedulingModule,
    SealingModule,
    TypeOrmModule.forFeature([OutboxMessage]),
    MigrationsModule.forFeature([Outbox_Initial1767400000000]),
  ],
  providers: [OutboxService, OutboxChannels, DeliveryRecorders, OutboxSender, OutboxSchedule, MessageSeal],
  exports: [OutboxService, OutboxChannels, OutboxSender],
})
export class OutboxModule {}

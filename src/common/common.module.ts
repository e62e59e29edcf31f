import { Global, Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Log } from './log.js';
import { ScheduledWork } from './scheduled-work.js';

@Global()
@Module({
  imports: [EventEmitterModule.forRoot()],
  providers: [Log, ScheduledWork],
  exports: [Log, ScheduledWork],
})
export class CommonModule {}

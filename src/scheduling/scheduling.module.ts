import { Global, Module } from '@nestjs/common';
import { ScheduledWork } from './scheduled-work.js';

@Global()
@Module({ providers: [ScheduledWork], exports: [ScheduledWork] })
export class SchedulingModule {}

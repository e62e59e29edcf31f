import { Module } from '@nestjs/common';
import { ScheduledWork } from './scheduled-work.js';

@Module({ providers: [ScheduledWork], exports: [ScheduledWork] })
export class SchedulingModule {}

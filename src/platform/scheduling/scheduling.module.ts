import { Module } from '@nestjs/common';
import { Jobs } from './jobs.js';
import { ScheduledWork } from './scheduled-work.js';

@Module({ providers: [Jobs, ScheduledWork], exports: [Jobs, ScheduledWork] })
export class SchedulingModule {}

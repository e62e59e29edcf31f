import { Module } from '@nestjs/common';
import { Jobs, ScheduledWork } from './jobs.js';

@Module({ providers: [Jobs, ScheduledWork], exports: [Jobs, ScheduledWork] })
export class SchedulingModule {}

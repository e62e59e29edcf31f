import { Module } from '@nestjs/common';
import { BodiesInProgress } from './bodies-in-progress.js';
import { BodyReader } from './body-reader.js';

/** Imported by modules with routes that accept a body. */
@Module({ providers: [BodiesInProgress, BodyReader], exports: [BodyReader, BodiesInProgress] })
export class BodyModule {}

import { Module } from '@nestjs/common';
import { TextsService } from './texts.service.js';

@Module({ providers: [TextsService], exports: [TextsService] })
export class TextsModule {}

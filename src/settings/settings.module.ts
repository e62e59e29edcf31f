import { Global, Module } from '@nestjs/common';
import { readSettings } from './read-settings.js';
import { Settings } from './settings.js';

@Global()
@Module({
  providers: [{ provide: Settings, useFactory: () => readSettings(process.env) }],
  exports: [Settings],
})
export class SettingsModule {}

import { Global, Module } from '@nestjs/common';
import { currentSettings } from './current-settings.js';
import { Settings } from './settings.js';

@Global()
@Module({
  providers: [{ provide: Settings, useFactory: currentSettings }],
  exports: [Settings],
})
export class SettingsModule {}

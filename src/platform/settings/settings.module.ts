import { Global, Module } from '@nestjs/common';
import { allCurrentSettings, provideSettings } from './current-settings.js';
import { MemoryBudget } from './memory-budget.js';
import { Proxies } from './proxies.js';
import { AllSettings } from './read-settings.js';
import { Settings } from './settings.js';

@Global()
@Module({
  providers: [
    { provide: AllSettings, useFactory: allCurrentSettings },
    provideSettings(Settings),
    {
      provide: MemoryBudget,
      useFactory: ({ WORKERS }: Settings) => new MemoryBudget(WORKERS),
      inject: [Settings],
    },
    Proxies,
  ],
  exports: [AllSettings, Settings, MemoryBudget, Proxies],
})
export class SettingsModule {}

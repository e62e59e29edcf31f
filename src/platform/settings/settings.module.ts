import { Global, Module } from '@nestjs/common';
import { currentSettings } from './current-settings.js';
import { MemoryBudget } from './memory-budget.js';
import { Proxies } from './proxies.js';
import { Settings } from './settings.js';

@Global()
@Module({
  providers: [
    { provide: Settings, useFactory: currentSettings },
    {
      provide: MemoryBudget,
      useFactory: ({ WORKERS }: Settings) => new MemoryBudget(WORKERS),
      inject: [Settings],
    },
    Proxies,
  ],
  exports: [Settings, MemoryBudget, Proxies],
})
export class SettingsModule {}

import type { MiddlewareConsumer, NestModule } from '@nestjs/common';
import { Module, RequestMethod } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { BodyModule } from '../http/body/body.module.js';
import { PushesModule } from '../pushes/pushes.module.js';
import { VersionModule } from '../version/version.module.js';
import { allowAnyOrigin } from './cors.js';
import { LegacyVersionController } from './legacy-version.controller.js';
import { LegacyController } from './legacy.controller.js';

@Module({
  imports: [PushesModule, FilesModule, VersionModule, BodyModule],
  controllers: [LegacyController, LegacyVersionController],
})
export class LegacyModule implements NestModule {
  /** Runs before the guards, so that pages can read error responses too. */
  configure(consumer: MiddlewareConsumer): void {
    const opened = [RequestMethod.POST, RequestMethod.OPTIONS].map((method) => ({ path: 'p.json', method }));
    consumer.apply(allowAnyOrigin).forRoutes(...opened);
  }
}

import type { NextFunction, Request, Response } from 'express';
import type { MiddlewareConsumer, NestModule } from '@nestjs/common';
import { Module, RequestMethod } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { BodyModule } from '../../platform/http/body/body.module.js';
import { Settings } from '../../platform/settings/settings.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { VersionModule } from '../../version/version.module.js';
import { LegacyVersionController, LegacyController } from './legacy.controller.js';

const HEADERS = ['Content-Type', 'Authorization', 'X-User-Email', 'X-User-Token'];

/**
 * Allows pages of any origin to send an API token and read the response. Browsers send no cookies: there is no
 * `Access-Control-Allow-Credentials`, and the API does not accept cookies anyway.
 */
function allowAnyOrigin(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': HEADERS.join(', '),
  });
  next();
}

@Module({
  imports: [PushesModule, FilesModule, VersionModule, BodyModule],
  controllers: [LegacyController, LegacyVersionController],
})
export class LegacyModule implements NestModule {
  constructor(private readonly settings: Settings) {}

  /** Runs before the guards, so that pages can read error responses too. */
  configure(consumer: MiddlewareConsumer): void {
    if (this.settings.isGateway) return;
    const opened = [RequestMethod.POST, RequestMethod.OPTIONS].map((method) => ({ path: 'p.json', method }));
    consumer.apply(allowAnyOrigin).forRoutes(...opened);
  }
}

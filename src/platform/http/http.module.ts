import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { Cookies } from './cookies.js';
import { GatewayGuard } from './gateway.guard.js';
import { PublicUrl } from './public-url.js';
import { UnusedMemory } from './unused-memory.js';
import { ValidatedParameters } from './validated-parameters.js';
import { VisitorPipe } from './visitor.js';

/**
 * Global, because every module with routes uses it, by `@CurrentVisitor()`. Imported before other modules with guards, so
 * that a route that is not served is not counted, and no token is looked up.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    PublicUrl,
    Cookies,
    UnusedMemory,
    ValidatedParameters,
    VisitorPipe,
    { provide: APP_GUARD, useClass: GatewayGuard },
  ],
  exports: [PublicUrl, Cookies, VisitorPipe],
})
export class HttpModule {}

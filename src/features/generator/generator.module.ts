import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { BodyModule } from '../../platform/http/body/body.module.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { GeneratorController } from './generator.controller.js';
import { GeneratorService } from './generator.service.js';
import { GeneratorSettings } from './generator.settings.js';

/** Random passwords, passphrases and PINs, which are stored nowhere: docs/api.md, Generate. */
@Module({
  imports: [AuthModule, BodyModule],
  controllers: [GeneratorController],
  providers: [provideSettings(GeneratorSettings), GeneratorService],
})
export class GeneratorModule {}

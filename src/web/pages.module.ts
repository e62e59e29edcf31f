import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { BodyModule } from '../platform/http/body/body.module.js';
import { TextsModule } from '../platform/i18n/texts.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { BrowserSessions } from './account/browser-sessions.js';
import { Brand } from './brand/brand.js';
import { LanguageResolver } from './language/language-resolver.js';
import { Assets, AssetsController } from './pages/assets.js';
import { MenusService } from './pages/menus.js';
import { PageRenderer } from './pages/page-renderer.js';

const EXPORTED = [AuthModule, BodyModule, DiscoveryModule, MailModule, TextsModule];

/** For the imports of a module with pages: what the decorators of controllers, parameters and forms inject. */
@Module({
  imports: EXPORTED,
  controllers: [AssetsController],
  providers: [LanguageResolver, Brand, Assets, MenusService, PageRenderer, BrowserSessions],
  exports: [...EXPORTED, LanguageResolver, PageRenderer, BrowserSessions],
})
export class PagesModule {}

import { Global, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ErrorPages } from '../http/error-pages.js';
import { FilesModule } from '../files/files.module.js';
import { BodyModule } from '../http/body/body.module.js';
import { PushesModule } from '../pushes/pushes.module.js';
import { VersionModule } from '../version/version.module.js';
import { AccountController } from './account.controller.js';
import { Assets } from './assets.js';
import { AssetsController } from './assets.controller.js';
import { Brand } from './brand/brand.js';
import { BrowserSessions } from './browser-sessions.js';
import { DashboardController } from './dashboard.controller.js';
import { DownloadLinksService } from './download-links.service.js';
import { DocsPage } from './docs/docs-page.js';
import { DocsPageController } from './docs/docs-page.controller.js';
import { HomeController } from './home.controller.js';
import { HomeForm } from './home-form.js';
import { HowItWorksController } from './how-it-works.controller.js';
import { LanguageController } from './language.controller.js';
import { OpenPushController } from './open-push.controller.js';
import { PageRenderer } from './page-renderer.js';
import { PreviewController } from './preview.controller.js';
import { RedirectsController } from './redirects.controller.js';
import { SessionController } from './session.controller.js';
import { SignInForFormController } from './sign-in-for-form.controller.js';
import { TermsReader } from './terms-reader.js';
import { TokensController } from './tokens.controller.js';
import { WebErrorPages } from './web-error-pages.js';

/** The HTML pages. Global only so that other modules can use its error pages. */
@Global()
@Module({
  imports: [AuthModule, PushesModule, FilesModule, BodyModule, VersionModule],
  controllers: [
    AssetsController,
    HomeController,
    OpenPushController,
    PreviewController,
    RedirectsController,
    SessionController,
    SignInForFormController,
    AccountController,
    TokensController,
    DashboardController,
    LanguageController,
    DocsPageController,
    HowItWorksController,
  ],
  providers: [
    Brand,
    Assets,
    PageRenderer,
    DocsPage,
    HomeForm,
    TermsReader,
    DownloadLinksService,
    BrowserSessions,
    { provide: ErrorPages, useClass: WebErrorPages },
  ],
  exports: [ErrorPages],
})
export class WebModule {}

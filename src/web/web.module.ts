import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ErrorPages } from '../http/errors/error-pages.js';
import { FilesModule } from '../files/files.module.js';
import { VisitorPipe } from '../http/visitor.js';
import { BodyModule } from '../http/body/body.module.js';
import { AccountRemovalModule } from '../account-removal/account-removal.module.js';
import { PushesModule } from '../pushes/pushes.module.js';
import { VersionModule } from '../version/version.module.js';
import { AccountController } from './account/account.controller.js';
import { Assets } from './pages/assets.js';
import { AssetsController } from './pages/assets.controller.js';
import { Brand } from './brand/brand.js';
import { BrowserSessions } from './account/browser-sessions.js';
import { DashboardController } from './owner/dashboard.controller.js';
import { LinkedFilesService } from './open/linked-files.service.js';
import { DocsPage } from './docs/docs-page.js';
import { DocsPageController } from './docs/docs-page.controller.js';
import { HomeController } from './home/home.controller.js';
import { HomeForm } from './home/home-form.js';
import { HowItWorksController } from './how-it-works.controller.js';
import { LanguageController } from './language.controller.js';
import { OpenPushController } from './open/open-push.controller.js';
import { PageRenderer } from './pages/page-renderer.js';
import { PreviewController } from './open/preview.controller.js';
import { RedirectsController } from './redirects.controller.js';
import { SessionController } from './account/session.controller.js';
import { AccountActionsController } from './admin/account-actions.controller.js';
import { AccountActions } from './admin/account-actions.js';
import { AccountsController } from './admin/accounts.controller.js';
import { PasswordLinkController } from './account/password-link.controller.js';
import { EmailLinkController } from './account/email-link.controller.js';
import { ForgottenPasswordController } from './account/forgotten-password.controller.js';
import { SignUpLinkController } from './account/sign-up-link.controller.js';
import { SetupController } from './admin/setup.controller.js';
import { SignInForFormController } from './home/sign-in-for-form.controller.js';
import { OverviewController } from './admin/overview.controller.js';
import { OverviewModule } from '../overview/overview.module.js';
import { OptionsReader } from './home/options-reader.js';
import { InstanceAuditController } from './admin/instance-audit.controller.js';
import { InstanceWebhooksController } from './admin/instance-webhooks.controller.js';
import { WebhookPages } from './account/webhook-pages.js';
import { WebhooksController } from './account/webhooks.controller.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { InstanceAuditModule } from '../instance-audit/instance-audit.module.js';
import { MailModule } from '../mail/mail.module.js';
import { MailLinkController } from './owner/mail-link.controller.js';
import { NoticesController } from './account/notices.controller.js';
import { TokensController } from './account/tokens.controller.js';
import { WebErrorPages } from './web-error-pages.js';

/** The HTML pages. It exports those of errors to the filter of the app. */
@Module({
  imports: [
    InstanceAuditModule,
    MailModule,
    AuthModule,
    AccountRemovalModule,
    PushesModule,
    FilesModule,
    BodyModule,
    VersionModule,
    OverviewModule,
    WebhooksModule,
  ],
  controllers: [
    AssetsController,
    HomeController,
    OpenPushController,
    PreviewController,
    RedirectsController,
    SessionController,
    SetupController,
    PasswordLinkController,
    SignUpLinkController,
    ForgottenPasswordController,
    EmailLinkController,
    AccountsController,
    AccountActionsController,
    SignInForFormController,
    AccountController,
    NoticesController,
    TokensController,
    WebhooksController,
    InstanceAuditController,
    InstanceWebhooksController,
    DashboardController,
    MailLinkController,
    OverviewController,
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
    OptionsReader,
    LinkedFilesService,
    BrowserSessions,
    VisitorPipe,
    AccountActions,
    WebhookPages,
    { provide: ErrorPages, useClass: WebErrorPages },
  ],
  exports: [ErrorPages],
})
export class WebModule {}

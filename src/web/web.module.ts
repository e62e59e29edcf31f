import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { ErrorPages } from '../platform/http/errors/error-pages.js';
import { FilesModule } from '../files/files.module.js';
import { VisitorPipe } from '../platform/http/visitor.js';
import { BodyModule } from '../platform/http/body/body.module.js';
import { AccountRemovalModule } from '../features/account-removal/account-removal.module.js';
import { PushesModule } from '../pushes/pushes.module.js';
import { VersionModule } from '../version/version.module.js';
import { AccountController } from './account/account.page.js';
import { Assets, AssetsController } from './pages/assets.js';
import { Brand } from './brand/brand.js';
import { BrowserSessions } from './account/browser-sessions.js';
import { DashboardController } from './owner/dashboard.page.js';
import { DocsPage, DocsPageController } from './docs/docs-page.js';
import { HomeController, HomeForm } from './sender/home.page.js';
import { HowItWorksController } from './how-it-works.page.js';
import { LanguageController } from './language.controller.js';
import { LanguageResolver } from './language/language-resolver.js';
import { AskedCodes } from './recipient/asked-codes.js';
import { AskForCodeController } from './recipient/code.page.js';
import { OpenPushController } from './recipient/open.page.js';
import { PageRenderer } from './pages/page-renderer.js';
import { PreviewController } from './sender/created.page.js';
import { NewRequestController } from './requests/new-request.page.js';
import { RequestController } from './requests/request.page.js';
import { RequestsPageController } from './requests/requests.page.js';
import { RequestsModule } from '../features/requests/requests.module.js';
import { RedirectsController } from './redirects.controller.js';
import { SecondFactorController } from './account/second-factor.page.js';
import { SecondFactorStepController } from './account/second-factor-step.page.js';
import { SessionsController } from './account/sessions.page.js';
import { JoinController } from './account/join.page.js';
import { ProviderLogoutController, ProviderSignInController } from './account/provider-sign-in.page.js';
import { SignInController } from './account/sign-in.page.js';
import { AccountActionsController } from './admin/managed-account.page.js';
import { GroupsController } from './admin/groups.page.js';
import { AccountsController } from './admin/accounts.page.js';
import { PasswordLinkController, ForgottenPasswordController } from './account/password.page.js';
import { EmailLinkController } from './account/email-link.page.js';
import { SignUpController, SignUpLinkController } from './account/sign-up.page.js';
import { SetupController } from './admin/setup.page.js';
import { SignInForFormController, OptionsReader } from './sender/sign-in-first.page.js';
import { OverviewController } from './admin/overview.page.js';
import { OverviewModule } from '../features/overview/overview.module.js';
import { AccountLogController } from './account/account-log.controller.js';
import { MailSentController } from './account/link-views.js';
import { InstanceAuditController, InstanceAuditDownloadController } from './admin/instance-audit.page.js';
import { InstanceWebhooksController, WebhookPages, WebhooksController } from './account/webhooks.page.js';
import { WebhooksModule } from '../features/webhooks/webhooks.module.js';
import { InstanceAuditModule } from '../platform/instance-audit/instance-audit.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { TextsModule } from '../platform/i18n/texts.module.js';
import { DeleteSeveralController } from './owner/delete-several.page.js';
import { ActivityController } from './owner/activity.page.js';
import { NoticesController } from './account/notices.page.js';
import { TokensController } from './account/tokens.page.js';
import { WebErrorPages } from './web-error-pages.js';

/** The HTML pages. It exports those of errors to the filter of the app. */
@Module({
  imports: [
    DiscoveryModule,
    InstanceAuditModule,
    MailModule,
    TextsModule,
    AuthModule,
    AccountRemovalModule,
    PushesModule,
    FilesModule,
    BodyModule,
    VersionModule,
    OverviewModule,
    WebhooksModule,
    RequestsModule,
  ],
  controllers: [
    AssetsController,
    HomeController,
    NewRequestController,
    RequestsPageController,
    RequestController,
    OpenPushController,
    AskForCodeController,
    PreviewController,
    RedirectsController,
    SignInController,
    ProviderSignInController,
    ProviderLogoutController,
    AccountLogController,
    MailSentController,
    JoinController,
    SecondFactorStepController,
    SecondFactorController,
    SessionsController,
    SignUpController,
    SetupController,
    PasswordLinkController,
    SignUpLinkController,
    ForgottenPasswordController,
    EmailLinkController,
    AccountsController,
    AccountActionsController,
    GroupsController,
    SignInForFormController,
    AccountController,
    NoticesController,
    TokensController,
    WebhooksController,
    InstanceAuditController,
    InstanceAuditDownloadController,
    InstanceWebhooksController,
    DashboardController,
    ActivityController,
    DeleteSeveralController,
    OverviewController,
    LanguageController,
    DocsPageController,
    HowItWorksController,
  ],
  providers: [
    LanguageResolver,
    Brand,
    Assets,
    PageRenderer,
    DocsPage,
    HomeForm,
    AskedCodes,
    OptionsReader,
    BrowserSessions,
    VisitorPipe,
    WebhookPages,
    { provide: ErrorPages, useClass: WebErrorPages },
  ],
  exports: [ErrorPages],
})
export class WebModule {}

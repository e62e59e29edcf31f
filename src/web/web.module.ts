import { Module } from '@nestjs/common';
import { ErrorPages } from '../platform/http/errors/error-pages.js';
import { FilesModule } from '../files/files.module.js';
import { PushesModule } from '../pushes/pushes.module.js';
import { VersionModule } from '../version/version.module.js';
import { AccountOverview } from './account/account-overview.js';
import { AccountController } from './account/account.page.js';
import { DashboardController } from './owner/dashboard.page.js';
import { DocsPage, DocsPageController } from './docs/docs-page.js';
import { HomeController, HomeForm } from './sender/home.page.js';
import { HowItWorksController } from './how-it-works.page.js';
import { LanguageController } from './language.controller.js';
import { AskedCodes } from './recipient/asked-codes.js';
import { AskForCodeController } from './recipient/code.page.js';
import { OpenPushController } from './recipient/open.page.js';
import { PreviewController } from './sender/created.page.js';
import { RedirectsController } from './redirects.controller.js';
import { SecondFactorController } from './account/second-factor.page.js';
import { SecondFactorStepController } from './account/second-factor-step.page.js';
import { SessionsController } from './account/sessions.page.js';
import { SignInController } from './account/sign-in.page.js';
import { PasswordLinkController, ForgottenPasswordController } from './account/password.page.js';
import { EmailLinkController } from './account/email-link.page.js';
import { SignUpController, SignUpLinkController } from './account/sign-up.page.js';
import { SignInForFormController, OptionsReader } from './sender/sign-in-first.page.js';
import { AccountLogController } from './account/account-log.controller.js';
import { MailSentController } from './account/link-views.js';
import { InstanceAuditModule } from '../platform/instance-audit/instance-audit.module.js';
import { DeleteSeveralController } from './owner/delete-several.page.js';
import { ActivityController } from './owner/activity.page.js';
import { ActivityLogController } from './owner/activity-log.controller.js';
import { NoticesController } from './account/notices.page.js';
import { TokensController } from './account/tokens.page.js';
import { AccountRemovalModule } from '../pushes/account-removal/account-removal.module.js';
import { PagesModule } from './pages.module.js';
import { WebErrorPages } from './web-error-pages.js';

/** The HTML pages. It exports those of errors to the filter of the app. */
@Module({
  imports: [AccountRemovalModule, PagesModule, InstanceAuditModule, PushesModule, FilesModule, VersionModule],
  controllers: [
    HomeController,
    OpenPushController,
    AskForCodeController,
    PreviewController,
    RedirectsController,
    SignInController,
    AccountLogController,
    MailSentController,
    SecondFactorStepController,
    SecondFactorController,
    SessionsController,
    SignUpController,
    PasswordLinkController,
    SignUpLinkController,
    ForgottenPasswordController,
    EmailLinkController,
    SignInForFormController,
    AccountController,
    NoticesController,
    TokensController,
    DashboardController,
    ActivityController,
    ActivityLogController,
    DeleteSeveralController,
    LanguageController,
    DocsPageController,
    HowItWorksController,
  ],
  providers: [
    AccountOverview,
    DocsPage,
    HomeForm,
    AskedCodes,
    OptionsReader,
    { provide: ErrorPages, useClass: WebErrorPages },
  ],
  exports: [ErrorPages],
})
export class WebModule {}

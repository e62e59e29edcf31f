/** What modules may use, as the package `sealpush`. docs/extending.md explains how to write one. */

// Without an import of a module

export { Log } from './platform/logging/log.js';
export { Settings } from './platform/settings/settings.js';
export { ofOneProcess, Setting, shown } from './platform/settings/setting.js';
export type { Parser } from './platform/settings/setting.js';
export { provideSettings } from './platform/settings/current-settings.js';
export {
  declareCrossChecks,
  hasNoEffectWithout,
  liesBetween,
  setTogether,
} from './platform/settings/cross-checks.js';
export * from './platform/settings/parsers.js';
export { UnitOfWork } from './platform/database/transactions/unit-of-work.js';
export type { Transaction } from './platform/database/transactions/unit-of-work.js';
export { writeWithin } from './platform/database/statements/statements.js';
export { afterCommit } from './platform/database/transactions/unit-of-work.js';
export { Leases } from './platform/database/leases.js';
export * from './platform/database/columns.js';
export { AdditiveMigration, needs, removedWith } from './platform/database/additive-migration.js';
export { NotExported } from './platform/database/tables.js';
export { Job } from './platform/scheduling/jobs.js';
export { PublicUrl } from './platform/http/public-url.js';
export { newId } from './platform/random/random.js';
export { declareTexts } from './platform/i18n/declare-texts.js';
export type { Language } from './texts/languages.js';
export type { TextKey } from './texts/text-parameters.js';
export type { Translator } from './texts/translator.js';
export { declareProblems } from './platform/errors/problem.js';
export type { Problem } from './platform/errors/problem.js';
export { declareAuditKinds } from './platform/instance-audit/instance-audit-kinds.js';

// Routes

export { Anonymous, EnabledBy, ForTokens, Public } from './auth/access.decorators.js';
export { OnGateway } from './platform/http/gateway.guard.js';
export { CurrentVisitor } from './platform/http/visitor.js';
export type { Visitor } from './platform/http/visitor.js';
export { validationPipe } from './platform/http/validation/validation.pipe.js';

// Pages

export { AdministratorPage, AnonymousPage, PublicPage, SignedInPage } from './auth/access.decorators.js';
export { PageController, PageResponse, ReturnAfterSignIn, SeeOther } from './web/pages/page-controller.js';
export { CurrentUser, Flash } from './web/pages/parameters.js';
export { InMenu } from './web/pages/menus.js';
export { HowItWorksSection } from './web/how-it-works.page.js';
export { PostConfirmedForm, PostForm, PostReauthenticatedForm } from './web/forms/form.js';
export type { FormFields } from './web/components/filled-form.js';
export type { OwnRejectedForm, RejectedForm, ShownAgain } from './web/forms/form.js';
export { Banner } from './web/components/banner.js';
export { Button, Buttons, IconButton, LinkButton } from './web/components/button.js';
export { Card, Section, SectionRow, SectionRows } from './web/components/card.js';
export { Empty } from './web/components/empty.js';
export { Fact, Facts } from './web/components/letter.js';
export { BackLink, Heading } from './web/components/heading.js';
export { Icon } from './web/components/icon.js';
export type { IconName } from './web/components/icon.js';
export { Layout } from './web/components/layout.js';
export { AdministrationHeading, ProgramsHeading } from './web/components/navigation.js';
export { Data, FlashMessage, Form, Link, Sentence, useTexts } from './web/components/site.js';
export { Checkbox, Field, FormErrors, Input, Select, TextArea } from './web/components/fields.js';
export { ReauthenticationFields } from './web/components/fields.js';
export type { FieldErrors } from './web/components/filled-form.js';
export { useForm } from './web/components/filled-form.js';
export { FoldedForm } from './web/components/folded-form.js';
export { Cell, Row, RowTitle, Status, Table, Tag } from './web/components/table.js';

// Modules to import, each followed by what it exports

export { PagesModule } from './web/pages.module.js';

export { TextsModule } from './platform/i18n/texts.module.js';
export { TextsService } from './platform/i18n/texts.service.js';

export { InstanceAuditModule } from './platform/instance-audit/instance-audit.module.js';
export { InstanceAudit } from './platform/instance-audit/instance-audit.service.js';

export { MigrationsModule } from './platform/database/migrations.module.js';

export { BodyModule } from './platform/http/body/body.module.js';
export { BodyReader } from './platform/http/body/body-reader.js';

export { OutboxModule } from './platform/outbox/outbox.module.js';
export { DeliveryRecorder } from './platform/outbox/outbox-channels.js';
export { DeliveryError, OutboxChannel } from './platform/outbox/outbox-channels.js';
export type { Delivery } from './platform/outbox/outbox-channels.js';
export { OutboxService } from './platform/outbox/outbox.service.js';
export type { NewMessage } from './platform/outbox/outbox.service.js';

export { MailModule } from './platform/mail/mail.module.js';
export { MailComposer, MailsService } from './platform/mail/mails.service.js';
export type { NewMail } from './platform/mail/mails.service.js';
export type { Mail } from './platform/mail/mail.js';

export { SealingModule } from './platform/sealing/sealing.module.js';
export { Keyring } from './platform/sealing/keyring.js';
export { SealsRows } from './platform/sealing/row-key-rotation.js';
export { RowSeal } from './platform/sealing/row-seal.js';

export { PushesModule } from './pushes/pushes.module.js';
export { PushesService } from './pushes/push/pushes.service.js';
export { CreationsService } from './pushes/create/creations.service.js';
export { CreatePushDto } from './pushes/create/create-push.dto.js';
export { PushRules } from './pushes/create/push-rules.js';
export type { NewPush } from './pushes/create/create-push.dto.js';
export type { OpeningCredentials } from './pushes/retrieve/retrieval.js';
export { RetrievalsService } from './pushes/retrieve/retrievals.service.js';
export { VisitsService } from './pushes/retrieve/visits.service.js';
export { OwnPushDto, PushDto, RetrievedPushDto } from './pushes/push/push.dto.js';
export { PassphraseFailed, PushCreated, PushExpired, PushRetrieved } from './pushes/push/push-events.js';
export { PushNotifier } from './pushes/push/push-events.js';
export type { PushEvent } from './pushes/push/push-events.js';
export type { Push } from './pushes/push/push.entity.js';
export { AuditLogService } from './pushes/audit-log/audit-log.service.js';

export { AuthModule } from './auth/auth.module.js';
export { User } from './auth/entities/user.entity.js';
export { canBeMailed } from './auth/entities/emails.js';
export { OnSignIn } from './auth/sign-in/sign-ins.service.js';
export { UsersService } from './auth/users/users.service.js';
export { AccountAdministration } from './auth/users/account-administration.js';
export { TokensService } from './auth/tokens/tokens.service.js';

export { AccountRemovalModule } from './pushes/account-removal/account-removal.module.js';
export { AccountRemovalService } from './pushes/account-removal/account-removal.service.js';
export { AccountDeleted, OnAccountRemoval } from './pushes/account-removal/account-removal.service.js';

export { RequestAnswered } from './features/requests/request-answered.event.js';

export { VersionModule } from './version/version.module.js';
export { VersionService } from './version/version.service.js';

/** What modules may use, as the package `sealpush`. docs/extending.md explains how to write one. */

// Without an import of a module

export { Log } from './logging/log.js';
export { Settings } from './settings/settings.js';
export { Setting, shown } from './settings/setting.js';
export type { Parser } from './settings/setting.js';
export { provideSettings } from './settings/current-settings.js';
export * from './settings/parsers.js';
export { UnitOfWork } from './database/transactions/unit-of-work.js';
export type { NewRow, Write } from './database/transactions/write.js';
export { afterCommit } from './database/transactions/after-commit.js';
export { Leases } from './database/leases.js';
export * from './database/columns.js';
export { PublicUrl } from './http/public-url.js';
export { newId } from './random/ids.js';

// Routes

export { Anonymous, Public } from './auth/access.decorators.js';
export { CurrentVisitor } from './http/visitor.js';
export type { Visitor } from './http/visitor.js';
export { validationPipe } from './http/validation/validation.pipe.js';

// Modules to import, each followed by what it exports

export { MigrationsModule } from './database/migrations.module.js';

export { BodyModule } from './http/body/body.module.js';
export { BodyReader } from './http/body/body-reader.js';

export { OutboxModule } from './outbox/outbox.module.js';
export { DeliveryRecorders } from './outbox/delivery-recorders.js';
export type { DeliveryRecorder } from './outbox/delivery-recorders.js';
export { DeliveryError, OutboxChannels } from './outbox/outbox-channels.js';
export type { Delivery, OutboxChannel } from './outbox/outbox-channels.js';
export { OutboxService } from './outbox/outbox.service.js';
export type { NewMessage } from './outbox/outbox.service.js';

export { MailModule } from './mail/mail.module.js';
export { MailsService } from './mail/mails.service.js';
export type { MailComposer, NewMail } from './mail/mails.service.js';
export type { Mail } from './mail/mail.js';

export { SealingModule } from './sealing/sealing.module.js';
export { Keyring } from './sealing/keyring.js';

export { PushesModule } from './pushes/pushes.module.js';
export { PushesService } from './pushes/push/pushes.service.js';
export { CreationsService } from './pushes/create/creations.service.js';
export { CreatePushDto } from './pushes/create/create-push.dto.js';
export { PushRules } from './pushes/create/push-rules.js';
export type { NewPush } from './pushes/create/new-push.js';
export { RetrievalsService } from './pushes/retrieve/retrievals.service.js';
export { OwnPushDto, PushDto, RetrievedPushDto } from './pushes/push/push.dto.js';
export { PassphraseFailed, PushCreated, PushExpired, PushRetrieved } from './pushes/push/push-events.js';
export type { PushEvent } from './pushes/push/push-events.js';
export { PushNotifiers } from './pushes/push/push-notifiers.js';
export type { PushNotifier } from './pushes/push/push-notifiers.js';
export type { Push } from './pushes/push/push.entity.js';
export { AuditLogService } from './pushes/audit-log/audit-log.service.js';

export { AuthModule } from './auth/auth.module.js';
export { User } from './auth/entities/user.entity.js';
export { UsersService } from './auth/users/users.service.js';
export { AccountAdministration } from './auth/users/account-administration.js';
export { TokensService } from './auth/tokens/tokens.service.js';

export { AccountRemovalModule } from './account-removal/account-removal.module.js';
export { AccountRemovalService } from './account-removal/account-removal.service.js';
export { AccountDeleted, AccountRemovers } from './account-removal/account-removers.js';
export type { AccountRemover } from './account-removal/account-removers.js';

export { VersionModule } from './version/version.module.js';
export { VersionService } from './version/version.service.js';

import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditChainHead } from '../../audit/audit-chain-head.entity.js';
import { AuditSequence } from '../../audit/audit-sequence.entity.js';
import { AccountGroup } from '../../auth/entities/account-group.entity.js';
import { AdministratorsState } from '../../auth/entities/administrators-state.entity.js';
import { ApiToken } from '../../auth/entities/api-token.entity.js';
import { Authenticator } from '../../auth/entities/authenticator.entity.js';
import { Passkey } from '../../auth/entities/passkey.entity.js';
import { RecoveryCode } from '../../auth/entities/recovery-code.entity.js';
import { EmailLink } from '../../auth/entities/email-link.entity.js';
import { Identity } from '../../auth/entities/identity.entity.js';
import { KnownBrowser } from '../../auth/entities/known-browser.entity.js';
import { KnownNetwork } from '../../auth/entities/known-network.entity.js';
import { MailCount } from '../../auth/entities/mail-count.entity.js';
import { PasswordLink } from '../../auth/entities/password-link.entity.js';
import { ImportedAccount } from '../../auth/entities/imported-account.entity.js';
import { RecoveryKey } from '../../auth/entities/recovery-key.entity.js';
import { ImportedPush } from '../../pushes/import/imported-push.entity.js';
import { Session } from '../../auth/entities/session.entity.js';
import { SignInMark } from '../../auth/entities/sign-in-mark.entity.js';
import { SignInAttempt } from '../../auth/entities/sign-in-attempt.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { Lease } from '../../platform/database/lease.entity.js';
import { StoredFile } from '../../files/file.entity.js';
import { Installation } from '../../files/installation.entity.js';
import { UnknownFile } from '../../files/unknown-file.entity.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { SettingsInForce } from '../../platform/instance-audit/settings-in-force.entity.js';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { IdempotencyKey } from '../../pushes/create/idempotency-key.entity.js';
import { LinkMail } from '../../pushes/link-mails/link-mail.entity.js';
import { PassphraseAttempt } from '../../pushes/passphrase/passphrase-attempt.entity.js';
import { OpenCode } from '../../pushes/recipients/open-code.entity.js';
import { EnteredAddress } from '../../pushes/recipients/entered-address.entity.js';
import { Opening } from '../../pushes/recipients/opening.entity.js';
import { Push } from '../../pushes/push/push.entity.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import { DailyUsage } from '../../auth/quotas/daily-usage.entity.js';
import { RequestAnswer } from '../requests/request-answer.entity.js';
import { RequestAuditEntry } from '../requests/request-audit-entry.entity.js';
import { RequestPassphraseAttempt } from '../requests/request-passphrase-throttle.js';
import { SecretRequest } from '../requests/secret-request.entity.js';
import { WebhookChanges } from '../webhooks/webhook-changes.entity.js';
import { Webhook } from '../webhooks/webhook.entity.js';

type Entity = EntityTarget<ObjectLiteral> & (new () => ObjectLiteral);

/** The tables that are moved, each after those that its rows refer to. */
export const MOVED_ENTITIES: Entity[] = [
  MasterKey,
  AdministratorsState,
  AccountGroup,
  User,
  Authenticator,
  RecoveryCode,
  RecoveryKey,
  ImportedAccount,
  Identity,
  Passkey,
  PasswordLink,
  EmailLink,
  MailCount,
  ApiToken,
  Session,
  SignInAttempt,
  SignInMark,
  KnownNetwork,
  KnownBrowser,
  DailyUsage,
  Push,
  ImportedPush,
  PassphraseAttempt,
  OpenCode,
  Opening,
  IdempotencyKey,
  SecretRequest,
  RequestAnswer,
  RequestAuditEntry,
  RequestPassphraseAttempt,
  Installation, // then the files that it has stored still belong to it
  StoredFile,
  AuditChainHead,
  AuditSequence,
  AuditEntry,
  EnteredAddress,
  LinkMail,
  OutboxMessage,
  Webhook,
  InstanceAuditEntry,
  SettingsInForce,
];

/**
 * Tables that are not: leases and changes of webhooks are for the processes that use the old database, and which stored
 * files are unknown is found out again.
 */
export const UNMOVED_ENTITIES: Entity[] = [Lease, WebhookChanges, UnknownFile];

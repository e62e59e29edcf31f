import { Initial1763600000000 } from './1763600000000-initial.js';
import { PushVersion1763800000000 } from './1763800000000-push-version.js';
import { IdempotencyKeys1763900000000 } from './1763900000000-idempotency-keys.js';
import { UploadDays1763900000001 } from './1763900000001-upload-days.js';
import { AttemptOutcomes1764000000000 } from './1764000000000-attempt-outcomes.js';
import { SignInNetworks1764000100000 } from './1764000100000-sign-in-networks.js';
import { AccountState1764000200000 } from './1764000200000-account-state.js';
import { AuditLinkIndex1764000300000 } from './1764000300000-audit-link-index.js';
import { LastViews1764100000000 } from './1764100000000-last-views.js';
import { TokenPrefixes1764200000000 } from './1764200000000-token-prefixes.js';
import { OwnersInAudit1764200100000 } from './1764200100000-owners-in-audit.js';
import { ClientEncryption1764300000000 } from './1764300000000-client-encryption.js';
import { Administrators1764400000000 } from './1764400000000-administrators.js';
import { PasswordLinks1764400000001 } from './1764400000001-password-links.js';
import { AuditChains1764500000000 } from './1764500000000-audit-chains.js';
import { Outbox1764500000010 } from './1764500000010-outbox.js';
import { DailyUsage1764500000020 } from './1764500000020-daily-usage.js';
import { Notices1764500000021 } from './1764500000021-notices.js';
import { EmailLinks1764500000030 } from './1764500000030-email-links.js';
import { MailCounts1764500000031 } from './1764500000031-mail-counts.js';
import { Webhooks1764500000040 } from './1764500000040-webhooks.js';
import { KnownNetworks1764500000054 } from './1764500000054-known-networks.js';
import { InstanceAudit1764500000060 } from './1764500000060-instance-audit.js';
import { LinkMails1764500000065 } from './1764500000065-link-mails.js';
import { OutboxChannels1764500000070 } from './1764500000070-outbox-channels.js';
import { EndedPushes1764600000000 } from './1764600000000-ended-pushes.js';

/** All migrations, in the order in which they run. */
export const migrations = [
  Initial1763600000000,
  PushVersion1763800000000,
  IdempotencyKeys1763900000000,
  UploadDays1763900000001,
  AttemptOutcomes1764000000000,
  SignInNetworks1764000100000,
  AccountState1764000200000,
  AuditLinkIndex1764000300000,
  LastViews1764100000000,
  TokenPrefixes1764200000000,
  OwnersInAudit1764200100000,
  ClientEncryption1764300000000,
  Administrators1764400000000,
  PasswordLinks1764400000001,
  AuditChains1764500000000,
  Outbox1764500000010,
  DailyUsage1764500000020,
  Notices1764500000021,
  EmailLinks1764500000030,
  MailCounts1764500000031,
  Webhooks1764500000040,
  KnownNetworks1764500000054,
  InstanceAudit1764500000060,
  LinkMails1764500000065,
  OutboxChannels1764500000070,
  EndedPushes1764600000000,
];

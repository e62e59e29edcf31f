import { randomBytes, randomUUID } from 'node:crypto';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { AuditChainHead, AuditSequence } from '../../src/audit/audit-chain-heads.service.js';
import { AccountGroup } from '../../src/auth/entities/account-group.entity.js';
import { ApiToken } from '../../src/auth/entities/api-token.entity.js';
import { EmailLink } from '../../src/auth/entities/email-link.entity.js';
import { KnownBrowser } from '../../src/auth/entities/known-browser.entity.js';
import { KnownNetwork } from '../../src/auth/entities/known-network.entity.js';
import { MailCount } from '../../src/auth/entities/mail-count.entity.js';
import { PasswordLink } from '../../src/auth/entities/password-link.entity.js';
import { Session } from '../../src/auth/entities/session.entity.js';
import { SignInMark } from '../../src/auth/entities/sign-in-mark.entity.js';
import { SignInAttempt } from '../../src/auth/entities/sign-in-attempt.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { InstanceAuditEntry } from '../../src/platform/instance-audit/instance-audit-entry.entity.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { Authenticator } from '../../src/auth/entities/authenticator.entity.js';
import { Passkey } from '../../src/auth/entities/passkey.entity.js';
import { ImportedAccount } from '../../src/auth/entities/imported-account.entity.js';
import { RecoveryCode } from '../../src/auth/entities/recovery-code.entity.js';
import { RecoveryKey } from '../../src/auth/entities/recovery-key.entity.js';
import { ImportedPush } from '../../src/pushes/import/imported-push.entity.js';
import { RequestAnswer } from '../../src/features/requests/request-answer.entity.js';
import { SecretRequestAuditEntry } from '../../src/features/requests/secret-request-audit-entry.entity.js';
import { SecretRequestPassphraseAttempt } from '../../src/features/requests/secret-request-passphrase-throttle.js';
import { SecretRequest } from '../../src/features/requests/secret-request.entity.js';
import { PartialUpload } from '../../src/features/uploads/upload.entity.js';
import { Keyring } from '../../src/platform/sealing/keyring.js';
import { Identity } from '../../src/auth/entities/identity.entity.js';
import { IdempotencyKey } from '../../src/pushes/create/idempotent-creations.service.js';
import { LinkMail } from '../../src/pushes/link-mails/link-mail.entity.js';
import { PassphraseAttempt } from '../../src/pushes/passphrase/passphrase-throttle.js';
import { EnteredAddress } from '../../src/pushes/recipients/recipients.service.js';
import { OpenCode } from '../../src/pushes/recipients/open-code.entity.js';
import { Opening } from '../../src/pushes/recipients/open-codes.service.js';
import { PushSeal } from '../../src/pushes/push/push-seal.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { newKey } from '../../src/platform/sealing/secretbox.js';
import { DailyUsage } from '../../src/auth/quotas/daily-quota.js';
import { AS_SETTINGS } from './account-groups.js';
import { engine } from './engine.js';
import type { RunningApp } from './start-app.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/settings/units.js';
import { after, someNewPush } from './new-pushes.js';

const ROWS_AT_ONCE = 500;

/** How many rows of each kind to insert, and a user and a push that are to own some of them. */
export interface FillOptions {
  count: number;
  userId: string;
  pushId: string;
}

/**
 * Fills every table that grows, so that the optimizer relies on its statistics: active, overdue and ended pushes, a
 * third of them owned by one user, and a long audit log.
 */
export async function fillDatabase(
  { app, dataSource }: RunningApp,
  { count, userId, pushId }: FillOptions,
): Promise<void> {
  const now = new Date();
  const insert = async (entity: EntityTarget<ObjectLiteral>, rows: object[]) => {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await dataSource.manager.insert(entity, rows.slice(from, from + ROWS_AT_ONCE));
    }
  };
  const masterKeyId = app.get(Keyring).current;
  const group = {
    ...row(now),
    ...AS_SETTINGS,
    name: randomUUID(),
  };
  const users = times(count, (i) => ({
    ...row(now),
    email: `${randomUUID()}@example.org`,
    passwordHash: null,
    groupId: i % 3 === 0 ? group.id : null,
  }));
  const owners = [userId, null, users[0]?.id ?? null];
  const pushes = await Promise.all(
    times(count, (i) => {
      const owner = owners[i % owners.length] ?? null;
      return somePush(app.get(PushSeal), owner, after(now, (i - count) * HOUR_MS), now, i % 4);
    }),
  );

  const token = (ownerId: string, name: string) => ({
    ...row(now),
    userId: ownerId,
    name,
    digest: digest(),
    prefix: 'script',
  });
  await insert(AccountGroup, [group]);
  await insert(User, users);
  await insert(Push, pushes);
  await insert(ApiToken, [
    ...times(count, () => token(userId, 'one of many')),
    ...users.map(({ id }) => token(id, 'first')),
  ]);
  await insert(
    Session,
    users.map(({ id }, i) => {
      const lastSeenAt = after(now, -i * 45 * SECOND_MS);
      return {
        ...row(now),
        userId: id,
        digest: digest(),
        lastSeenAt,
        endsAt: after(lastSeenAt, 14 * DAY_MS),
        providerSession: digest(),
      };
    }),
  );
  await insert(
    PartialUpload,
    users.map(({ id }, i) => ({
      id: randomUUID(),
      tokenDigest: digest(),
      userId: i % 2 === 0 ? id : null,
      network: i % 2 === 0 ? null : `192.0.2.${i % 256}`,
      masterKeyId,
      sealed: bytes(),
      length: 10,
      received: 0,
      storedBytes: 0,
      storageKey: digest(),
      isAgeFile: false,
      epochs: [0],
      appends: 0,
      appendUntil: 0,
      endsAt: after(now, i % 20 === 0 ? -HOUR_MS : 30 * DAY_MS),
    })),
  );
  await insert(
    KnownBrowser,
    users.map(({ id }, i) => ({
      id: digest(),
      userId: id,
      createdAt: now,
      seenAt: after(now, i % 20 === 0 ? -400 * DAY_MS : -i),
    })),
  );
  await insert(
    Identity,
    users.map(({ id, email }) => ({ ...row(now), userId: id, digest: digest(), email })),
  );
  await insert(
    Authenticator,
    users.map(({ id }) => ({ ...row(now), userId: id, masterKeyId, sealed: bytes(), lastStep: 1 })),
  );
  await insert(
    Passkey,
    users.map(({ id }) => ({
      ...row(now),
      ...{ userId: id, digest: digest(), credentialId: bytes(), publicKey: bytes(), counter: 2 ** 32 - 1 },
      ...{ transports: 'usb', name: 'Schlüssel 🦊', lastUsedAt: null, challengedAt: now },
    })),
  );
  await insert(
    RecoveryCode,
    users.map(({ id }) => ({ ...row(now), userId: id, digest: digest() })),
  );
  await insert(
    RecoveryKey,
    users.map(({ id }) => ({ ...row(now), userId: id, masterKeyId, sealed: bytes() })),
  );
  await insert(
    ImportedAccount,
    users.map(({ id }) => ({ id: digest(), userId: id })),
  );
  await insert(
    ImportedPush,
    pushes.map(({ id }) => ({ id: digest(), pushId: id, viewsImported: 2, lastLogEntry: 2 ** 40 })),
  );
  const entries = pushes.flatMap(({ id }, i) =>
    times(2, () => someEntry(i % 2 === 0 ? id : pushId, after(now, (i - count) * HOUR_MS))),
  );
  await insert(AuditEntry, entries);
  await insert(
    EnteredAddress,
    entries.map(({ id }) => ({ auditEntryId: id, sealed: bytes() })),
  );
  await insert(
    AuditChainHead,
    pushes.map(({ id }) => ({ pushId: id, entries: 0, digest: '' })), // their entries are not chained yet
  );
  await insert(
    AuditSequence,
    users.map(({ id }) => ({ id, last: 0 })),
  );
  await insert(
    StoredFile,
    pushes.map(({ id, expiredOn }, i) => ({
      ...row(now),
      ...{ pushId: id, position: 0, name: bytes(), contentType: bytes(), size: 1, storageKey: digest() },
      ...{ endedOn: expiredOn, linksUntil: i % 3 === 0 ? null : now, downloadsAudited: 0 },
    })),
  );
  await insert(
    LinkMail,
    pushes.map(({ id }) => ({
      ...{ id, pushId: id, auditEntryId: id, sealed: bytes() },
      ...{ attempts: 1, changedAt: now, outcome: 'delivered', error: null },
    })),
  );
  await insert(
    OpenCode,
    pushes.map(({ id }, i) => ({
      ...{ id, pushId: id, addressDigest: digest(), codeDigest: digest(), triesLeft: 5 },
      expiresAt: after(now, i % 20 === 0 ? -HOUR_MS : i),
    })),
  );
  await insert(
    Opening,
    pushes.map(({ id }) => ({ id, pushId: id, auditEntryId: id, sealed: bytes() })),
  );
  await insert(
    IdempotencyKey,
    pushes.map(({ id }, i) => ({
      digest: digest(),
      pushId: id,
      createdAt: after(now, i % 20 === 0 ? -HOUR_MS : -i),
    })),
  );
  await insert(
    DailyUsage,
    users.map(({ id }) => ({ userId: id, day: now.toISOString().slice(0, 10), bytes: 1, mails: 1 })),
  );
  await insert(
    PasswordLink,
    users.map(({ id }, i) => ({
      userId: id,
      digest: digest(),
      endsAt: after(now, i % 20 === 0 ? -HOUR_MS : HOUR_MS),
    })),
  );
  await insert(
    EmailLink,
    users.map(({ id, email }, i) => ({
      ...row(now),
      email,
      userId: i % 2 === 0 ? id : null,
      digest: digest(),
      endsAt: after(now, i % 20 === 0 ? -HOUR_MS : HOUR_MS),
    })),
  );
  await insert(
    SignInMark,
    times(count, (i) => ({
      digest: digest(),
      endedAt: now,
      keptUntil: after(now, i % 20 === 0 ? -HOUR_MS : HOUR_MS),
    })),
  );
  await insert(
    MailCount,
    times(count, (i) => ({
      subject: digest(),
      mails: 1,
      endsAt: after(now, i % 20 === 0 ? -HOUR_MS : HOUR_MS),
    })),
  );
  await insert(
    OutboxMessage,
    users.map(({ id }, i) =>
      someMessage(id, after(now, i % 20 === 2 ? -40 * DAY_MS : -i * SECOND_MS), now, i),
    ),
  );
  await insert(
    InstanceAuditEntry,
    users.map(({ id, email }, i) => ({
      ...row(after(now, i % 20 === 0 ? -400 * DAY_MS : -i * SECOND_MS)),
      ...{ kind: i % 2 ? 'signed_in' : 'sign_in_failed', isLogged: i % 20 !== 1 },
      ...{ actorType: 'account', actorId: id, actor: email, subjectId: id, subject: email },
      ...{ ip: '192.0.2.1', userAgent: '', details: {} },
    })),
  );
  const attempt = (i: number) => ({
    ...row(now),
    network: `192.0.2.${i % 250}`,
    attemptedAt: after(now, -i * 2 * SECOND_MS),
  });
  await insert(
    SignInAttempt,
    times(count, (i) => ({ ...attempt(i), account: digest() })),
  );
  await insert(
    KnownNetwork,
    users.map(({ id: userId }, i) => ({
      ...{ id: digest(), userId, network: attempt(i).network },
      seenAt: after(now, i % 20 === 0 ? -100 * DAY_MS : -i),
    })),
  );
  await insert(
    PassphraseAttempt,
    times(count, (i) => ({ ...attempt(i), pushId: pushes[i]?.id })),
  );
  const requests = users.map(({ id }, i) => {
    const owner = i % 3 === 0 ? userId : id;
    return { ...someRequest(owner, after(now, (i - count) * HOUR_MS), now, i), masterKeyId };
  });
  await insert(SecretRequest, requests);
  await insert(
    RequestAnswer,
    pushes.map(({ id }, i) => ({ pushId: id, requestId: requests[i % 30]?.id, createdAt: now })),
  );
  await insert(
    SecretRequestAuditEntry,
    requests.flatMap(({ id }, i) => times(2, () => someRequestEntry(requests[i % 30]?.id ?? id, now))),
  );
  await insert(
    SecretRequestPassphraseAttempt,
    times(count, (i) => ({ ...attempt(i), requestId: requests[i]?.id })),
  );
}

/** Updates the optimizer's statistics. In production, SQLite does not need this. */
export async function analyze(dataSource: DataSource): Promise<void> {
  const isMysql = engine.name === 'mysql' || engine.name === 'mariadb';
  await dataSource.query(isMysql ? `ANALYZE TABLE ${tablesOf(dataSource).join(', ')}` : 'ANALYZE');
}

export function tablesOf(dataSource: DataSource): string[] {
  return dataSource.entityMetadatas.map(({ tableName }) => tableName).sort();
}

/** Of every four pushes two are active, one is overdue and one has ended. */
async function somePush(
  pushSeal: PushSeal,
  userId: string | null,
  createdAt: Date,
  now: Date,
  which: number,
) {
  const hasEnded = which === 3;
  const isOverdue = which === 2;
  const { id } = row(createdAt);
  const bound = { id, userId, tokenDigest: digest() };
  const { dataKey, payload, ...sealed } = await pushSeal.seal(
    bound,
    someNewPush(),
    newKey(),
    { urlToken: digest() },
    '',
  );
  return {
    ...{ ...bound, createdAt, updatedAt: createdAt, kind: 'text' as const },
    ...{ ...sealed, dataKey: hasEnded ? null : dataKey, payload: hasEnded ? null : payload },
    ...{ expireAfterDays: 7, expireAfterViews: 5, viewsCounted: 0 },
    ...{ deletableByViewer: false, retrievalStep: false, deleted: false },
    expiresAt: isOverdue ? createdAt : after(now, 7 * DAY_MS),
    expiredOn: hasEnded ? after(createdAt, MINUTE_MS) : null,
    ended: hasEnded,
    ...{ failuresAudited: 0, ownerViewsAudited: 0, passphraseAttempts: 0, filesCount: 1 },
  };
}

function someEntry(pushId: string, at: Date) {
  const who = { ip: '192.0.2.1', userAgent: '', referrer: '' };
  return { ...row(at), pushId, kind: 'failed_view' as const, ...who, linkId: null };
}

/** Of every four requests two are open, one was closed by time and one by its owner; a mail waits for every twentieth. */
function someRequest(userId: string, createdAt: Date, now: Date, i: number) {
  const closesAt = i % 4 === 2 ? after(createdAt, MINUTE_MS) : after(now, 7 * DAY_MS);
  const isClosed = i % 4 === 3;
  return {
    ...{ ...row(createdAt), userId, tokenDigest: digest(), sealed: bytes(), updatedAt: createdAt },
    ...{ closeAfterDuration: 12, closesAt, openUntil: isClosed ? createdAt : closesAt },
    ...{
      closedBy: isClosed ? ('owner' as const) : null,
      answers: 5,
      answersCounted: 1,
      bytesReceived: 2 ** 40,
    },
    ...{ filesAllowed: true, showsRequestor: false, notifies: true, noticedAt: now },
    noticeDueAt: i % 20 === 0 ? after(now, HOUR_MS + i) : null,
    ...{ expireAfterDays: 7, lifetime: 7 * DAY_MS, expireAfterViews: 5, deletableByViewer: false },
    ...{ retrievalStep: false, failuresAudited: 0, passphraseAttempts: 0 },
  };
}

function someRequestEntry(requestId: string, at: Date) {
  return { ...row(at), requestId, kind: 'answer' as const, ip: '192.0.2.1', userAgent: '', referrer: '' };
}

/** Of every ten messages one is to be sent later and one has failed; none is due. */
function someMessage(userId: string, createdAt: Date, now: Date, i: number) {
  const isPending = i % 10 === 0;
  return {
    ...{ ...row(createdAt), userId, channel: 'test', destination: i % 3 ? 'a' : digest(), kind: 'greeting' },
    ...{ attempts: 1, masterKeyId: null, sealed: null, error: null },
    nextAttemptAt: isPending ? after(now, HOUR_MS) : null,
    endedAt: isPending ? null : createdAt,
    outcome: isPending ? null : i % 10 === 1 ? ('failed' as const) : ('delivered' as const),
  };
}

function row(createdAt: Date) {
  return { id: uuidv7({ msecs: createdAt.getTime() }), createdAt };
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

const bytes = () => randomBytes(60);
const digest = () => randomBytes(32).toString('hex');

// Accounts and what belongs to them: tokens, sessions, webhooks, messages to send, and the audit log of the instance.
import { hash } from 'node:crypto';
import { MessageSeal } from '../dist/platform/outbox/message-seal.js';
import { newToken } from '../dist/platform/random/random.js';
import { newSecret, WebhookSeal } from '../dist/features/webhooks/webhook-seal.js';
import { idAt, moment } from './raw-database.mjs';

const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 5000;
const MAX_WEBHOOKS = 50_000; // of all accounts
const WEBHOOKS_OF_ONE = 5;
const SESSIONS_OF_ONE = 500;
const AUDITED = ['signed_in', 'sign_in_failed', 'token_created', 'password_set', 'account_created'];

/**
 * As many accounts, tokens, sessions, messages and entries, and half as many webhooks, up to the limit. Half of the
 * tokens, messages and entries are those of the big owner.
 * @returns the ids of the accounts
 */
export async function seedAccounts(rows, keyring, bigOwner, count, now) {
  const accounts = Array.from({ length: count }, () => idAt(now - DAY_MS));
  const webhooks = await seedWebhooks(rows, new WebhookSeal(keyring), bigOwner, accounts, now);
  const messageSeal = new MessageSeal(keyring);
  const ownerOf = (i) => (i % 2 === 0 ? bigOwner : accounts[i]);
  for (let from = 0; from < count; from += AT_ONCE) {
    const part = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => from + i);
    const ofEach = (make) => part.map(make);
    await rows.insert(
      'users',
      ofEach((i) => ({ id: accounts[i], email: `${accounts[i]}@example.org`, created_at: moment(now) })),
    );
    await rows.insert(
      'api_tokens',
      ofEach((i) => tokenOf(ownerOf(i), now)),
    );
    await rows.insert(
      'sessions',
      ofEach((i) => sessionOf(accounts[i], newToken(), i % 5 === 0 ? now - 2 * DAY_MS : now)),
    );
    await rows.insert(
      'outbox_messages',
      ofEach((i) => messageTo(webhooks[i % webhooks.length], i, messageSeal, now)),
    );
    await rows.insert(
      'instance_audit_entries',
      ofEach((i) => entryAbout(ownerOf(i), i, now - ((count - i) / count) * 400 * DAY_MS)),
    );
  }
  const own = Array.from({ length: SESSIONS_OF_ONE - 1 }, () =>
    sessionOf(bigOwner, newToken(), now - 60_000),
  );
  await rows.insert('sessions', own);
  return accounts;
}

/** @returns the value of the session's cookie */
export async function signIn(rows, userId) {
  const token = newToken();
  await rows.insert('sessions', [sessionOf(userId, token, Date.now())]);
  return token;
}

/**
 * Those of the big owner and of the instance are disabled, because nothing of the benchmark must be sent.
 * @returns the webhooks that get messages
 */
async function seedWebhooks(rows, seal, bigOwner, accounts, now) {
  const webhookOf = (userId, disabledAt) => {
    const row = { id: idAt(now), userId };
    const { masterKeyId, sealed } = seal.seal({ url: 'https://example.org/', secret: newSecret() }, row);
    return {
      id: row.id,
      user_id: userId,
      master_key_id: masterKeyId,
      sealed,
      events: 'push.deleted',
      created_at: moment(now),
      failing_since: disabledAt,
      disabled_at: disabledAt,
    };
  };
  const ofOne = (userId) => Array.from({ length: WEBHOOKS_OF_ONE }, () => webhookOf(userId, moment(now)));
  const disabled = [...ofOne(bigOwner), ...ofOne(null)];
  await rows.insert('webhooks', disabled);
  const rest = Math.min(Math.floor(accounts.length / 2), MAX_WEBHOOKS - disabled.length);
  for (let from = 0; from < rest; from += AT_ONCE) {
    const owners = accounts.slice(from, Math.min(from + AT_ONCE, rest));
    await rows.insert(
      'webhooks',
      owners.map((userId) => webhookOf(userId, null)),
    );
  }
  return disabled;
}

function tokenOf(userId, now) {
  const token = newToken();
  return {
    id: idAt(now),
    user_id: userId,
    name: 'a token',
    digest: hash('sha256', token),
    prefix: token.slice(0, 6),
    created_at: moment(now),
    last_used_at: null,
  };
}

function sessionOf(userId, token, lastSeen) {
  return {
    id: idAt(lastSeen),
    user_id: userId,
    digest: hash('sha256', token),
    created_at: moment(lastSeen),
    last_seen_at: moment(lastSeen),
    ends_at: moment(lastSeen + 14 * DAY_MS),
  };
}

/** Of twenty, twelve have been delivered, six have failed, one is due and one waits for its next attempt. */
function messageTo({ id: destination, user_id: userId }, i, seal, now) {
  const which = Math.floor(i / (2 * WEBHOOKS_OF_ONE)) % 20;
  const createdAt = new Date(now - (i % 20) * DAY_MS);
  const id = idAt(createdAt.getTime());
  const outcome = which < 12 ? 'delivered' : which < 18 ? 'failed' : null;
  const values = { type: 'push.deleted', timestamp: createdAt.toISOString(), data: {} };
  const { masterKeyId, sealed } = outcome ? {} : seal.seal(values, { id, createdAt });
  return {
    id,
    channel: 'webhook',
    destination,
    kind: 'push.deleted',
    user_id: userId,
    master_key_id: masterKeyId ?? null,
    sealed: sealed ?? null,
    created_at: moment(createdAt),
    attempts: 1,
    next_attempt_at: outcome ? null : moment(which === 18 ? now - 60_000 : now + 60 * 60_000),
    ended_at: outcome && moment(createdAt),
    outcome,
    error: outcome === 'failed' ? 'HTTP 500' : null,
  };
}

function entryAbout(subjectId, i, createdAt) {
  return {
    id: idAt(createdAt),
    created_at: moment(createdAt),
    kind: AUDITED[i % AUDITED.length],
    actor_type: 'account',
    actor_id: subjectId,
    actor: 'someone@example.org',
    subject_id: subjectId,
    subject: 'someone@example.org',
    ip: '192.0.2.1',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
    details: '{}',
    is_logged: 1,
  };
}

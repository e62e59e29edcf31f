// Fills a database as if the service had run for months: sealed by the service's own code, so that it can open it all.
import 'reflect-metadata';
import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { NO_OWNER } from '../dist/audit/audit-chain-heads.service.js';
import { AuditLineDto } from '../dist/pushes/audit-log/audit-line.dto.js';
import { PushSeal } from '../dist/pushes/push/push-seal.js';
import { newKey } from '../dist/platform/sealing/secretbox.js';
import { Keyring } from '../dist/platform/sealing/keyring.js';
import { readMasterKeyFile } from '../dist/platform/sealing/master-key-file.js';
import { Passphrases } from '../dist/pushes/push/passphrases.js';
import { newToken } from '../dist/platform/random/random.js';
import { idAt, moment, openDatabase } from './raw-database.mjs';
import { seedAccounts } from './seed-accounts.mjs';

const DAY_MS = 24 * 60 * 60 * 1000;
const PUSHES_AT_ONCE = 250;
const PUSHES_OF_OTHERS = 10; // for each of the other accounts
const FLOODED_PUSHES = 100;
const MAX_OF_A_KIND = 2000; // of each audited kind that is bounded
const SAMPLE = 27_000;

/** What pushes are, and whose, among twenty: a tenth each is overdue and to be removed, half belong to one account. */
const CLASSES = [
  ...['big active', 'big active', 'big active', 'big active', 'big expired'],
  ...['big expired', 'big expired', 'big expired', 'big overdue', 'big stale'],
  ...['anonymous active', 'anonymous active', 'anonymous active', 'other active', 'other active'],
  ...['other expired', 'other expired', 'other expired', 'other overdue', 'other stale'],
].map((name) => name.split(' '));

/**
 * @param email the account that becomes the owner of half of all
 * @returns tokens of some that anybody may retrieve once, the token of the one with the longest log that can be, the id
 * of one in the middle, and how many other accounts there are
 */
export async function seed(place, { pushes, entries, email }) {
  const rows = await openDatabase(place);
  const keyring = new Keyring(await readMasterKeyFile(join(place.folder, 'master.key')));
  const pushSeal = new PushSeal(keyring, new Passphrases());
  const bigOwner = await rows.idOf(email);
  const now = Date.now();
  await rows.begin();
  const others = await seedAccounts(rows, keyring, bigOwner, Math.ceil(pushes / PUSHES_OF_OTHERS), now);
  const chains = new Chains();
  const sampleEvery = Math.max(1, Math.floor((pushes * 0.15) / SAMPLE));
  const perPush = Math.round(entries / pushes);
  const sample = [];
  let [longest, middle] = [];
  let [flooded, anonymous] = [0, 0];

  for (let from = 0; from < pushes; from += PUSHES_AT_ONCE) {
    const made = [];
    const logs = [];
    for (let i = from; i < Math.min(from + PUSHES_AT_ONCE, pushes); i++) {
      const [whose, state] = CLASSES[i % CLASSES.length];
      const createdAt = now - Math.round((120 * DAY_MS * (pushes - i)) / pushes);
      const userId = { big: bigOwner, other: others[i % others.length], anonymous: null }[whose];
      const { token, push } = await makePush(pushSeal, { state, i, createdAt, now, userId });
      made.push(push);
      if (whose === 'big' && i <= pushes / 2) middle = push.id;
      if (whose === 'anonymous' && anonymous++ % sampleEvery === 0) sample.push(token);
      let length = perPush;
      if (whose === 'other' && state === 'stale' && flooded < FLOODED_PUSHES) {
        length = MAX_OF_A_KIND;
        flooded++;
      } else if (whose === 'big' && state === 'active' && !longest) {
        length = 3 * MAX_OF_A_KIND + 102; // and 100 views, its making and its end
        longest = token;
      }
      logs.push(...chains.chain(push, logOf(push, length, createdAt)));
    }
    logs.sort((a, b) => (a.id < b.id ? -1 : 1));
    await rows.insert('pushes', made);
    await rows.insert('audit_entries', logs);
    await rows.insert('audit_heads', chains.takeHeads());
  }
  await rows.insert('audit_sequences', chains.sequences());
  await rows.end();
  return { sample: shuffled(sample), longest, middle, accounts: others.length };
}

async function makePush(pushSeal, { state, i, createdAt, now, userId }) {
  const id = idAt(createdAt);
  const token = newToken();
  const isExpired = state === 'expired';
  const terms = { payload: 'x'.repeat(100), ...(userId && { name: `number ${i}` }) };
  const tokenDigest = hash('sha256', token);
  const owners = userId ? { urlToken: token, name: terms.name } : undefined;
  const sealed = await pushSeal.seal({ id, tokenDigest, userId }, terms, newKey(), owners);
  const secret = isExpired || state === 'stale' ? { dataKey: null, payload: null } : {};
  const expiredOn = state === 'stale' ? now - 31 * DAY_MS - i : isExpired ? now - (i % (20 * DAY_MS)) : null;
  const { masterKeyId, ownerKey, urlToken, name, note, dataKey, payload } = { ...sealed, ...secret };
  const push = {
    id,
    token_digest: tokenDigest,
    kind: 'text',
    user_id: userId,
    master_key_id: masterKeyId,
    owner_key: ownerKey,
    url_token: urlToken,
    name,
    note,
    data_key: dataKey,
    payload,
    passphrase_salt: null,
    expire_after_days: 90,
    expire_after_views: 1,
    deletable_by_viewer: 0,
    retrieval_step: 0,
    views_counted: isExpired ? 1 : 0,
    created_at: moment(createdAt),
    updated_at: moment(expiredOn ?? createdAt),
    expires_at: moment(state === 'overdue' ? now - 60_000 - (i % DAY_MS) : now + DAY_MS + i),
    expired_on: expiredOn && moment(expiredOn),
    ended: expiredOn ? 1 : 0,
    deleted: 0,
    failures_audited: 0,
    owner_views_audited: 0,
    passphrase_attempts: 0,
    files_count: 0,
  };
  return { token, push };
}

function logOf({ id: pushId }, count, createdAt) {
  return Array.from({ length: count }, (_, i) => ({
    id: idAt(createdAt + i),
    pushId,
    kind: i === 0 ? 'creation' : 'failed_view',
    ip: '192.0.2.1',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    referrer: '',
    byOwner: false,
    createdAt: new Date(createdAt + i),
  }));
}

/** The chains of entries, as the service makes them some time after it has written the entries. */
class Chains {
  #last = new Map();
  #heads = [];

  /** The rows of a whole log. */
  chain({ id, user_id, token_digest: tokenDigest, kind }, log) {
    const owner = user_id ?? NO_OWNER;
    let digest = '';
    const rows = log.map((entry) => {
      const number = (this.#last.get(owner) ?? 0) + 1;
      this.#last.set(owner, number);
      digest = AuditLineDto.digestOf(entry, number, { tokenDigest, kind }, digest);
      return {
        id: entry.id,
        push_id: id,
        kind: entry.kind,
        ip: entry.ip,
        user_agent: entry.userAgent,
        referrer: entry.referrer,
        by_owner: 0,
        link_id: null,
        created_at: moment(entry.createdAt),
        owner_id: owner,
        number,
        digest,
      };
    });
    this.#heads.push({ push_id: id, entries: rows.length, digest, removing: 0 });
    return rows;
  }

  takeHeads() {
    return this.#heads.splice(0);
  }

  sequences() {
    return Array.from(this.#last, ([id, last]) => ({ id, last }));
  }
}

function shuffled(values) {
  const keyed = values.map((value) => ({ value, key: randomBytes(4).readUInt32LE() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

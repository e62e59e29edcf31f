import PQueue from 'p-queue';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import { WriteTooLarge } from '../../platform/database/errors/database-error.js';
import { digestOf } from '../../platform/random/random.js';
import { DAY_MS } from '../../platform/settings/units.js';
import type { ImportedPush } from '../../pushes/import/imported-push.entity.js';
import type { EntryToImport, PushToImport } from '../../pushes/import/imported-pushes.service.js';
import { cleanContentType, cleanFileName } from '../../shared/file-name.js';
import { payloadError } from '../../shared/payload-errors.js';
import type { PushKind } from '../../shared/push-kind.js';
import type { Owner } from './import-accounts.js';
import type { ImportReport, ImportRun } from './import-run.js';
import type { KnownPushes } from './import-target.js';
import { UnknownKey } from './source/lockbox.js';
import type { LogCounts } from './source/source-database.js';
import type { SourceBlob, SourceLogEntry, SourcePush } from './source/source-entities.js';
import type { SourceFile } from './source/source-files.js';
import { BrokenFile } from './source/source-files.js';

/** Pushes that are imported at the same time, so that they are committed together. */
const CONCURRENCY = 8;
/** What PasswordPusher uses for a push that has no limits of its own. */
const DEFAULT_DAYS = 7;
const DEFAULT_VIEWS = 5;
/** The last time that every database can store. */
const LATEST = new Date('9999-12-31T00:00:00Z');
const MAX_IP = 45;
const MAX_PASSPHRASE = 255;
/** Bytes of a sealed text, whose columns have 64 KiB and, for the payload, 16 MiB. */
const MAX_TEXT = 65_000;
const MAX_PAYLOAD = 16_000_000;
/** Of a column. */
const MAX_INTEGER = 2 ** 31 - 1;
/** No path leads to others. */
const OPENABLE_TOKEN = /^[A-Za-z0-9_-]{8,255}$/;

const PUSH_KINDS: readonly PushKind[] = ['text', 'file', 'url', 'qr'];

/** The kinds of log entries there, in the order of their numbers. */
const LOG_KINDS: readonly AuditKind[] = [
  'creation',
  'view',
  'failed_view',
  'expire',
  'failed_passphrase',
  'admin_view',
  'owner_view',
  'edit',
  'creation_email_send',
];
const numberOf = (kind: AuditKind) => LOG_KINDS.indexOf(kind);
/** There a view after the last one that was allowed counts too. */
const COUNTED_VIEWS = [numberOf('view'), numberOf('failed_view')];
const FAILURES = [numberOf('failed_view'), numberOf('failed_passphrase')];

/** Why a push is not imported. */
class BrokenPush extends Error {}

/** Pushes that are read together, and what belongs to them. */
interface Batch {
  known: KnownPushes;
  countsOf: (push: SourcePush) => LogCounts;
  files: ReadonlyMap<number, (SourceBlob | undefined)[]>;
  shortLogs: ReadonlyMap<number, SourceLogEntry[]>;
}

/** Imports all pushes with their files and logs. Each is imported as a whole or not at all. */
export async function importPushes(
  run: ImportRun,
  owners: ReadonlyMap<number, Owner>,
  onProgress: (count: number) => void,
): Promise<void> {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  let count = 0;
  try {
    for await (const pushes of run.source.pushes()) {
      const batch = await batchOf(run, pushes);
      const work = pushes.map((push) => queue.add(() => importUnlessBroken(run, push, batch, owners)));
      await Promise.all(work);
      onProgress((count += pushes.length));
    }
  } finally {
    queue.clear();
    await queue.onIdle(); // nothing may still run when the databases are closed
  }
}

async function batchOf({ source, target }: ImportRun, pushes: SourcePush[]): Promise<Batch> {
  const known = await target.findPushes(pushes.flatMap(({ urlToken }) => urlToken ?? []));
  const added = pushes.filter(({ urlToken }) => !known.imported.has(digestOf(urlToken ?? '')));
  const countsOf = await source.logCounts(pushes);
  const incomplete = new Set(known.missingFiles.map(({ pushId }) => pushId));
  const mayBeCompleted = pushes.filter(({ urlToken }) =>
    incomplete.has(known.imported.get(digestOf(urlToken ?? ''))?.pushId ?? ''),
  );
  const files = await source.filesOf([...added, ...mayBeCompleted]);
  return { known, countsOf, files, shortLogs: await source.shortLogs(added, countsOf) };
}

async function importUnlessBroken(
  run: ImportRun,
  push: SourcePush,
  batch: Batch,
  owners: ReadonlyMap<number, Owner>,
): Promise<void> {
  try {
    await importPush(run, push, batch, owners);
  } catch (error) {
    run.report.addBroken(push.id, reasonOf(error));
  }
}

/** What is wrong with a push that is not imported; throws what is wrong with more than that. */
function reasonOf(error: unknown): string {
  if (error instanceof UnknownKey) return 'no key opens it';
  if (error instanceof WriteTooLarge)
    return `it is larger than the ${error.bytes} bytes that the database server accepts at once (max_allowed_packet)`;
  if (error instanceof BrokenPush) return error.message;
  throw error;
}

async function importPush(
  run: ImportRun,
  push: SourcePush,
  batch: Batch,
  owners: ReadonlyMap<number, Owner>,
): Promise<void> {
  const { report } = run;
  if (!push.urlToken || !OPENABLE_TOKEN.test(push.urlToken)) {
    report.leftBehind.pushesWithoutLink += 1;
    return;
  }
  const digest = digestOf(push.urlToken);
  const imported = batch.known.imported.get(digest);
  const isHere = batch.known.here.has(digest);
  if (imported) {
    report.pushes.already += 1;
    if (isHere) await catchUp(run, push, imported, batch.countsOf(push));
    if (isHere) await addMissingFiles(run, push, imported, batch);
    return;
  }
  const owner = push.userId === null ? undefined : owners.get(push.userId);
  if (owner === 'refused' || owner === 'deleted') {
    report.leftBehind[owner === 'refused' ? 'pushesOfRefusedAccounts' : 'pushesOfDeletedAccounts'] += 1;
    return;
  }
  if (isHere) throw new BrokenPush('another push here has its link');
  await addPush(run, push, batch, owner?.userId ?? null);
}

async function addPush(
  run: ImportRun,
  push: SourcePush,
  { countsOf, files: filesOf, shortLogs }: Batch,
  userId: string | null,
): Promise<void> {
  const { source, target, report } = run;
  const row = rowOf(run, push, countsOf(push), userId);
  const blobs = (!row.endedOn && filesOf.get(push.id)) || [];
  const shortLog = shortLogs.get(push.id);
  const longLog = shortLog ? undefined : source.log(push);
  const first = shortLog ?? ((await longLog?.next())?.value as SourceLogEntry[] | undefined) ?? [];
  const files = blobs.map((blob) => fileOf(run, blob));
  const entries = entriesOf(first, push);
  const missing = new Map<SourceFile, string>();
  const imported = await target.addPush(row, entries, first.at(-1)?.id ?? 0, files, (file, reason) => {
    missing.set(file, reason);
  });
  if (!imported) {
    report.leftBehind.pushesOfDeletedAccounts += 1;
    return;
  }
  for (const [file, reason] of missing) report.addMissingFile(push.id, file, reason);
  for (const [index, file] of files.entries()) if (!missing.has(file)) countFile(report, blobs[index]);
  report.logEntries += entries.length;
  if (longLog) await addLog(run, imported, row, push, longLog);
  report.pushes[row.deleted ? 'deleted' : row.endedOn ? 'ended' : 'active'] += 1;
  if (row.kind !== PUSH_KINDS[push.kind]) report.leftBehind.pushesOfAnotherKind += 1;
}

/** Counts what has happened there since the push was imported, or was left out when an import was interrupted. */
async function catchUp(
  run: ImportRun,
  push: SourcePush,
  imported: ImportedPush,
  counts: LogCounts,
): Promise<void> {
  const { source, target, report, options } = run;
  const { views, ...recorded } = usedAndEnd(push, counts, options);
  if (views > imported.viewsImported || recorded.endedOn) {
    const isChanged = await target.catchUp(imported, views, recorded, options.now);
    if (isChanged) report.pushes.updated += 1;
  }
  const log = source.log(push, imported.lastLogEntry);
  if (counts.lastEntry > imported.lastLogEntry)
    await addLog(run, imported, { urlToken: push.urlToken ?? '' }, push, log);
}

function countFile(report: ImportReport, blob: SourceBlob | undefined): void {
  report.files += 1;
  report.bytes += blob?.byteSize ?? 0;
}

/** Looks again for files that were missing when their push was imported. */
async function addMissingFiles(
  run: ImportRun,
  push: SourcePush,
  imported: ImportedPush,
  { known, files }: Batch,
): Promise<void> {
  for (const row of known.missingFiles.filter(({ pushId }) => pushId === imported.pushId)) {
    const blob = files.get(push.id)?.[row.position];
    const file = fileOf(run, blob);
    const passphrase = run.keys.decrypt('pushes', 'passphrase_ciphertext', push.passphraseCiphertext);
    try {
      const isAdded = await run.target.addMissingFile(imported, row, file, passphrase, run.options.now);
      if (isAdded) countFile(run.report, blob);
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      run.report.addMissingFile(push.id, file, error.message);
    }
  }
}

async function addLog(
  { target, report }: ImportRun,
  imported: ImportedPush,
  row: Pick<PushToImport, 'urlToken'>,
  push: SourcePush,
  log: AsyncGenerator<SourceLogEntry[]>,
): Promise<void> {
  for await (const read of log) {
    const entries = entriesOf(read, push);
    await target.addEntries(imported, row, entries, read.at(-1)?.id ?? 0);
    report.logEntries += entries.length;
  }
}

/** @throws UnknownKey or BrokenPush */
function rowOf(
  { keys, options }: ImportRun,
  push: SourcePush,
  counts: LogCounts,
  userId: string | null,
): PushToImport {
  const { views, lastViewedAt, endedOn, deleted } = usedAndEnd(push, counts, options);
  const decrypt = (column: string, ciphertext: string | null) => keys.decrypt('pushes', column, ciphertext);
  const payload = endedOn ? '' : decrypt('payload_ciphertext', push.payloadCiphertext);
  const passphrase = endedOn ? '' : decrypt('passphrase_ciphertext', push.passphraseCiphertext);
  if (Array.from(passphrase).length > MAX_PASSPHRASE) throw new BrokenPush('its passphrase is too long');
  const kind = PUSH_KINDS[push.kind];
  if (kind === undefined) throw new BrokenPush('its kind is unknown');
  const { createdAt } = push;
  if (createdAt === null) throw new BrokenPush('its time of creation is unknown');
  const note = userId === null ? '' : decrypt('note_ciphertext', push.noteCiphertext); // for its owner only
  if ([push.name ?? '', note].some((text) => Buffer.byteLength(text) > MAX_TEXT))
    throw new BrokenPush('its name or note is too long');
  if (Buffer.byteLength(payload) > MAX_PAYLOAD) throw new BrokenPush('its payload is too long');
  return {
    number: push.id,
    userId,
    urlToken: push.urlToken ?? '',
    kind: kind === 'url' && !endedOn && payloadError(kind, payload) ? 'text' : kind,
    payload,
    passphrase,
    name: push.name ?? '',
    note,
    expireAfterDays: daysOf(push),
    expireAfterViews: viewsOf(push),
    deletableByViewer: push.deletableByViewer ?? false,
    retrievalStep: push.retrievalStep ?? false,
    viewsCounted: views,
    lastViewedAt,
    createdAt,
    updatedAt: endedOn ?? push.updatedAt ?? createdAt,
    expiresAt: limitOf(push, options),
    endedOn,
    deleted,
    failuresAudited: Math.min(counts.count(...FAILURES), MAX_AUDITED),
    ownerViewsAudited: Math.min(counts.count(numberOf('owner_view')), MAX_AUDITED),
    passphraseAttempts: counts.count(numberOf('failed_passphrase')),
  };
}

/** How much of a push is used up, and when and how it has ended; `endedOn` is null while it is active. */
function usedAndEnd(push: SourcePush, counts: LogCounts, options: ImportRun['options']) {
  const views = counts.count(...COUNTED_VIEWS);
  const lastViewedAt = counts.last(...COUNTED_VIEWS);
  const limit = limitOf(push, options);
  const isExpired = push.expired === true;
  const endedOn = isExpired
    ? (push.expiredOn ?? push.updatedAt ?? limit)
    : views >= viewsOf(push)
      ? (lastViewedAt ?? limit)
      : limit <= options.now
        ? limit
        : null;
  return { views, lastViewedAt, endedOn, deleted: isExpired && counts.count(numberOf('expire')) > 0 };
}

function limitOf(push: SourcePush, { linkDays, now }: ImportRun['options']): Date {
  const limit = (push.createdAt?.getTime() ?? 0) + daysOf(push) * DAY_MS;
  const earlier = linkDays === undefined ? Infinity : now.getTime() + linkDays * DAY_MS;
  return new Date(Math.min(limit, earlier, LATEST.getTime()));
}

function daysOf({ expireAfterDays }: SourcePush): number {
  return Math.min(expireAfterDays ?? DEFAULT_DAYS, MAX_INTEGER);
}

function viewsOf({ expireAfterViews }: SourcePush): number {
  return Math.min(expireAfterViews ?? DEFAULT_VIEWS, MAX_INTEGER);
}

function fileOf({ files }: ImportRun, blob: SourceBlob | undefined): SourceFile {
  return {
    name: cleanFileName(blob?.filename ?? ''),
    contentType: cleanContentType(blob?.contentType ?? undefined),
    key: blob?.key,
    open: () => {
      if (!files || !blob) throw new BrokenFile('a file is missing');
      return files.open(blob);
    },
  };
}

/** Entries of unknown kinds are of a later version. */
function entriesOf(entries: SourceLogEntry[], push: SourcePush): EntryToImport[] {
  return entries.flatMap(({ id, kind: number, userId, ip, userAgent, referrer, createdAt }) => {
    const kind = LOG_KINDS[number];
    if (kind === undefined) return [];
    return {
      number: id,
      kind,
      byOwner: userId !== null && userId === push.userId,
      createdAt: createdAt ?? push.createdAt ?? new Date(0),
      visitor: { ip: (ip ?? '').slice(0, MAX_IP), userAgent: userAgent ?? '', referrer: referrer ?? '' },
    };
  });
}

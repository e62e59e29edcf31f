import { toBase64url } from '../../../packages/client/src/end-to-end/key.js';
import { store, stored } from '../page/stored.js';
import type { UploadTarget } from '../../../packages/client/src/uploads/upload-in-parts.js';

/** The entry of the local storage. */
export const KEPT_UPLOADS = 'sealpush.uploads';

const DAY_MS = 24 * 60 * 60 * 1000;
const SAMPLED_BYTES = 1024 * 1024;

/**
 * An upload that this browser has begun and no push has taken: enough to continue it after the page was loaded again, if
 * the same file is chosen again. Its path is a secret, and nothing of what the file contains is kept.
 */
export interface KeptUpload {
  path: string;
  /** What it is for: the same form offers to continue it. */
  purpose: string;
  name: string;
  size: number;
  lastModified: number;
  /** Bytes that were sent when the digest was made. */
  sent: number;
  /** See `digestOf`. */
  digest?: string;
  /** When the server deletes it, in milliseconds since 1970. */
  endsAt: number;
}

/** Those of a form that have not ended. */
export function keptUploads(target: UploadTarget, now = Date.now()): KeptUpload[] {
  return all().filter(
    ({ path, purpose, endsAt }) =>
      path.startsWith(`${target.path}/`) && purpose === purposeOf(target) && endsAt > now,
  );
}

export function purposeOf({ metadata }: UploadTarget): string {
  return JSON.stringify(metadata);
}

/** Keeps an upload, in place of what was known of it. @param expires when it ends, if the server has said so */
export function keep({ expires, ...upload }: Omit<KeptUpload, 'endsAt'> & { expires: string | null }): void {
  const said = Date.parse(expires ?? '');
  const endsAt = Number.isNaN(said) ? Date.now() + DAY_MS : said;
  change((others) => [...others, { ...upload, endsAt }], upload.path);
}

export function forget(path: string): void {
  change((others) => others, path);
}

function change(changed: (others: KeptUpload[]) => KeptUpload[], path: string): void {
  const others = all().filter((upload) => upload.path !== path && upload.endsAt > Date.now());
  const uploads = changed(others);
  store(KEPT_UPLOADS, uploads.length > 0 ? uploads : undefined);
}

/** What is stored may be of another version. */
function all(): KeptUpload[] {
  const uploads = stored(KEPT_UPLOADS);
  return Array.isArray(uploads) ? (uploads as unknown[]).filter(isKept) : [];
}

function isKept(upload: unknown): upload is KeptUpload {
  const { path, purpose, name, size, lastModified, sent, endsAt } = (upload ?? {}) as Partial<KeptUpload>;
  return (
    [path, purpose, name].every((text) => typeof text === 'string') &&
    [size, lastModified, sent, endsAt].every((number) => typeof number === 'number')
  );
}

/** Whether a file looks like the one that was sent. */
export function isFileOf(upload: KeptUpload, { name, size, lastModified }: File): boolean {
  return upload.name === name && upload.size === size && upload.lastModified === lastModified;
}

/**
 * The digest of the beginning and the end of what was sent of a file: a file with another beginning, or that was changed
 * where it continues, is another file. Undefined on pages loaded over plain HTTP.
 */
export async function digestOf(file: File, sent: number): Promise<string | undefined> {
  if (!isSecureContext) return undefined;
  const ends = [
    file.slice(0, Math.min(sent, SAMPLED_BYTES)),
    file.slice(Math.max(0, sent - SAMPLED_BYTES), sent),
  ];
  const bytes = await new Blob(ends).arrayBuffer();
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

const heldHere = new Set<string>();

/** Uploads that this tab continues: others do not offer them. Until the tab is closed. */
export function hold(path: string): void {
  if (!isSecureContext || heldHere.has(path)) return;
  heldHere.add(path);
  void navigator.locks.request(lockOf(path), () => new Promise(() => undefined));
}

/** Whether an open tab continues an upload. */
export async function isHeld(path: string): Promise<boolean> {
  if (!isSecureContext) return false; // nobody knows
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(path));
}

function lockOf(path: string): string {
  return `${KEPT_UPLOADS} ${path}`;
}

import { toBase64url } from '../../../packages/client/src/end-to-end/key.js';
import { store, stored } from '../page/stored.js';
import type { UploadTarget } from '../../../packages/client/src/uploads/upload-in-parts.js';
import { deleteUpload } from './own-uploads.js';

/** The entry of the local storage. */
export const KEPT_UPLOADS = 'sealpush.uploads';

const DAY_MS = 24 * 60 * 60 * 1000;
const SAMPLED_BYTES = 1024 * 1024;

/**
 * An upload that this browser has begun and no push has taken. Its path is a secret. Of one that cannot be continued
 * once the page is left, such as one that the browser encrypts, nothing else is kept.
 */
interface BegunUpload {
  path: string;
  /** When the server deletes it, in milliseconds since 1970. */
  endsAt: number;
}

/**
 * One that can be continued after the page was loaded again, if the same file is chosen again. Nothing of what the file
 * contains is kept.
 */
export interface KeptUpload extends BegunUpload {
  /** What it is for: the same form offers to continue it. */
  purpose: string;
  name: string;
  size: number;
  lastModified: number;
  /** Bytes that were sent when the digest was made. */
  sent: number;
  /** See `digestOf`. */
  digest: string;
}

/**
 * Those of a form that can be continued and have not ended. None on pages loaded over plain HTTP, which can neither compare
 * files nor know what other tabs do.
 */
export function keptUploads(target: UploadTarget): KeptUpload[] {
  return uploadsOf(target)
    .filter(isKept)
    .filter(({ purpose }) => purpose === purposeOf(target));
}

/** Those that cannot be continued: nobody needs them, unless a tab is sending them. */
export function lostUploads(target: UploadTarget): BegunUpload[] {
  return uploadsOf(target).filter((upload) => !isKept(upload));
}

function uploadsOf({ path: folder }: UploadTarget): BegunUpload[] {
  return isSecureContext ? all().filter(({ path }) => path.startsWith(`${folder}/`)) : [];
}

export function purposeOf({ metadata }: UploadTarget): string {
  return JSON.stringify(metadata);
}

type Ending<Upload extends BegunUpload> = Omit<Upload, 'endsAt'> & { endsAt?: number };

/** Keeps an upload, in place of what was known of it. */
export function keep(upload: Ending<BegunUpload> | Ending<KeptUpload>): void {
  change(upload.path, [{ ...upload, endsAt: upload.endsAt ?? Date.now() + DAY_MS }]);
}

export function forget(path: string): void {
  change(path, []);
}

/** Also has the server delete it. */
export function forgetAndDelete(path: string): void {
  forget(path);
  deleteUpload(path);
}

function change(path: string, changed: BegunUpload[]): void {
  save([...all().filter((upload) => upload.path !== path), ...changed]);
}

function save(uploads: BegunUpload[]): void {
  store(KEPT_UPLOADS, uploads.length > 0 ? uploads : undefined);
}

/** What is stored may be of another version, or have ended: that is removed. */
function all(now = Date.now()): BegunUpload[] {
  const found = stored(KEPT_UPLOADS);
  if (found === undefined) return [];
  const entries: unknown[] = Array.isArray(found) ? found : [];
  const uploads = entries.filter(isBegun).filter(({ endsAt }) => endsAt > now);
  if (uploads.length < entries.length || !Array.isArray(found)) save(uploads);
  return uploads;
}

function isBegun(upload: unknown): upload is BegunUpload {
  const { path, endsAt } = (upload ?? {}) as Partial<BegunUpload>;
  return typeof path === 'string' && typeof endsAt === 'number';
}

function isKept(upload: BegunUpload): upload is KeptUpload {
  const { purpose, name, digest, size, lastModified, sent } = upload as Partial<KeptUpload>;
  return (
    [purpose, name, digest].every((text) => typeof text === 'string') &&
    [size, lastModified, sent].every((number) => typeof number === 'number')
  );
}

/** Whether a file looks like the one that was sent. */
export function isFileOf(upload: KeptUpload, { name, size, lastModified }: File): boolean {
  return upload.name === name && upload.size === size && upload.lastModified === lastModified;
}

/**
 * The digest of the beginning and the end of a file, and of the end of what was sent of it. The server may have more than
 * that: a file with other ends, or that was changed where it continues, is another file.
 * @throws if the file cannot be read
 */
export async function digestOf(file: File, sent: number): Promise<string> {
  const parts = [0, sent - SAMPLED_BYTES, file.size - SAMPLED_BYTES].map((start) =>
    file.slice(Math.max(0, start), Math.max(0, start) + SAMPLED_BYTES),
  );
  const bytes = await new Blob(parts).arrayBuffer();
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** Whether a file that looks like the one that was sent is that one; undefined if it cannot be read. */
export async function hasContentOf({ sent, digest }: KeptUpload, file: File): Promise<boolean | undefined> {
  const found = await digestOf(file, sent).catch(() => undefined);
  return found === undefined ? undefined : found === digest;
}

const heldHere = new Map<string, Promise<void>>();

/** Has other tabs know that this one is sending an upload, until it is closed. */
export function hold(path: string): Promise<void> {
  const holding = heldHere.get(path) ?? lock(path);
  heldHere.set(path, holding);
  return holding;
}

function lock(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(lockOf(path), () => {
      resolve();
      return new Promise(() => undefined);
    });
    held.catch(reject);
  });
}

/** Whether an open tab, this one or another, sends an upload, or has sent it for its form. */
export async function isHeld(path: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(path));
}

export async function isHeldElsewhere(path: string): Promise<boolean> {
  return !heldHere.has(path) && (await isHeld(path));
}

function lockOf(path: string): string {
  return `${KEPT_UPLOADS} ${path}`;
}

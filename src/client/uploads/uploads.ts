import { encryptedFileSize } from '../../shared/age-size.js';
import { newKey } from '../../../packages/client/src/end-to-end/key.js';
import { sendRequest } from '../page/request.js';
import type { ReceivedResponse } from '../../../packages/client/src/uploads/sent-request.js';
import type { Shown } from '../page/texts.js';
import { loadTexts, text, textWithData } from '../page/texts.js';
import { EncryptedContent, PlainContent, Unreadable } from '../../../packages/client/src/uploads/content.js';
import type { UploadState } from './controls.js';
import { UploadControls } from './controls.js';
import { deleteUpload } from './own-uploads.js';
import {
  digestOf,
  forget,
  forgetAndDelete,
  hasContentOf,
  hold,
  isFileOf,
  isHeldElsewhere,
  keep,
  keptUploads,
  purposeOf,
} from './kept-uploads.js';
import type { UploadServer, UploadTarget } from '../../../packages/client/src/uploads/upload-in-parts.js';
import { Ended, Refused, UploadInParts } from '../../../packages/client/src/uploads/upload-in-parts.js';

export { offerUnfinished } from './unfinished.js';

/** How many are sent at the same time. */
const AT_ONCE = 3;

type Encrypt = (content: ReadableStream<Uint8Array>, key: string) => Promise<ReadableStream<Uint8Array>>;

export interface SendOptions {
  form: HTMLFormElement;
  signal: AbortSignal;
  /** If the browser encrypts the files. */
  encrypt?: Encrypt;
  onProgress: (sent: number, total: number) => void;
}

/** A file that the server has. */
export interface SentFile {
  /** By which a push takes it. */
  id: string;
  /** If it was encrypted. */
  key: string;
}

type Failure = { refused: ReceivedResponse } | { failure: Shown };

interface FileUpload {
  file: File;
  isEncrypted: boolean;
  upload: UploadInParts;
}

/** The files of a form that go to the server before it. What was sent stays while the form is corrected. */
export class Uploads {
  private all: FileUpload[] = [];
  /** Of each file always the same, because the secret may have been encrypted that contains it. */
  private readonly keys = new Map<string, string>();
  private names = 0;
  private areDoubted = false;
  private readonly server: UploadServer;

  constructor(target: UploadTarget) {
    this.server = { ...target, send: sendRequest, remove: deleteUpload, wait: waitForNetwork };
    addEventListener('pagehide', ({ persisted }) => {
      // the key of what was encrypted is lost with the page
      if (!persisted) for (const { upload, isEncrypted } of this.all) if (isEncrypted) upload.end();
    });
  }

  /**
   * Sends what the server does not have of these files.
   * @throws the reason of the signal
   */
  async send(
    files: File[],
    { form, signal, encrypt, onProgress }: SendOptions,
  ): Promise<{ files: SentFile[] } | Failure> {
    await loadTexts('uploads');
    const uploads: FileUpload[] = [];
    for (const file of files) uploads.push(await this.uploadOf(file, encrypt));
    for (const other of this.all.filter((one) => !uploads.includes(one))) end(other);
    this.all = uploads;
    const controls = new UploadControls(form, this.areDoubted ? text('script.uploadAgain') : '');
    this.areDoubted = false;
    const update = () => {
      const state = stateOf(uploads);
      onProgress(state.sent, state.total);
      controls.update(state);
    };
    for (const { upload } of uploads) upload.onChange = update;
    update();
    try {
      await runAll(uploads, controls, signal);
      return { files: uploads.map(({ upload: { id }, file }) => ({ id, key: this.keyOf(file) })) };
    } catch (error) {
      return this.failureOf(error);
    } finally {
      controls.end();
    }
  }

  /** @throws the error, if it is no failure of an upload */
  private failureOf(error: unknown): Failure {
    if (error instanceof Refused) return { refused: error.response };
    const failed = this.all.find(
      ({ file, upload }) =>
        (error instanceof Unreadable && error.file === file) ||
        (error instanceof Ended && error.upload === upload),
    );
    if (!failed) throw error;
    const { name } = failed.file;
    if (error instanceof Ended) return { failure: textWithData('script.uploadEnded', { name }) };
    this.drop(failed);
    return { failure: textWithData('script.fileUnreadable', { name }) };
  }

  /** After its file could not be read: another one may be the same, and continue it. */
  private drop(one: FileUpload): void {
    this.all = this.all.filter((other) => other !== one);
    if (one.isEncrypted || !isSecureContext) end(one);
  }

  /** After the server did not know some: it may have ended them, or another push may have taken them. */
  doubt(): void {
    this.areDoubted = true;
    for (const { upload } of this.all) upload.doubt();
  }

  /** Once a push has taken them. */
  forget(): void {
    for (const { upload } of this.all) if (upload.path !== undefined) forget(upload.path);
    this.all = [];
    this.keys.clear();
  }

  /** Has the server delete what it has. */
  end(): void {
    for (const each of this.all) end(each);
    this.all = [];
  }

  private async uploadOf(file: File, encrypt: Encrypt | undefined): Promise<FileUpload> {
    const isEncrypted = encrypt !== undefined;
    const known = this.all.find((other) => other.isEncrypted === isEncrypted && isSame(other.file, file));
    if (known) return known;
    const upload = encrypt
      ? this.encrypted(file, (content) => encrypt(content, this.keyOf(file)))
      : new UploadInParts(new PlainContent(file), this.server, await this.keptPathOf(file));
    const one = { file, isEncrypted, upload };
    this.remember(one);
    return one;
  }

  private encrypted(
    file: File,
    encrypt: (content: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
  ): UploadInParts {
    const size = encryptedFileSize(file.size);
    return new UploadInParts(new EncryptedContent(file, `${this.names++}.age`, size, encrypt), this.server);
  }

  private keyOf({ name, size, lastModified }: File): string {
    const file = JSON.stringify([name, size, lastModified]);
    const key = this.keys.get(file) ?? newKey();
    this.keys.set(file, key);
    return key;
  }

  /** What this browser has sent of the file before the page was loaded again. Of another file, it ends. */
  private async keptPathOf(file: File): Promise<string | undefined> {
    for (const kept of keptUploads(this.server)) {
      if (!isFileOf(kept, file) || (await isHeldElsewhere(kept.path))) continue;
      const continues = await hasContentOf(kept, file);
      if (continues) return kept.path;
      if (continues === false) forgetAndDelete(kept.path);
    }
    return undefined;
  }

  /** Has this browser know of an upload for as long as no push has taken it. */
  private remember(one: FileUpload): void {
    if (!isSecureContext) return;
    let earlierPath: string | undefined;
    one.upload.onAcknowledged = ({ path, bytes, endsAt }) => {
      if (earlierPath !== undefined && earlierPath !== path) forget(earlierPath);
      earlierPath = path;
      void this.keep(one, { path, sent: bytes, endsAt }).catch(() => undefined); // it cannot be read any more
    };
  }

  /** Only what is held: other tabs delete what cannot be continued. */
  private async keep(
    one: FileUpload,
    { path, sent, endsAt }: { path: string; sent: number; endsAt?: number },
  ): Promise<void> {
    const { file, isEncrypted, upload } = one;
    await hold(path);
    const canBeContinued = sent > 0 && !isEncrypted;
    const digest = canBeContinued ? await digestOf(file, sent) : undefined;
    if (!this.all.includes(one) || upload.path !== path) return;
    const { name, size, lastModified } = file;
    const purpose = purposeOf(this.server);
    keep(
      digest === undefined
        ? { path, endsAt }
        : { path, endsAt, purpose, name, size, lastModified, sent, digest },
    );
  }
}

function end({ upload }: FileUpload): void {
  if (upload.path !== undefined) forget(upload.path);
  upload.end();
}

/** Why uploads stop that are to continue. */
const PAUSED = new Error('paused');

/** Until all are sent, and are not paused. */
async function runAll(uploads: FileUpload[], controls: UploadControls, signal: AbortSignal): Promise<void> {
  do {
    await controls.untilContinued(signal);
    signal.throwIfAborted();
    await runUntilPaused(uploads, controls, signal);
    signal.throwIfAborted();
  } while (controls.isPaused || !uploads.every(({ upload }) => upload.isFinished));
}

async function runUntilPaused(
  uploads: FileUpload[],
  controls: UploadControls,
  signal: AbortSignal,
): Promise<void> {
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
  };
  controls.onPause(() => {
    stopping.abort(PAUSED);
  });
  signal.addEventListener('abort', stop);
  const failure = await runSome(uploads, stopping);
  signal.removeEventListener('abort', stop);
  if (failure && stopping.signal.reason !== PAUSED) throw failure.error;
}

/** A few at a time. The first that fails stops the others. */
async function runSome(
  uploads: FileUpload[],
  stopping: AbortController,
): Promise<{ error: unknown } | undefined> {
  const waiting = [...uploads];
  let failure: { error: unknown } | undefined;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.upload.run(stopping.signal);
  };
  const guarded = () =>
    work().catch((error: unknown) => {
      failure ??= { error };
      stopping.abort();
    });
  await Promise.all(Array.from({ length: AT_ONCE }, guarded));
  return failure;
}

/** Waits so long, or until the device is connected again or has woken up. */
function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const options = { signal: ended.signal };
    const end = () => {
      clearTimeout(timer);
      ended.abort();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end, options);
    document.addEventListener('visibilitychange', end, options);
    signal.addEventListener('abort', end, options);
  });
}

function stateOf(uploads: FileUpload[]): UploadState {
  const ends = uploads.map(({ upload: { endsAt = Infinity } }) => endsAt);
  const isWaiting =
    uploads.some(({ upload }) => upload.isWaiting) && !uploads.some(({ upload }) => upload.isSending);
  return {
    sent: sum(uploads, 'sent'),
    total: sum(uploads, 'size'),
    transferred: sum(uploads, 'transferred'),
    isWaiting,
    complaint: isWaiting
      ? uploads.map(({ upload }) => upload.complaint).find((complaint) => complaint !== undefined)
      : undefined,
    endsAt: Math.min(...ends),
  };
}

function sum(uploads: FileUpload[], property: 'sent' | 'size' | 'transferred'): number {
  return uploads.reduce((total, { upload }) => total + upload[property], 0);
}

function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

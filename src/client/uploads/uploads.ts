import { encryptedFileSize } from '../../shared/age-size.js';
import { newKey } from '../../../packages/client/src/end-to-end/key.js';
import { sendRequest } from '../page/request.js';
import type { ReceivedResponse } from '../../../packages/client/src/uploads/sent-request.js';
import type { Shown } from '../page/texts.js';
import { loadTexts, textWithData } from '../page/texts.js';
import { EncryptedContent, PlainContent, Unreadable } from '../../../packages/client/src/uploads/content.js';
import { UploadControls } from './controls.js';
import { deleteUpload } from './own-uploads.js';
import { digestOf, forget, hold, isFileOf, isHeld, keep, keptUploads, purposeOf } from './kept-uploads.js';
import type { UploadServer, UploadTarget } from '../../../packages/client/src/uploads/upload-in-parts.js';
import { Refused, UploadInParts } from '../../../packages/client/src/uploads/upload-in-parts.js';

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
  ): Promise<{ files: SentFile[] } | { refused: ReceivedResponse } | { failure: Shown }> {
    await loadTexts('uploads');
    const uploads: FileUpload[] = [];
    for (const file of files) uploads.push(await this.uploadOf(file, encrypt));
    for (const other of this.all.filter((one) => !uploads.includes(one))) end(other);
    this.all = uploads;
    const controls = new UploadControls(form);
    const update = () => {
      const [sent, total] = [sum(uploads, 'sent'), sum(uploads, 'size')];
      onProgress(sent, total);
      controls.update(sent, total, isWaiting(uploads));
    };
    for (const { upload } of uploads) upload.onChange = update;
    update();
    try {
      await runAll(uploads, controls, signal);
      return { files: uploads.map(({ upload: { id }, file }) => ({ id, key: this.keyOf(file) })) };
    } catch (error) {
      if (error instanceof Refused) return { refused: error.response };
      if (error instanceof Unreadable)
        return { failure: textWithData('script.fileUnreadable', { name: error.file.name }) };
      throw error;
    } finally {
      controls.end();
    }
  }

  /** After the form was rejected: the server may have ended some, or another push may have taken them. */
  doubt(): void {
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
      : await this.plain(file);
    return { file, isEncrypted, upload };
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

  /** Continues what this browser has sent of the file before the page was loaded again. */
  private async plain(file: File): Promise<UploadInParts> {
    const upload = new UploadInParts(new PlainContent(file), this.server, await this.keptPathOf(file));
    const { name, size, lastModified } = file;
    const purpose = purposeOf(this.server);
    let earlierPath: string | undefined;
    upload.onAcknowledged = ({ path, bytes: sent, expires }) => {
      hold(path);
      if (earlierPath !== undefined && earlierPath !== path) forget(earlierPath);
      earlierPath = path;
      void digestOf(file, sent)
        .catch(() => undefined) // it cannot be read any more
        .then((digest) => {
          const isStillWanted = this.all.some((one) => one.upload === upload) && upload.path === path;
          if (isStillWanted) keep({ path, purpose, name, size, lastModified, sent, digest, expires });
        });
    };
    return upload;
  }

  private async keptPathOf(file: File): Promise<string | undefined> {
    for (const kept of keptUploads(this.server)) {
      if (!isFileOf(kept, file) || (await isHeld(kept.path))) continue;
      const digest = await digestOf(file, kept.sent).catch(() => undefined);
      if (digest === kept.digest) return kept.path;
    }
    return undefined;
  }
}

function end({ upload }: FileUpload): void {
  if (upload.path !== undefined) forget(upload.path);
  upload.end();
}

/** Why uploads stop that are to continue. */
const PAUSED = new Error('paused');

/** Until all are sent, also after pauses. */
async function runAll(uploads: FileUpload[], controls: UploadControls, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const stopping = new AbortController();
    const stop = () => {
      stopping.abort();
    };
    const continued = controls.onPause(() => {
      stopping.abort(PAUSED);
    }, signal);
    signal.addEventListener('abort', stop);
    const failure = await runSome(uploads, stopping);
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    if (failure === undefined) return;
    if (stopping.signal.reason !== PAUSED) throw failure.error;
    await continued;
  }
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

function sum(uploads: FileUpload[], property: 'sent' | 'size'): number {
  return uploads.reduce((total, { upload }) => total + upload[property], 0);
}

/** Whether nothing is sent, because of a break. */
function isWaiting(uploads: FileUpload[]): boolean {
  return uploads.some(({ upload }) => upload.isWaiting) && !uploads.some(({ upload }) => upload.isSending);
}

function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

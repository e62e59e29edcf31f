import { sizeIn } from '../../texts/size.js';
import { countingStream, Progress } from '../page/progress.js';
import type { StartDownload } from './downloads.js';
import { expire, expireDownloads, say } from './downloads.js';
import { reasonOf } from '../end-to-end/end-to-end-error.js';
import type { EnvelopeFile } from '../end-to-end/envelope.js';
import type { EndToEnd } from '../end-to-end/load.js';
import { locale, text } from '../page/texts.js';

/** The statuses of a download link that has expired or never existed. */
const ENDED = [403, 404, 410];

class Ended extends Error {}

/** Names the files, and lets the links decrypt what they download. */
export function setUpFileLinks(root: HTMLElement, files: EnvelopeFile[], { decryptFile }: EndToEnd): void {
  const links = [...root.querySelectorAll<HTMLAnchorElement>('.files a')];
  for (const [i, link] of links.entries()) {
    const { name = '', size = 0 } = files[i] ?? {};
    link.textContent = name;
    const shownSize = link.parentElement?.querySelector('[data-size]');
    if (shownSize) shownSize.textContent = sizeIn(locale(), size);
  }
  const download: StartDownload = async (event, link, box) => {
    event.preventDefault();
    const file = files[links.indexOf(link)];
    if (file) await downloadTo(link, file, box, decryptFile);
  };
  expireDownloads(root, download);
  root.hidden = false;
}

async function downloadTo(
  link: HTMLAnchorElement,
  file: EnvelopeFile,
  box: HTMLElement,
  decryptFile: EndToEnd['decryptFile'],
): Promise<void> {
  const item = link.closest('li');
  if (!item || isInProgress(item)) return;
  item.dataset.inProgress = '';
  say(box, '');
  sayStatus(box, '');
  const cancelling = new AbortController();
  const { signal } = cancelling;
  const progress = new Progress(item);
  try {
    const destination = await chooseDestination(file.name, file.type);
    progress.begin(() => {
      cancelling.abort();
    });
    try {
      const decrypted = await decryptFile(await fetchFrom(link, signal), file, signal);
      let done = 0;
      const counting = countingStream((bytes) => {
        done += bytes;
        progress.update(done, file.size);
      });
      await destination.save(decrypted.pipeThrough(counting, { signal }));
      sayStatus(box, text('script.endToEndSaved', { name: file.name }));
    } catch (error) {
      await destination.discard();
      throw error;
    }
  } catch (error) {
    if (error instanceof Ended) expire(box);
    else if (signal.aborted) sayStatus(box, text('script.endToEndCancelled', { name: file.name }));
    else if (!isDismissal(error)) say(box, failureText(error, file.name));
  } finally {
    progress.end();
    delete item.dataset.inProgress;
  }
}

function isInProgress(item: HTMLElement): boolean {
  return item.dataset.inProgress !== undefined;
}

/** Fetches from this origin: a script may not fetch from others, and the server may not know its public host name. */
async function fetchFrom(
  { pathname }: HTMLAnchorElement,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(pathname, { signal });
  if (ENDED.includes(response.status)) throw new Ended();
  if (!response.ok || !response.body) throw new Error('no file');
  return response.body;
}

/** Whether the user has closed the dialog of the browser. */
function isDismissal(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function failureText(error: unknown, name: string): string {
  const reason = reasonOf(error);
  const isDamaged = reason !== undefined && reason !== 'interrupted' && reason !== 'unavailable';
  return text(isDamaged ? 'script.endToEndFileDamaged' : 'script.endToEndFileFailed', { name });
}

function sayStatus(box: HTMLElement, message: string): void {
  const status = box.querySelector('#links-status');
  if (status) status.textContent = message;
}

type Content = ReadableStream<Uint8Array<ArrayBuffer>>;

interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Where a file is saved. Nothing is there until `save` has read the whole content without an error. */
interface Destination {
  save(content: Content): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/**
 * A file that the user chooses, if the browser lets them, otherwise a download from memory. Must be called when they
 * click.
 * @throws DOMException `AbortError` when the user cancels
 */
async function chooseDestination(name: string, type: string): Promise<Destination> {
  const handle = await chooseFile(name);
  return handle ? new ChosenFile(handle) : new FileInMemory(name, type);
}

async function chooseFile(suggestedName: string): Promise<FileSystemFileHandle | undefined> {
  const { showSaveFilePicker } = window as SavePicker;
  try {
    return await showSaveFilePicker?.call(window, { suggestedName });
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    return undefined; // not allowed here, or not with this name
  }
}

class ChosenFile implements Destination {
  constructor(private readonly handle: FileSystemFileHandle & { remove?: () => Promise<void> }) {}

  /** Browsers write to another file, and replace this one when the stream is closed. An error aborts the stream. */
  async save(content: Content): Promise<void> {
    await content.pipeTo(await this.handle.createWritable());
  }

  /** The browser has emptied or created the file when it was chosen. */
  async discard(): Promise<void> {
    await this.handle.remove?.().catch(() => undefined);
  }
}

class FileInMemory implements Destination {
  constructor(
    private readonly name: string,
    private readonly type: string,
  ) {}

  async save(content: Content): Promise<void> {
    const parts: Blob[] = []; // browsers may move them to the disk
    await content.pipeTo(new WritableStream({ write: (chunk) => void parts.push(new Blob([chunk])) }));
    saveBlob(new Blob(parts, { type: harmlessType(this.type) }), this.name);
  }

  discard(): Promise<void> {
    return Promise.resolve();
  }
}

const KEPT_FOR_MS = 60_000;

/** Types that no browser runs on our origin if it shows them instead of saving them. */
const HARMLESS =
  /^(text\/plain|application\/(pdf|zip|json)|image\/(png|jpeg|gif|webp)|(audio|video)\/[\w.+-]+)$/;

/** Offers what is in memory as a download. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, KEPT_FOR_MS);
}

function harmlessType(type: string): string {
  return HARMLESS.test(type) ? type : 'application/octet-stream';
}

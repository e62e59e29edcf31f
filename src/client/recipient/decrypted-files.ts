import { sizeIn } from '../../texts/size.js';
import { countingStream, Progress } from '../page/progress.js';
import { saveBlob } from '../page/save-blob.js';
import { continuedDownload } from '../../../packages/client/src/continued-download.js';
import { expire, expireDownloads, outliveExpiry, say } from './downloads.js';
import { reasonOf } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import type { EnvelopeFile } from '../../../packages/client/src/end-to-end/envelope.js';
import type { EndToEnd } from '../end-to-end/load.js';
import { loadArchive } from '../end-to-end/load.js';
import type { Shown } from '../page/texts.js';
import { dataElement, locale, show, textWithData } from '../page/texts.js';
import { chooseDestination } from './save-file.js';

/** The statuses of a download link that has expired or never existed. */
const ENDED = [403, 404, 410];

class Ended extends Error {}

interface EncryptedFile extends EnvelopeFile {
  link: HTMLAnchorElement;
  /** Of the link, which has none any more once it has expired. */
  path: string;
}

interface Download {
  name: string;
  type: string;
  /** The number of bytes that `onBytes` of `Reading` is called with in all. */
  size: number;
  content: (reading: Reading) => Promise<ReadableStream<Uint8Array>>;
}

/** What is told while a download is read. */
interface Reading {
  signal: AbortSignal;
  onFile: (name: string) => void;
  onBytes: (count: number) => void;
  /** Called with the number of files that an archive has, if the links of the others had expired before their turn. */
  onPart: (count: number) => void;
}

/** Names the files, and lets the links decrypt what they download. */
export function setUpFileLinks(root: HTMLElement, described: EnvelopeFile[], endToEnd: EndToEnd): void {
  const links = [...root.querySelectorAll<HTMLAnchorElement>('[data-download] a')];
  const files = links.flatMap((link, i) =>
    described.slice(i, i + 1).map((file) => ({ ...file, link, path: link.pathname })),
  );
  for (const { link, name, size } of files) {
    const row = rowOf(link);
    for (const shown of row?.querySelectorAll<HTMLElement>('[data-name]') ?? []) {
      shown.textContent = name;
      shown.title = name; // which may not fit in its row
    }
    showSize(row, size);
  }
  const archive = archiveOf(files, endToEnd);
  const kept = new KeptFiles();
  showSize(root.querySelector('[data-download-all]'), archive.size);
  expireDownloads(root, async (event, link, box) => {
    event.preventDefault();
    const file = files.find((each) => each.link === link);
    const row = rowOf(link);
    if (row) await save(file ? singleFile(file, endToEnd) : archive, { link, row, box, kept });
  });
  root.hidden = false;
}

/** The element with the size and the progress of a download. */
function rowOf(link: HTMLAnchorElement): HTMLElement | null {
  return link.closest<HTMLElement>('[data-download], [data-download-all]');
}

function showSize(row: HTMLElement | null, size: number): void {
  const shown = row?.querySelector('[data-size]');
  if (shown) shown.textContent = sizeIn(locale(), size);
}

function singleFile(file: EncryptedFile, endToEnd: EndToEnd): Download {
  return { ...file, content: (reading) => decrypted(file, endToEnd, reading) };
}

/**
 * All files in one, each fetched when those before it have been decrypted. Those whose links expire before that are left
 * out.
 */
function archiveOf(files: EncryptedFile[], endToEnd: EndToEnd): Download {
  return {
    name: 'files.zip',
    type: 'application/zip',
    size: files.reduce((sum, { size }) => sum + size, 0),
    content: async (reading) => {
      const { zipOf } = await loadArchive();
      const open = (file: EncryptedFile, i: number) => () =>
        decrypted(file, endToEnd, reading).catch((error: unknown) => {
          if (!(error instanceof Ended) || i === 0) throw error;
          reading.onPart(i);
          return undefined;
        });
      return zipOf(files.map((file, i) => ({ ...file, open: open(file, i) })));
    },
  };
}

async function decrypted(
  file: EncryptedFile,
  { decryptFile }: EndToEnd,
  { signal, onFile, onBytes }: Reading,
): Promise<ReadableStream<Uint8Array>> {
  onFile(file.name);
  const content = await decryptFile(await fetchFrom(file.path, signal), file, signal);
  return content.pipeThrough(countingStream(onBytes), { signal });
}

/** All that is kept of one push: enough for what is usual, and not for a telephone to run out of memory. */
const MAX_KEPT_BYTES = 64 * 2 ** 20;

/** What was passed to the browser, which may have saved it or not: it can be passed on again while the page is open. */
class KeptFiles {
  private readonly files = new Map<HTMLAnchorElement, Blob>();
  private bytes = 0;

  of(link: HTMLAnchorElement): Blob | undefined {
    return this.files.get(link);
  }

  /** Returns false if it is too large. */
  keep(link: HTMLAnchorElement, file: Blob): boolean {
    if (this.bytes + file.size > MAX_KEPT_BYTES) return false;
    this.bytes += file.size;
    this.files.set(link, file);
    outliveExpiry(link);
    return true;
  }
}

interface Place {
  link: HTMLAnchorElement;
  row: HTMLElement;
  box: HTMLElement;
  kept: KeptFiles;
}

async function save(download: Download, { link, row, box, kept }: Place): Promise<void> {
  if (row.dataset.inProgress !== undefined) return;
  const { name, type, size } = download;
  const keptFile = kept.of(link);
  if (keptFile) {
    saveBlob(keptFile, name);
    sayPassedOn(box, name, true);
    return;
  }
  row.dataset.inProgress = '';
  say(box, '');
  const toChoose = textWithData('script.chooseWhereToSave', { name });
  sayStatus(box, toChoose);
  const cancelling = new AbortController();
  const { signal } = cancelling;
  let progress: Progress | undefined;
  let current = name;
  let done = 0;
  let part: number | undefined;
  try {
    const destination = await chooseDestination(name, type);
    sayStatus(box, '', toChoose);
    progress = new Progress(row, () => {
      cancelling.abort();
    });
    try {
      const content = await download.content({
        signal,
        onFile: (file) => (current = file),
        onBytes: (count) => {
          done += count;
          progress?.update(done, size);
        },
        onPart: (count) => (part = count),
      });
      const passed = await destination.save(content as ReadableStream<Uint8Array<ArrayBuffer>>);
      const isKept = passed !== undefined && kept.keep(link, passed);
      if (passed && (isKept || part === undefined)) sayPassedOn(box, name, isKept);
      else if (part === undefined) sayStatus(box, textWithData('script.endToEndSaved', { name }));
      if (part !== undefined) sayPart(box, name, part);
    } catch (error) {
      await destination.discard();
      throw error;
    }
  } catch (error) {
    if (error instanceof Ended) expire(box);
    else if (signal.aborted || isDismissal(error))
      sayStatus(box, textWithData('script.endToEndCancelled', { name }));
    else say(box, failureText(error, name, current));
  } finally {
    progress?.end();
    delete row.dataset.inProgress;
  }
}

/** Fetches from this origin: a script may not fetch from others, and the server may not know its public host name. */
async function fetchFrom(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const fetchPart = (headers: Record<string, string> = {}) => fetch(path, { headers, signal });
  const response = await fetchPart();
  if (ENDED.includes(response.status)) throw new Ended();
  if (!response.ok || !response.body) throw new Error('no file');
  return continuedDownload(response.body, fetchPart, signal);
}

/** Whether the user has closed the dialog of the browser. */
function isDismissal(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** @param current the file that was read: in an archive it may be one of several */
function failureText(error: unknown, name: string, current: string): Shown {
  const reason = reasonOf(error);
  const isDamaged = reason !== undefined && reason !== 'interrupted' && reason !== 'unavailable';
  return isDamaged
    ? textWithData('script.endToEndFileDamaged', { name: current })
    : textWithData('script.endToEndFileFailed', { name });
}

function sayPart(box: HTMLElement, name: string, count: number): void {
  expire(box);
  say(box, textWithData('script.endToEndPartSaved', { name, count }));
}

function sayPassedOn(box: HTMLElement, name: string, isKept: boolean): void {
  const { passedOn = '', largePassedOn = '' } = statusOf(box)?.dataset ?? {};
  const [before = '', after = ''] = (isKept ? passedOn : largePassedOn).split('{name}');
  sayStatus(box, [before, dataElement(name), after]);
}

/** @param inPlaceOf the message that it replaces, by default any: that of another download may be there meanwhile */
function sayStatus(box: HTMLElement, message: Shown, inPlaceOf?: Shown): void {
  const status = statusOf(box);
  const isThere = [inPlaceOf ?? []]
    .flat()
    .every((part) => typeof part === 'string' || status?.contains(part));
  if (status && isThere) show(status, message);
}

function statusOf(box: HTMLElement): HTMLElement | null {
  return box.querySelector<HTMLElement>('#links-status');
}

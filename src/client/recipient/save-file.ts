import { saveBlob } from '../page/save-blob.js';

type Content = ReadableStream<Uint8Array<ArrayBuffer>>;

interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Where a file is saved. Nothing is there until `save` has read the whole content without an error. */
export interface Destination {
  /** Returns what was passed to the browser to be saved; undefined once it is known to be saved. */
  save(content: Content): Promise<Blob | undefined>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/**
 * A file that the user chooses, if the browser lets them, otherwise a download from memory. Must be called when they
 * click.
 * @throws DOMException `AbortError` when the user cancels
 */
export async function chooseDestination(name: string, type: string): Promise<Destination> {
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
  async save(content: Content): Promise<undefined> {
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

  async save(content: Content): Promise<Blob> {
    const parts: Blob[] = []; // browsers may move them to the disk
    await content.pipeTo(new WritableStream({ write: (chunk) => void parts.push(new Blob([chunk])) }));
    const blob = new Blob(parts, { type: harmlessType(this.type) });
    saveBlob(blob, this.name);
    return blob;
  }

  discard(): Promise<void> {
    return Promise.resolve();
  }
}

/** Types that no browser runs on our origin if it shows them instead of saving them. */
const HARMLESS =
  /^(text\/plain|application\/(pdf|zip|json)|image\/(png|jpeg|gif|webp)|(audio|video)\/[\w.+-]+)$/;

function harmlessType(type: string): string {
  return HARMLESS.test(type) ? type : 'application/octet-stream';
}

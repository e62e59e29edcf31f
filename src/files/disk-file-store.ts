import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { access, constants, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../platform/database/engine/durable-files.js';
import type { ByteRange } from '../platform/sealing/chunk-streams.js';
import { SEALED_CHUNK_BYTES } from '../platform/sealing/chunk-seal.js';
import { DiskReserve } from './disk-reserve.js';
import type { Appending, ReservedDiskSpace, StoredObject, StoredPart } from './file-store.js';
import {
  FileStore,
  INSTALLATION_ID_NAME,
  isStorageKey,
  MAX_INSTALLATION_ID_BYTES,
  NO_INSTALLATION_ID,
  StoreUnavailable,
} from './file-store.js';

const SHARD = /^[0-9a-f]{2}$/;
/** A whole chunk, so that none is split between reads. Each download that is not read holds some of them. */
const READ_BYTES = SEALED_CHUNK_BYTES;
const WRITE_BYTES = 128 * 1024;
/** How many bytes of a file are written between two checks of the free space. */
const CHECK_EVERY_BYTES = 8 * 1024 * 1024;
const APPEND_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
const WRITE_OPTIONS = { flags: 'wx', mode: 0o600, flush: true, highWaterMark: WRITE_BYTES };

/** Files in a folder, spread over subfolders by the last two characters of their key. */
export class DiskFileStore extends FileStore {
  readonly appendMemory = 0;

  constructor(
    private readonly folder: string,
    private readonly reserve = new DiskReserve(0),
  ) {
    super();
  }

  get place(): string {
    return this.folder;
  }

  async put(key: string, bytes: Readable): Promise<void> {
    const path = this.pathOf(key);
    try {
      await this.makeFolder(dirname(path));
      await this.reserve.assertKept(this.folder);
      await pipeline(bytes, this.keepingReserve(), createWriteStream(path, WRITE_OPTIONS));
      await syncFolder(dirname(path));
    } catch (error) {
      bytes.destroy();
      await this.remove(key).catch(() => undefined); // left for the orphan sweep
      throw isFromDisk(error) ? new StoreUnavailable(error, true) : error;
    }
  }

  async append(key: string, { bytes }: StoredPart): Promise<Appending> {
    const path = this.pathOf(key);
    try {
      await this.makeFolder(dirname(path));
      await this.reserve.assertKept(this.folder);
      const file = await open(path, APPEND_FLAGS, 0o600);
      try {
        if ((await file.stat()).size < bytes)
          throw new Error('The file is shorter than what was saved of it');
        await file.truncate(bytes);
        if (bytes === 0) await syncFolder(dirname(path));
      } catch (error) {
        await file.close();
        throw error;
      }
      return new DiskAppending(file, bytes, () => this.reserve.assertKept(this.folder));
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : new StoreUnavailable(error, true);
    }
  }

  /** Does nothing: it is one file from the beginning. */
  join(): Promise<void> {
    return Promise.resolve();
  }

  discard(key: string): Promise<void> {
    return this.remove(key);
  }

  async read(key: string, { start, end }: ByteRange): Promise<Readable> {
    const bytes = createReadStream(this.pathOf(key), { start, end, highWaterMark: READ_BYTES });
    try {
      await once(bytes, 'open');
      return bytes;
    } catch (error) {
      throw new StoreUnavailable(error);
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async *list(): AsyncIterable<StoredObject> {
    const shards = (await namesIn(this.folder)).filter((name) => SHARD.test(name));
    for (const shard of shards) {
      for (const key of (await namesIn(join(this.folder, shard))).filter(isStorageKey)) {
        const found = await stat(this.pathOf(key)).catch(() => undefined); // removed in the meantime
        if (found) yield { key, modifiedAt: found.mtime };
      }
    }
  }

  /** Does nothing: incomplete files are listed with the others. */
  abortIncompleteUploads(): Promise<void> {
    return Promise.resolve();
  }

  async readInstallationId(): Promise<string | undefined> {
    try {
      const file = await open(join(this.folder, INSTALLATION_ID_NAME));
      try {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_INSTALLATION_ID_BYTES + 1));
        if (bytesRead > MAX_INSTALLATION_ID_BYTES) return NO_INSTALLATION_ID;
        return buffer.toString('utf8', 0, bytesRead).trim();
      } finally {
        await file.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new StoreUnavailable(error);
    }
  }

  async writeInstallationId(id: string, replaces = false): Promise<void> {
    const path = join(this.folder, INSTALLATION_ID_NAME);
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    try {
      await this.makeFolder(this.folder);
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(`${id}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await (replaces ? rename(draft, path) : linkOrRename(draft, path));
      await syncFolder(this.folder);
    } catch (error) {
      throw new StoreUnavailable(error, true);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /** Skips files that are removed in the meantime. */
  override async copyTo(folder: string): Promise<number> {
    const copy = new DiskFileStore(folder);
    let count = 0;
    await copyIfExists(join(this.folder, INSTALLATION_ID_NAME), join(folder, INSTALLATION_ID_NAME));
    for await (const { key } of this.list()) {
      await mkdir(dirname(copy.pathOf(key)), { recursive: true, mode: 0o700 });
      if (await copyIfExists(this.pathOf(key), copy.pathOf(key))) count += 1;
    }
    return count;
  }

  override async diskSpace(): Promise<ReservedDiskSpace> {
    await this.probe(); // before the first upload there is no folder
    return this.reserve.measure(this.folder);
  }

  override async probe(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  /** Fails when the disk reserve is reached. Not a generator: `pipeline` would not wait until the file is closed. */
  private keepingReserve(): Transform {
    let sinceCheck = 0;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        sinceCheck += chunk.length;
        if (sinceCheck < CHECK_EVERY_BYTES) {
          done(null, chunk);
          return;
        }
        sinceCheck = 0;
        this.reserve.assertKept(this.folder).then(() => {
          done(null, chunk);
        }, done);
      },
    });
  }

  /** Syncs the parent folders too: a new folder lost in a power failure takes synced files with it. */
  private async makeFolder(path: string): Promise<void> {
    const created = await mkdir(path, { recursive: true, mode: 0o700 });
    await syncFolder(this.folder);
    if (created === this.folder) await syncFolder(dirname(this.folder));
  }

  private pathOf(key: string): string {
    return join(this.folder, key.slice(-2), key);
  }
}

class DiskAppending implements Appending {
  private sinceCheck = 0;

  constructor(
    private readonly file: FileHandle,
    private bytes: number,
    private readonly assertReserveKept: () => Promise<void>,
  ) {}

  async write(bytes: Buffer): Promise<void> {
    await this.onDisk(async () => {
      this.sinceCheck += bytes.length;
      if (this.sinceCheck >= CHECK_EVERY_BYTES) {
        this.sinceCheck = 0;
        await this.assertReserveKept();
      }
      await this.file.appendFile(bytes);
      this.bytes += bytes.length;
    });
  }

  async save(): Promise<StoredPart & { unneeded: string[] }> {
    await this.onDisk(() => this.file.datasync());
    return { bytes: this.bytes, state: null, unneeded: [] };
  }

  /** Does nothing: it has no memory. */
  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async onDisk(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : new StoreUnavailable(error, true);
    }
  }
}

async function copyIfExists(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** `link` fails if another process was first, but not every file system has it. */
async function linkOrRename(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rename(draft, path);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Errors of the file system have a `syscall`; those of a source that ended early do not. */
function isFromDisk(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

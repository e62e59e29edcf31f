import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileStore } from '../../../files/file-store.js';
import type { S3Address } from '../../../files/s3-file-store.js';
import { Refusal } from '../../../platform/errors/refusal.js';
import type { SourceBlob } from './source-entities.js';

/** A file that is missing, or not the one that was stored. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}

/** A file of a push, which is opened when its turn comes. */
export interface SourceFile {
  name: string;
  contentType: string;
  /** Under which it is stored there; undefined when that is lost. */
  key: string | undefined;
  /** Its bytes, which are checked while they are read. */
  open: () => Promise<Readable>;
}

/** Where PasswordPusher keeps the bytes of files. */
export abstract class SourceFiles {
  /**
   * The bytes of a file. They are checked while they are read: at the end this fails unless they are those that were
   * stored.
   * @throws BrokenFile
   */
  async open(blob: SourceBlob): Promise<Readable> {
    if (!/^[a-z0-9]{4,64}$/i.test(blob.key)) throw new BrokenFile('a file has an unknown key');
    return Readable.from(checked(await this.read(blob), blob));
  }

  protected abstract read(blob: SourceBlob): Promise<Readable>;
}

/** In a folder, as Active Storage spreads them over subfolders: the file of key `abcd…` is `ab/cd/abcd…`. */
export class DiskSourceFiles extends SourceFiles {
  private constructor(private readonly folder: string) {
    super();
  }

  /** @throws Refusal when there is no such folder */
  static async of(folder: string): Promise<DiskSourceFiles> {
    const found = await stat(folder).catch(codeOf);
    if (typeof found === 'string') throw new Refusal(`The storage ${folder} cannot be read (${found}).`);
    if (!found.isDirectory()) throw new Refusal(`The storage ${folder} is not a folder.`);
    return new DiskSourceFiles(folder);
  }

  protected async read({ key }: SourceBlob): Promise<Readable> {
    const path = join(this.folder, key.slice(0, 2), key.slice(2, 4), key);
    const file = await open(path).catch(codeOf);
    if (typeof file === 'string')
      throw new BrokenFile(file === 'ENOENT' ? 'a file is missing' : `a file cannot be read (${file})`);
    return createReadStream(path, { fd: file });
  }
}

/** In a bucket of any S3-compatible server. */
export class S3SourceFiles extends SourceFiles {
  private constructor(private readonly store: FileStore) {
    super();
  }

  /** @throws Refusal when the bucket cannot be reached */
  static async of(address: S3Address): Promise<S3SourceFiles> {
    const { S3FileStore } = await import('../../../files/s3-file-store.js'); // its SDK is large
    const store = new S3FileStore(address);
    await store.probe().catch((error: unknown) => {
      throw new Refusal(`The bucket ${address.bucket} cannot be read (${nameOfCause(error)}).`);
    });
    return new S3SourceFiles(store);
  }

  protected async read({ key, byteSize }: SourceBlob): Promise<Readable> {
    if (byteSize === 0) return Readable.from([]);
    try {
      return await this.store.read(key, { start: 0, end: byteSize - 1 });
    } catch (error) {
      const name = nameOfCause(error);
      throw new BrokenFile(name === 'NoSuchKey' ? 'a file is missing' : `a file cannot be read (${name})`);
    }
  }
}

/** Passes bytes on, and fails at their end when they have another length or checksum. */
async function* checked(bytes: Readable, { byteSize, checksum }: SourceBlob): AsyncGenerator<Buffer> {
  const digest = createHash('md5');
  let length = 0;
  try {
    for await (const part of bytes as AsyncIterable<Buffer>) {
      digest.update(part);
      length += part.length;
      yield part;
    }
  } catch (error) {
    throw new BrokenFile(`a file cannot be read (${codeOf(error as NodeJS.ErrnoException)})`);
  }
  if (length !== byteSize || (checksum !== null && digest.digest('base64') !== checksum))
    throw new BrokenFile('a file is not the one that was stored');
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? 'unknown';
}

function nameOfCause(error: unknown): string {
  return ((error as Error).cause as Error | undefined)?.name ?? (error as Error).name;
}

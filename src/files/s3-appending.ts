import { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { CHUNK_BYTES, SEALED_CHUNK_BYTES } from '../platform/sealing/chunk-seal.js';
import { MIB } from '../platform/settings/units.js';
import type { Appending, StoredPart } from './file-store.js';
import { newPieceKey, StoreUnavailable } from './file-store.js';

/** What an appending keeps in memory, at most: the chunks of 8 MiB, so that clients who send multiples of that leave no rest. */
const PIECE_BYTES = ((8 * MIB) / CHUNK_BYTES) * SEALED_CHUNK_BYTES;
export const APPEND_MEMORY = PIECE_BYTES;
/** The most that S3 takes of one upload. */
export const MAX_PARTS = 10_000;

/** The state of a file that arrives in parts. */
interface S3State {
  /** Of the multipart upload, once there is a part of it. */
  uploadId?: string;
  /** How many parts of it are complete. All have the same size, but the last. */
  parts: number;
  /** Objects with the bytes after the last part, which are fewer than a part must have. */
  pieces: { key: string; bytes: number }[];
}

/** The objects of a store, as parts and pieces are made of them. */
export interface S3Objects {
  client: S3Client;
  object(key: string): { Bucket: string; Key: string };
  read(key: string, range: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
}

export function readState(state: string | null): S3State {
  return state === null ? { parts: 0, pieces: [] } : (JSON.parse(state) as S3State);
}

/**
 * Adds bytes to a multipart upload. What does not fill a part is kept in objects of its own, until later bytes fill it.
 * Parts are larger than those objects only for a file of more than 10,000 of them: such a part is then made of objects, so
 * that a process has no more of it in memory than of any other.
 */
export class S3Appending implements Appending {
  private readonly state: S3State;
  private readonly partBytes: number;
  /** Bytes that are in parts or objects. */
  private stored: number;
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private unneeded: string[] = [];

  constructor(
    private readonly objects: S3Objects,
    private readonly key: string,
    { bytes, state }: StoredPart,
    private readonly total: number,
    maxParts = MAX_PARTS,
  ) {
    this.state = readState(state);
    this.stored = bytes;
    this.partBytes = PIECE_BYTES * Math.max(1, Math.ceil(total / (PIECE_BYTES * maxParts)));
  }

  async write(bytes: Buffer): Promise<void> {
    this.buffered.push(bytes);
    this.bufferedBytes += bytes.length;
    const room = this.partBytes - this.pieceBytes;
    if (this.bufferedBytes >= Math.min(PIECE_BYTES, room)) await this.flush();
  }

  async save(isAll: boolean): Promise<StoredPart & { unneeded: string[] }> {
    const isWhole = this.stored + this.bufferedBytes === this.total;
    if (isWhole && this.state.uploadId === undefined) await this.putWhole();
    else if (isWhole && this.bufferedBytes + this.pieceBytes > 0) await this.putPart();
    else if (isAll && this.bufferedBytes > 0) await this.putPiece();
    const isFinished = isWhole && this.state.uploadId === undefined;
    const { unneeded } = this;
    this.unneeded = [];
    return { bytes: this.stored, state: isFinished ? null : JSON.stringify(this.state), unneeded };
  }

  close(): Promise<void> {
    this.buffered = [];
    return Promise.resolve();
  }

  private get pieceBytes(): number {
    return this.state.pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private async flush(): Promise<void> {
    if (this.pieceBytes + this.bufferedBytes >= this.partBytes) await this.putPart();
    else await this.putPiece();
  }

  private async putPiece(): Promise<void> {
    const key = newPieceKey(this.key);
    const { Body, ContentLength } = this.taken();
    await writing(() =>
      this.objects.client.send(new PutObjectCommand({ ...this.objects.object(key), Body, ContentLength })),
    );
    this.state.pieces.push({ key, bytes: ContentLength });
    this.stored += ContentLength;
  }

  private async putPart(): Promise<void> {
    const object = this.objects.object(this.key);
    await writing(async () => {
      this.state.uploadId ??= (
        await this.objects.client.send(new CreateMultipartUploadCommand(object))
      ).UploadId;
      const part = { UploadId: this.state.uploadId, PartNumber: this.state.parts + 1, ...this.gathered() };
      await this.objects.client.send(new UploadPartCommand({ ...object, ...part }));
    });
    this.state.parts += 1;
  }

  private async putWhole(): Promise<void> {
    const object = this.objects.object(this.key);
    await writing(() => this.objects.client.send(new PutObjectCommand({ ...object, ...this.gathered() })));
  }

  /** The bytes of the pieces and those in memory. */
  private gathered(): { Body: Buffer | Readable; ContentLength: number } {
    const { pieces } = this.state;
    const bytes = this.pieceBytes;
    const rest = this.taken();
    this.stored += rest.ContentLength;
    if (pieces.length === 0) return rest;
    this.state.pieces = [];
    this.unneeded.push(...pieces.map(({ key }) => key));
    return {
      Body: Readable.from(concatenated(this.objects, pieces, rest.Body), { objectMode: false }),
      ContentLength: bytes + rest.ContentLength,
    };
  }

  private taken(): { Body: Buffer; ContentLength: number } {
    const Body = Buffer.concat(this.buffered);
    this.buffered = [];
    this.bufferedBytes = 0;
    return { Body, ContentLength: Body.length };
  }
}

async function* concatenated(
  objects: S3Objects,
  pieces: S3State['pieces'],
  rest: Buffer,
): AsyncGenerator<Buffer> {
  for (const { key, bytes } of pieces) yield* await objects.read(key, { start: 0, end: bytes - 1 });
  if (rest.length > 0) yield rest;
}

/** Completes a multipart upload, also one that was completed before without our knowing. */
export async function joinParts(
  objects: S3Objects,
  key: string,
  state: string,
  total: number,
): Promise<void> {
  const { uploadId: UploadId, parts } = readState(state);
  const upload = { ...objects.object(key), UploadId };
  try {
    const Parts = await listParts(objects, upload);
    if (Parts.length !== parts) throw new Error(`There are ${Parts.length} parts, not ${parts}.`);
    await objects.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    if ((error as Error).name !== 'NoSuchUpload' || (await sizeOf(objects, key)) !== total)
      throw new StoreUnavailable(error, true);
  }
}

export async function discardParts(objects: S3Objects, key: string, state: string | null): Promise<void> {
  const { uploadId: UploadId, pieces } = readState(state);
  if (UploadId !== undefined) {
    try {
      await objects.client.send(new AbortMultipartUploadCommand({ ...objects.object(key), UploadId }));
    } catch (error) {
      if ((error as Error).name !== 'NoSuchUpload') throw new StoreUnavailable(error);
    }
  }
  for (const piece of pieces) await objects.remove(piece.key);
  await objects.remove(key);
}

async function listParts(
  { client }: S3Objects,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
): Promise<CompletedPart[]> {
  const found: CompletedPart[] = [];
  for (let marker: string | undefined, isTruncated = true; isTruncated && found.length <= MAX_PARTS;) {
    const page = await client.send(new ListPartsCommand({ ...upload, PartNumberMarker: marker }));
    for (const { PartNumber, ETag } of page.Parts ?? []) found.push({ PartNumber, ETag });
    isTruncated = page.IsTruncated === true;
    marker = page.NextPartNumberMarker;
  }
  return found;
}

async function sizeOf(objects: S3Objects, key: string): Promise<number | undefined> {
  const found = await objects.client.send(new HeadObjectCommand(objects.object(key))).catch(() => undefined);
  return found?.ContentLength;
}

async function writing<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw new StoreUnavailable(error, true);
  }
}

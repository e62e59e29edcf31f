import { Readable } from 'node:stream';
import type { AbortMultipartUploadCommandInput, CompletedPart, S3Client } from '@aws-sdk/client-s3';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { digestOf } from '../platform/random/random.js';
import { CHUNK_BYTES, SEALED_CHUNK_BYTES } from '../platform/sealing/chunk-seal.js';
import { MIB } from '../platform/settings/units.js';
import type { Appending, StoredPart } from './file-store.js';
import { newPieceKey, StoreUnavailable } from './file-store.js';

/** What an appending keeps in memory, at most: the chunks of 8 MiB, so that clients who send multiples of that leave no rest. */
const PIECE_BYTES = ((8 * MIB) / CHUNK_BYTES) * SEALED_CHUNK_BYTES;
export const APPEND_MEMORY = PIECE_BYTES;
/** The most that S3 takes of one upload. */
export const MAX_PARTS = 10_000;
/** So many pieces of less than `PIECE_BYTES` become one with the next. */
const MAX_SMALL_PIECES = 32;

/** An object with some bytes of a file. */
interface Piece {
  key: string;
  bytes: number;
}

/** The state of a file that arrives in parts. */
interface S3State {
  /** Of the multipart upload, once there is a part of it. */
  uploadId?: string;
  /** How many parts of it are complete. All have the same size, but the last. */
  parts: number;
  /** Of the ETags of the parts, in order: see `digestWith`. */
  digest: string;
  /** Objects with the bytes after the last part, which are fewer than a part must have. */
  pieces: Piece[];
}

/** The objects of a store, as parts and pieces are made of them. */
export interface S3Objects {
  client: S3Client;
  /** How long the server may take for a response, after each `PIECE_BYTES` of a request. */
  maxWaitMs: number;
  object(key: string): { Bucket: string; Key: string };
  read(key: string, range: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
}

/** What is sent to a store. */
interface Content {
  Body: Buffer | Readable;
  ContentLength: number;
}

export function readState(state: string | null): S3State {
  return state === null ? { parts: 0, digest: '', pieces: [] } : (JSON.parse(state) as S3State);
}

/** The digest of the ETags of parts, with that of another part after them. */
function digestWith(digest: string, ETag: string | undefined): string {
  return digestOf(`${digest} ${ETag?.replaceAll('"', '')}`);
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
  /** The multipart upload that `save` has returned. */
  private savedUploadId: string | undefined;
  /** The keys of pieces since then. */
  private unsaved: string[] = [];

  constructor(
    private readonly objects: S3Objects,
    private readonly key: string,
    { bytes, state }: StoredPart,
    private readonly total: number,
    maxParts = MAX_PARTS,
  ) {
    this.state = readState(state);
    this.savedUploadId = this.state.uploadId;
    this.stored = bytes;
    this.partBytes = PIECE_BYTES * Math.max(1, Math.ceil(total / (PIECE_BYTES * maxParts)));
  }

  async write(bytes: Buffer): Promise<void> {
    this.buffered.push(bytes);
    this.bufferedBytes += bytes.length;
    const room = this.partBytes - sizeOfAll(this.state.pieces);
    if (this.bufferedBytes >= Math.min(PIECE_BYTES, room)) await this.flush();
  }

  async save(isAll: boolean): Promise<StoredPart & { unneeded: string[] }> {
    const isWhole = this.stored + this.bufferedBytes === this.total;
    if (isWhole && this.state.uploadId === undefined) await this.putWhole();
    else if (isWhole && this.bufferedBytes + this.state.pieces.length > 0) await this.putPart();
    else if (isAll && this.bufferedBytes > 0) await this.putPiece();
    const isFinished = isWhole && this.state.uploadId === undefined;
    const { unneeded } = this;
    this.unneeded = [];
    this.unsaved = [];
    this.savedUploadId = this.state.uploadId;
    return { bytes: this.stored, state: isFinished ? null : JSON.stringify(this.state), unneeded };
  }

  async flush(): Promise<void> {
    if (this.bufferedBytes === 0) return;
    if (sizeOfAll(this.state.pieces) + this.bufferedBytes >= this.partBytes) await this.putPart();
    else await this.putPiece();
  }

  /** What cannot be removed now is removed by the orphan sweep. */
  async close(): Promise<void> {
    this.buffered = [];
    const { client } = this.objects;
    const { uploadId: UploadId } = this.state;
    const upload = { ...this.objects.object(this.key), UploadId };
    await Promise.allSettled([
      UploadId !== this.savedUploadId && abortUpload(client, upload),
      ...this.unsaved.map((key) => this.objects.remove(key)),
    ]);
  }

  private async putPiece(): Promise<void> {
    const key = newPieceKey(this.key);
    const content = this.gathered(this.dueForMerge);
    this.unsaved.push(key);
    await this.send(content, (body) => new PutObjectCommand({ ...this.objects.object(key), ...body }));
    this.state.pieces.push({ key, bytes: content.ContentLength });
  }

  private async putPart(): Promise<void> {
    const object = this.objects.object(this.key);
    this.state.uploadId ??= (
      await writing(() => this.objects.client.send(new CreateMultipartUploadCommand(object)))
    ).UploadId;
    const part = { ...object, UploadId: this.state.uploadId, PartNumber: this.state.parts + 1 };
    const content = this.gathered(this.state.pieces);
    const { ETag } = await this.send(content, (body) => new UploadPartCommand({ ...part, ...body }));
    this.state.parts += 1;
    this.state.digest = digestWith(this.state.digest, ETag);
  }

  private async putWhole(): Promise<void> {
    const object = this.objects.object(this.key);
    const content = this.gathered(this.state.pieces);
    await this.send(content, (body) => new PutObjectCommand({ ...object, ...body }));
  }

  private send(
    content: Content,
    commandOf: (content: Content) => PutObjectCommand | UploadPartCommand,
  ): Promise<{ ETag?: string | undefined }> {
    const requestTimeout = this.objects.maxWaitMs * Math.max(1, content.ContentLength / PIECE_BYTES);
    const command = commandOf(content) as UploadPartCommand;
    return writing(() => this.objects.client.send(command, { requestTimeout }));
  }

  /** The last pieces that become one with the next, so that a part is made of few. */
  private get dueForMerge(): Piece[] {
    const { pieces } = this.state;
    const small = pieces.slice(pieces.findLastIndex(({ bytes }) => bytes >= PIECE_BYTES) + 1);
    const isDue = small.length >= MAX_SMALL_PIECES || sizeOfAll(small) + this.bufferedBytes >= PIECE_BYTES;
    return isDue ? small : [];
  }

  /** The bytes of the last pieces, which are needed no more, and those in memory. */
  private gathered(pieces: Piece[]): Content {
    const bytes = sizeOfAll(pieces);
    const rest = this.taken();
    this.stored += rest.length;
    if (pieces.length === 0) return { Body: rest, ContentLength: rest.length };
    this.state.pieces = this.state.pieces.filter((piece) => !pieces.includes(piece));
    this.unneeded.push(...pieces.map(({ key }) => key));
    return {
      Body: Readable.from(concatenated(this.objects, pieces, rest), { objectMode: false }),
      ContentLength: bytes + rest.length,
    };
  }

  private taken(): Buffer {
    const bytes = Buffer.concat(this.buffered);
    this.buffered = [];
    this.bufferedBytes = 0;
    return bytes;
  }
}

function sizeOfAll(pieces: Piece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function* concatenated(objects: S3Objects, pieces: Piece[], rest: Buffer): AsyncGenerator<Buffer> {
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
  const { uploadId: UploadId, digest } = readState(state);
  const upload = { ...objects.object(key), UploadId };
  try {
    const Parts = await listParts(objects, upload);
    const found = Parts.reduce((before, { ETag }) => digestWith(before, ETag), '');
    if (found !== digest) throw new Error('The parts in the store are not those that were confirmed.');
    await objects.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    if ((error as Error).name !== 'NoSuchUpload' || (await sizeOf(objects, key)) !== total)
      throw new StoreUnavailable(error, true);
  }
}

export async function discardParts(objects: S3Objects, key: string, state: string | null): Promise<void> {
  const { uploadId: UploadId, pieces } = readState(state);
  if (UploadId !== undefined) await abortUpload(objects.client, { ...objects.object(key), UploadId });
  for (const piece of pieces) await objects.remove(piece.key);
  await objects.remove(key);
}

/** Does nothing when there is no such upload. */
export async function abortUpload(client: S3Client, upload: AbortMultipartUploadCommandInput): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    if ((error as Error).name !== 'NoSuchUpload') throw new StoreUnavailable(error);
  }
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

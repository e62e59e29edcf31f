import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type {
  ListMultipartUploadsCommandOutput,
  MultipartUpload,
  PutObjectCommandInput,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { eachDespiteErrors } from '../platform/scheduling/each-despite-errors.js';
import type { Proxies } from '../platform/settings/proxies.js';
import type { ByteRange } from '../platform/sealing/chunk-streams.js';
import type { Appending, StoredObject, StoredPart } from './file-store.js';
import {
  FileStore,
  INSTALLATION_ID_NAME,
  isStorageKey,
  MAX_INSTALLATION_ID_BYTES,
  NO_INSTALLATION_ID,
  StoreUnavailable,
} from './file-store.js';
import type { S3Objects } from './s3-appending.js';
import {
  abortUpload,
  APPEND_MEMORY,
  discardParts,
  joinParts,
  MAX_PARTS,
  readState,
  S3Appending,
} from './s3-appending.js';
import { ExactObject, limitResponses } from './s3-limits.js';

const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 1000;
/** Pages of a list, of a thousand objects each: a list without end is not read without end. */
const MAX_PAGES = 10_000;
const MAX_UNFINISHED = 10_000;

export interface S3Address {
  endpoint: string | undefined;
  bucket: string;
  region: string;
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  /** Whether requests name the bucket in the path; by default only those to an endpoint of its own. */
  pathStyle?: boolean | undefined;
  /** A folder in the bucket, outside of which nothing is touched. */
  prefix?: string | undefined;
  /** Without them the server is reached directly. */
  proxies?: Proxies | undefined;
}

/**
 * The options of the SDK's connections. A slow download occupies one, and must not make others wait for one. Through a
 * proxy they are agents, because the SDK replaces options by agents of its own for larger objects.
 */
function agents(endpoint: string, proxies: Proxies | undefined) {
  const options = { maxSockets: MAX_CONNECTIONS };
  if (proxies?.of(new URL(endpoint)) === undefined) return { httpAgent: options, httpsAgent: options };
  const proxied = { ...options, keepAlive: true, timeout: CONNECT_TIMEOUT_MS, proxyEnv: proxies.ofAgents };
  return { httpAgent: new HttpAgent(proxied), httpsAgent: new HttpsAgent(proxied) };
}

/** Objects in a bucket of any S3-compatible server. */
export class S3FileStore extends FileStore {
  readonly appendMemory = APPEND_MEMORY;
  private readonly client: S3Client;
  private readonly bucket: string;
  /** With a slash at its end, if there is one. */
  private readonly prefix: string;

  /**
   * @param maxWaitMs how long the server may take for a response
   * @param maxParts how many parts one upload may have
   */
  constructor(
    { endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle, prefix, proxies }: S3Address,
    private readonly maxWaitMs = REQUEST_TIMEOUT_MS,
    private readonly maxParts = MAX_PARTS,
  ) {
    super();
    this.bucket = bucket;
    this.prefix = prefix === undefined ? '' : `${prefix}/`;
    this.client = new S3Client({
      region,
      endpoint,
      forcePathStyle: pathStyle ?? endpoint !== undefined,
      // without configured keys the SDK uses those of the machine's role
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: maxWaitMs,
        throwOnRequestTimeout: true,
        ...agents(endpoint ?? `https://s3.${region}.amazonaws.com`, proxies),
      },
    });
    limitResponses(this.client, maxWaitMs);
  }

  get place(): string {
    return this.prefix === '' ? `bucket ${this.bucket}` : `folder ${this.prefix} of bucket ${this.bucket}`;
  }

  async put(key: string, bytes: Readable): Promise<void> {
    const upload = new Upload({
      client: this.client,
      params: { ...this.object(key), Body: bytes },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    try {
      await upload.done(); // aborts the upload when it fails
    } catch (error) {
      const isSourceAtFault = bytes.errored !== null;
      bytes.destroy();
      throw isSourceAtFault ? error : new StoreUnavailable(error, true);
    }
  }

  append(key: string, from: StoredPart, total: number): Promise<Appending> {
    return Promise.resolve(new S3Appending(this.objects, key, from, total, this.maxParts));
  }

  join(key: string, state: string, total: number): Promise<void> {
    return joinParts(this.objects, key, state, total);
  }

  discard(key: string, state: string | null): Promise<void> {
    return discardParts(this.objects, key, state);
  }

  async read(key: string, { start, end }: ByteRange): Promise<Readable> {
    return this.request(async () => {
      const object = { ...this.object(key), Range: `bytes=${start}-${end}` };
      const { Body } = await this.client.send(new GetObjectCommand(object));
      return new ExactObject(Body as Readable, end - start + 1, this.maxWaitMs);
    });
  }

  async remove(key: string): Promise<void> {
    await this.request(() => this.client.send(new DeleteObjectCommand(this.object(key))));
  }

  async *list(): AsyncIterable<StoredObject> {
    const pages = paginateListObjectsV2(
      { client: this.client, stopOnSameToken: true },
      { Bucket: this.bucket, Prefix: this.prefix },
    );
    let count = 0;
    for await (const { Contents = [] } of pages) {
      if (++count > MAX_PAGES) throw new StoreUnavailable(new Error('The list does not end.'));
      for (const { Key, LastModified } of Contents) {
        const key = this.ownKey(Key);
        if (key !== undefined && LastModified !== undefined) yield { key, modifiedAt: LastModified };
      }
    }
  }

  async abortIncompleteUploads(
    startedBefore: Date,
    statesOf: (keys: string[]) => Promise<string[]>,
  ): Promise<void> {
    const old = (await this.unfinishedUploads()).filter(
      ({ Key, Initiated }) => this.ownKey(Key) !== undefined && Initiated && Initiated <= startedBefore,
    );
    const states = await statesOf(old.map(({ Key }) => this.ownKey(Key) ?? ''));
    const named = new Set(states.map((state) => readState(state).uploadId));
    await eachDespiteErrors(old, async ({ Key, UploadId }) => {
      if (!named.has(UploadId)) await abortUpload(this.client, { Bucket: this.bucket, Key, UploadId });
    });
  }

  async readInstallationId(): Promise<string | undefined> {
    try {
      const object = this.object(INSTALLATION_ID_NAME);
      const { Body, ContentLength = 0 } = await this.client.send(new GetObjectCommand(object));
      const bytes = Body as Readable;
      if (ContentLength <= MAX_INSTALLATION_ID_BYTES)
        return (await text(new ExactObject(bytes, ContentLength, this.maxWaitMs))).trim();
      bytes.destroy();
      return NO_INSTALLATION_ID;
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw new StoreUnavailable(error);
    }
  }

  async writeInstallationId(id: string, replaces = false): Promise<void> {
    const object = { ...this.object(INSTALLATION_ID_NAME), Body: `${id}\n` };
    try {
      const isNewOnly = !replaces && (await this.putNew(object));
      if (!isNewOnly) await this.client.send(new PutObjectCommand(object));
    } catch (error) {
      throw new StoreUnavailable(error, true);
    }
  }

  override async probe(): Promise<void> {
    await this.request(() => this.client.send(new HeadBucketCommand({ Bucket: this.bucket })));
  }

  /** The next sweep handles those after ten thousand. */
  private async unfinishedUploads(): Promise<MultipartUpload[]> {
    const found: MultipartUpload[] = [];
    let page: ListMultipartUploadsCommandOutput | undefined;
    try {
      do {
        const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page ?? {};
        const after = { KeyMarker, UploadIdMarker };
        page = await this.client.send(
          new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: this.prefix, ...after }),
        );
        found.push(...(page.Uploads ?? []));
      } while (page.IsTruncated && found.length < MAX_UNFINISHED);
      return found;
    } catch (error) {
      if ((error as Error).name === 'NotImplemented') return []; // some servers abort them by themselves
      throw error;
    }
  }

  /** Puts an object unless there is one of its key. Returns whether the server can do that. */
  private async putNew(object: PutObjectCommandInput): Promise<boolean> {
    try {
      await this.client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }));
      return true;
    } catch (error) {
      const status = (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;
      if (status === 409 || status === 412) return true; // there is one
      if (status === 400 || status === 501) return false;
      throw error;
    }
  }

  private get objects(): S3Objects {
    return {
      client: this.client,
      maxWaitMs: this.maxWaitMs,
      object: (key) => this.object(key),
      read: (key, range) => this.read(key, range),
      remove: (key) => this.remove(key),
    };
  }

  private object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }

  /** Our key of an object; undefined when it is not ours, or in another folder. */
  private ownKey(name = ''): string | undefined {
    const key = name.slice(this.prefix.length);
    return name.startsWith(this.prefix) && isStorageKey(key) ? key : undefined;
  }

  private async request<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw new StoreUnavailable(error);
    }
  }
}

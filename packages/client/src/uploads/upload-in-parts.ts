import type { ReceivedResponse, SendRequest } from './sent-request.js';
import type { Content } from './content.js';

/** Where the uploads of a form go, and what they are for. */
export interface UploadTarget {
  /** Without a slash at its end. */
  path: string;
  /** Of the largest part. */
  partBytes: number;
  /** Of each upload, besides what its file is. */
  metadata: Record<string, string>;
}

/** Takes uploads by tus 1.0: https://tus.io/protocols/resumable-upload */
export interface UploadServer extends UploadTarget {
  send: SendRequest;
  /** Has it delete an upload. Nobody waits for that. */
  remove: (path: string) => void;
  /** Waits so long, or less when it may work again. Rejects when the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A response that stays the same however often it is asked for. */
export class Refused extends Error {
  constructor(readonly response: ReceivedResponse) {
    super();
  }
}

/** The line broke, or the server cannot do it at the moment. */
class Interrupted extends Error {
  constructor(readonly waitMs?: number) {
    super();
  }
}

/** Headers of every request. */
export const PROTOCOL = { 'Tus-Resumable': '1.0.0' };
const TYPE_OF_PARTS = 'application/offset+octet-stream';

/** Parts become smaller while they do not arrive: a proxy may refuse them, or the line be bad. Every proxy takes this one. */
const MIN_PART_BYTES = 1024 * 1024;

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** Whoever is told to wait longer than this hears of it. */
const MAX_RETRY_AFTER_S = 300;

/** One file on its way to the server, in parts. After a break it continues with what the server does not have. */
export class UploadInParts {
  /** Bytes that the server has, as it said last. */
  private acknowledged = 0;
  /** Whether that is still so: not after a break. */
  private isKnown = false;
  /** Whether the server does not have the upload any more. */
  private isGone = false;
  private sending = 0;
  private partBytes: number;
  /** Whether it waits after a break. */
  isWaiting = false;
  /** Called whenever something of it has changed. */
  onChange: () => void = () => undefined;
  /** Called when the server has begun it or taken a part. */
  onAcknowledged: (upload: { path: string; bytes: number; expires: string | null }) => void = () => undefined;

  /** @param path of an upload that was begun before */
  constructor(
    private readonly content: Content,
    private readonly server: UploadServer,
    public path?: string,
  ) {
    this.partBytes = server.partBytes;
  }

  /** The name under which a push takes it. */
  get id(): string {
    return this.path?.split('/').at(-1) ?? '';
  }

  get size(): number {
    return this.content.size;
  }

  /** Bytes that were sent, for all that is known. */
  get sent(): number {
    return this.acknowledged + this.sending;
  }

  get isSending(): boolean {
    return this.sending > 0;
  }

  get isFinished(): boolean {
    return this.path !== undefined && this.isKnown && this.acknowledged === this.size;
  }

  /** Has the server be asked what it has before anything else. */
  doubt(): void {
    this.isKnown = false;
  }

  /**
   * Sends what the server does not have, for as long as that takes. May be called again after it has failed.
   * @throws Refused, Unreadable, or the reason of the signal
   */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    this.isGone = false; // nobody is told of the uploads of others, and the visitor may have signed in again
    while (!this.isFinished) {
      signal.throwIfAborted();
      const before = this.acknowledged;
      try {
        await this.step(signal);
        this.set({ isWaiting: false });
      } catch (error) {
        this.sending = 0;
        this.isKnown = false;
        signal.throwIfAborted();
        if (!(error instanceof Interrupted)) throw error;
        this.set({ isWaiting: true });
        await this.server.wait(error.waitMs ?? Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS), signal);
        failures++;
      }
      if (this.acknowledged > before) failures = 0;
    }
  }

  /** Has the server delete what it has. */
  end(): void {
    if (this.path === undefined) return;
    this.server.remove(this.path);
    this.path = undefined;
    this.acknowledged = 0;
    this.doubt();
  }

  private async step(signal: AbortSignal): Promise<void> {
    if (this.path === undefined || this.isGone) await this.create(signal);
    else if (!this.isKnown) await this.ask(this.path, signal);
    else await this.sendPart(this.path, signal);
  }

  private async create(signal: AbortSignal): Promise<void> {
    const { name, type, size } = this.content;
    const metadata = { filename: name, filetype: type, ...this.server.metadata };
    const headers = { 'Upload-Length': String(size), 'Upload-Metadata': inMetadata(metadata) };
    const response = await this.request('POST', this.server.path, headers, signal);
    const id = /[^/]+$/.exec(response.header('Location') ?? '')?.[0];
    if (response.status !== 201 || id === undefined) throw failure(response);
    this.path = `${this.server.path}/${id}`; // the server may not know its public host name
    this.isGone = false;
    this.acknowledge(this.path, 0, response);
  }

  private async ask(path: string, signal: AbortSignal): Promise<void> {
    const response = await this.request('HEAD', path, {}, signal);
    const [offset, size] = ['Upload-Offset', 'Upload-Length'].map((name) => numberIn(response, name));
    if (![200, 204].includes(response.status) || offset === undefined) throw this.failureOfKnown(response);
    if (size === this.size && this.content.isReadableFrom(offset)) this.acknowledge(path, offset, response);
    else this.end();
  }

  private async sendPart(path: string, signal: AbortSignal): Promise<void> {
    const offset = this.acknowledged;
    const body = await this.content.part(offset, this.partBytes);
    const headers = { 'Upload-Offset': String(offset), 'Content-Type': TYPE_OF_PARTS };
    try {
      const response = await this.request('PATCH', path, headers, signal, body);
      const acknowledged = numberIn(response, 'Upload-Offset');
      if (response.status !== 204 || acknowledged === undefined || acknowledged > offset + body.size)
        throw this.failureOfKnown(response, body.size);
      this.partBytes = Math.min(this.partBytes * 2, this.server.partBytes);
      this.acknowledge(path, acknowledged, response);
    } catch (error) {
      if (!signal.aborted) this.partBytes = Math.max(MIN_PART_BYTES, this.partBytes / 2);
      throw error;
    }
  }

  private acknowledge(path: string, bytes: number, response: ReceivedResponse): void {
    this.acknowledged = bytes;
    this.isKnown = true;
    this.set({ sending: 0 });
    this.onAcknowledged({ path, bytes, expires: response.header('Upload-Expires') });
  }

  /** @throws Interrupted without a response */
  private async request(
    method: string,
    url: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    body?: Blob,
  ): Promise<ReceivedResponse> {
    const onProgress = (sending: number) => {
      this.set({ sending });
    };
    const request = { method, url, headers: { ...PROTOCOL, ...headers }, body, signal, onProgress };
    return this.server.send(request).catch(() => {
      throw new Interrupted();
    });
  }

  /** @param sentBytes of a part */
  private failureOfKnown(response: ReceivedResponse, sentBytes?: number): Error {
    if (![404, 410].includes(response.status)) return failure(response, sentBytes);
    this.isGone = true;
    this.acknowledged = 0;
    return new Interrupted();
  }

  private set(change: { isWaiting?: boolean; sending?: number }): void {
    Object.assign(this, change);
    this.onChange();
  }
}

/** @param sentBytes of a part */
function failure(response: ReceivedResponse, sentBytes = 0): Error {
  const { status } = response;
  const retryAfter = numberIn(response, 'Retry-After');
  const isPassing =
    status < 400 || // from something between the browser and the server
    status >= 500 ||
    [408, 409, 423, 425, 429].includes(status) ||
    (status === 413 && sentBytes > MIN_PART_BYTES);
  if (!isPassing || (retryAfter ?? 0) > MAX_RETRY_AFTER_S) return new Refused(response);
  return new Interrupted(retryAfter && 1000 * retryAfter);
}

function numberIn({ header }: ReceivedResponse, name: string): number | undefined {
  const value = header(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** Keys, each with a value in base64 of its UTF-8. */
function inMetadata(values: Record<string, string>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',');
}

import type { ReceivedResponse, SendRequest } from './sent-request.js';
import type { Content } from './content.js';

/** Where the uploads of a form go, and what they are for. */
export interface UploadTarget {
  /** Without a slash at its end. */
  path: string;
  /** Of the largest part. Less once something between the browser and the server has refused one. */
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

/** The server has deleted an upload of which it had a part. Sent again, it begins anew. */
export class Ended extends Error {
  constructor(readonly upload: UploadInParts) {
    super();
  }
}

/** The line broke, or the server cannot do it at the moment. */
class Interrupted extends Error {
  /** @param response if there was one */
  constructor(readonly response?: ReceivedResponse) {
    super();
  }
}

/** A part is refused that may pass if it is smaller. */
class PartTooLarge extends Error {}

/** Headers of every request. */
export const PROTOCOL = { 'Tus-Resumable': '1.0.0' };
const TYPE_OF_PARTS = 'application/offset+octet-stream';

/** Parts become smaller while they do not arrive: a proxy may refuse them, or the line be bad. Every proxy takes this one. */
const MIN_PART_BYTES = 1024 * 1024;
/** Of a proxy that has waited too long for the rest of the part, or for its response. */
const TOO_SLOW = [408, 504];
/** The server cannot do it at the moment, and says why. */
const BUSY = [429, 503];
/** So many equal responses are not chance. */
const COMPLAINT_AFTER = 3;

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
  /** Bytes of the parts that arrived. */
  private delivered = 0;
  /** Since bytes have arrived. */
  private interruptions: Interrupted[] = [];
  private partBytes: number;
  /** Whether it waits after a break. */
  isWaiting = false;
  /** When the server deletes it, in milliseconds since 1970, if it has said so. */
  endsAt: number | undefined;
  /** Called whenever something of it has changed. */
  onChange: () => void = () => undefined;
  /** Called when the server has begun it or taken a part. */
  onAcknowledged: (upload: { path: string; bytes: number; endsAt?: number }) => void = () => undefined;

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

  /** Bytes that were sent from here: not those that the server had already. */
  get transferred(): number {
    return this.delivered + this.sending;
  }

  get isSending(): boolean {
    return this.sending > 0;
  }

  /** What the server says again and again while this waits. */
  get complaint(): ReceivedResponse | undefined {
    const responses = this.interruptions.slice(-COMPLAINT_AFTER).map(({ response }) => response);
    const last = responses.at(-1);
    const isRepeated =
      responses.length === COMPLAINT_AFTER &&
      responses.every((response) => response?.status === last?.status);
    return this.isWaiting && isRepeated && last && BUSY.includes(last.status) ? last : undefined;
  }

  get isFinished(): boolean {
    return this.path !== undefined && this.isKnown && this.acknowledged === this.size;
  }

  /** Has the server be asked what it has before anything else. It may have nothing any more. */
  doubt(): void {
    this.isKnown = false;
    this.acknowledged = 0;
  }

  /**
   * Sends what the server does not have, for as long as that takes. May be called again after it has failed.
   * @throws Refused, Ended, Unreadable, or the reason of the signal
   */
  async run(signal: AbortSignal): Promise<void> {
    this.interruptions = [];
    this.isWaiting = false;
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
        await this.waitAfter(error, signal);
      }
      if (this.acknowledged > before) this.interruptions = [];
    }
  }

  /** @throws the error, unless it will pass */
  private async waitAfter(error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof PartTooLarge) return; // a smaller one can be sent at once
    if (!(error instanceof Interrupted)) throw error;
    const seconds = error.response && numberIn(error.response, 'Retry-After');
    const longer = Math.min(FIRST_WAIT_MS * 2 ** this.interruptions.length, MAX_WAIT_MS);
    this.interruptions.push(error);
    this.set({ isWaiting: true });
    await this.server.wait(seconds ? 1000 * seconds : longer, signal);
  }

  /** Has the server delete what it has. */
  end(): void {
    if (this.path === undefined) return;
    this.server.remove(this.path);
    this.path = this.endsAt = undefined;
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
    if (response.status !== 201 || id === undefined) throw failureToBegin(response);
    this.path = `${this.server.path}/${id}`; // the server may not know its public host name
    this.isGone = false;
    if (this.acknowledged > 0) {
      this.end(); // whoever is still allowed to begin one is told that theirs has ended, before all is sent again
      throw new Ended(this);
    }
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
    this.partBytes = Math.min(this.partBytes, this.server.partBytes);
    const body = await this.content.part(offset, this.partBytes);
    signal.throwIfAborted(); // to encrypt it takes time
    const headers = { 'Upload-Offset': String(offset), 'Content-Type': TYPE_OF_PARTS };
    const response = await this.request('PATCH', path, headers, signal, body).catch((error: unknown) => {
      if (!signal.aborted) this.sendSmallerParts();
      throw error;
    });
    const acknowledged = numberIn(response, 'Upload-Offset');
    if (response.status !== 204 || acknowledged === undefined || acknowledged > offset + body.size)
      throw this.failureOfPart(response, body.size);
    this.delivered += acknowledged - offset;
    this.partBytes *= 2;
    this.acknowledge(path, acknowledged, response);
  }

  private failureOfPart(response: ReceivedResponse, bytes: number): Error {
    if (TOO_SLOW.includes(response.status)) this.sendSmallerParts();
    if (response.status !== 413 || bytes <= MIN_PART_BYTES) return this.failureOfKnown(response);
    this.server.partBytes = Math.min(this.server.partBytes, halfOf(bytes)); // larger ones would be refused, too
    return new PartTooLarge();
  }

  private sendSmallerParts(): void {
    this.partBytes = halfOf(this.partBytes);
  }

  private acknowledge(path: string, bytes: number, response: ReceivedResponse): void {
    this.acknowledged = bytes;
    this.isKnown = true;
    this.endsAt = endIn(response) ?? this.endsAt;
    this.set({ sending: 0, isWaiting: false });
    this.onAcknowledged({ path, bytes, endsAt: this.endsAt });
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

  /** Something between the browser and the server may not find the server, while it starts again. */
  private failureOfKnown(response: ReceivedResponse): Error {
    if (![404, 410].includes(response.status)) return failure(response);
    this.isGone = response.header('Tus-Resumable') !== null;
    return new Interrupted(response);
  }

  private set(change: { isWaiting?: boolean; sending?: number }): void {
    Object.assign(this, change);
    this.onChange();
  }
}

/** Whoever has too many uploads has to end one. */
function failureToBegin(response: ReceivedResponse): Error {
  const isOfServer = response.content !== undefined;
  return response.status === 429 && isOfServer ? new Refused(response) : failure(response);
}

function failure(response: ReceivedResponse): Error {
  const { status } = response;
  const isPassing =
    status < 400 || // from something between the browser and the server
    (status >= 500 && status !== 507) || // which is too little space for all of it
    [408, 409, 423, 425, 429].includes(status);
  const hasToWaitLong = (numberIn(response, 'Retry-After') ?? 0) > MAX_RETRY_AFTER_S;
  return isPassing && !hasToWaitLong ? new Interrupted(response) : new Refused(response);
}

function halfOf(bytes: number): number {
  return Math.max(MIN_PART_BYTES, Math.floor(bytes / 2));
}

/** When an upload ends by the clock of this device, which may not be that of the server. */
function endIn({ header }: ReceivedResponse, now = Date.now()): number | undefined {
  const [expires = NaN, sentAt = NaN] = ['Upload-Expires', 'Date'].map((name) =>
    Date.parse(header(name) ?? ''),
  );
  if (Number.isNaN(expires)) return undefined;
  return Number.isNaN(sentAt) ? expires : now + expires - sentAt;
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

import { randomBytes } from 'node:crypto';
import type { ClientResponse, Client } from '../../support/client.js';
import { digest, download, formOf } from '../../support/files.js';
import type { Random } from './random.js';
import { between } from './random.js';

/** A push whose creation was acknowledged, with everything its clients know about it. */
export class TrackedPush {
  isDeletionAsked = false;
  private asked = 0;
  private answered = 0;
  private shown = 0;
  private isDeleted = false;

  constructor(
    readonly urlToken: string,
    readonly payload: string,
    readonly limit: number,
    readonly content?: Buffer,
  ) {}

  /** Retrieves it with `ask`; returns whether it was shown, and which guarantee the response breaks, if any. */
  async retrieve(
    ask: (urlToken: string) => Promise<ClientResponse>,
  ): Promise<{ isShown: boolean; fault?: string }> {
    this.asked += 1;
    const wasDeleted = this.isDeleted;
    const { status, body } = await ask(this.urlToken);
    if (status === 503) {
      return { isShown: false };
    }
    this.answered += 1;
    const isShown = status === 200 && body.payload !== null;
    if (isShown) this.shown += 1;
    return { isShown, fault: this.errorOf(status, body, wasDeleted) };
  }

  /** Deletes it with `ask`. */
  async delete(ask: (urlToken: string) => Promise<ClientResponse>): Promise<string | undefined> {
    this.isDeletionAsked = true;
    const { status, body } = await ask(this.urlToken);
    if (status === 503) return undefined;
    this.isDeleted = true;
    return status === 200 && body.deleted && body.expired ? undefined : `deleted with ${status}`;
  }

  /** What is wrong once the push can no longer be viewed. */
  get finalFault(): string | undefined {
    const unanswered = this.asked - this.answered;
    if (this.isDeletionAsked || this.shown >= this.limit - unanswered) return undefined;
    return `shown ${this.shown} of ${this.limit}, and only ${unanswered} without a response`;
  }

  private errorOf(status: number, body: ClientResponse['body'], wasDeleted: boolean): string | undefined {
    if (status !== 200) return `lost: ${status} ${JSON.stringify(body)}`;
    if (body.expired) {
      return this.isDeletionAsked || this.asked > this.limit ? undefined : `ended after ${this.asked} views`;
    }
    if (body.payload !== this.payload) return 'shown with another payload';
    if (wasDeleted) return 'shown after its delete';
    return this.shown > this.limit ? `shown ${this.shown} times` : undefined;
  }
}

const RECENT = 40;
const SETTLERS = 12;

/** Whether fetch failed because the connection was refused, or broke before or during the response. */
export function isBrokenConnection(error: unknown): boolean {
  return /^(fetch failed|terminated)$/.test((error as Error).message);
}

/** The clients that send requests: one without a token, and an owner. */
export interface Callers {
  anonymous: Client;
  owner: Client;
}

/** Records what a server has acknowledged to many clients, and checks that it still holds after crashes. */
export class Ledger {
  readonly pushes: TrackedPush[] = [];
  /** Guarantees that the server has broken. */
  readonly faults: string[] = [];
  private responseCount = 0;
  private readonly awaited = new Map<number, () => void>();

  /** @param mayRefuse whether 503 is acceptable, until `settle` is called */
  constructor(private mayRefuse = false) {}

  /** Waits until `count` more requests got a response other than 503. */
  answersTo(count: number): Promise<void> {
    return new Promise((resolve) => this.awaited.set(this.responseCount + count, resolve));
  }

  /** Performs one random action; rejects when the connection breaks. */
  async act(callers: Callers, random: Random): Promise<void> {
    const chance = random();
    const recent = this.pushes.at(-between(random, 1, RECENT));
    if (chance < 0.4 || !recent) {
      await this.create(callers.owner, between(random, 1, 3));
    } else if (chance < 0.5) {
      await this.upload(callers.owner, between(random, 1, 3), between(random, 0, 100_000));
    } else if (chance < 0.93) {
      await this.retrieve(recent, callers.anonymous);
    } else {
      this.fault(
        recent,
        await recent.delete((urlToken) => this.count(callers.owner.delete(`/api/v2/pushes/${urlToken}`))),
      );
    }
  }

  /** Retrieves every push until it has ended: by then it must have been shown exactly as often as allowed. */
  async settle({ anonymous }: Callers): Promise<void> {
    this.mayRefuse = false;
    const rest = [...this.pushes];
    const settler = async () => {
      for (let push = rest.pop(); push; push = rest.pop()) {
        const preview = await anonymous.get(`/api/v2/pushes/${push.urlToken}/preview`);
        if (preview.status !== 200) this.fault(push, `has no preview: ${preview.status}`);
        for (let i = 0; i <= push.limit; i++) await this.retrieve(push, anonymous);
        this.fault(push, push.finalFault);
      }
    };
    await Promise.all(Array.from({ length: SETTLERS }, settler));
  }

  private async create(owner: Client, limit: number): Promise<void> {
    const payload = `tulip ${randomBytes(12).toString('hex')}`;
    const push = { payload, expire_after_views: limit, deletable_by_viewer: true };
    this.recordPush(await this.count(owner.post('/api/v2/pushes', { push })), payload, limit);
  }

  private async upload(owner: Client, limit: number, size: number): Promise<void> {
    const payload = `rose ${randomBytes(12).toString('hex')}`;
    const content = randomBytes(size);
    const fields = { payload, expire_after_views: String(limit), deletable_by_viewer: 'true' };
    const form = formOf([{ name: 'a.bin', content }], fields);
    this.recordPush(await this.count(owner.post('/api/v2/pushes', form)), payload, limit, content);
  }

  private async retrieve(push: TrackedPush, anonymous: Client): Promise<void> {
    let shown: ClientResponse | undefined;
    const ask = async (urlToken: string) => (shown = await this.count(anonymous.retrieve(urlToken)));
    const { isShown, fault } = await push.retrieve(ask);
    this.fault(push, fault);
    if (isShown && push.content) await this.fetchFile(push, shown?.body.files[0]?.url);
  }

  private async fetchFile(push: TrackedPush, url: string): Promise<void> {
    const { status, bytes } = await download(url);
    if (push.isDeletionAsked) return; // then its links and files are deleted immediately
    this.checkRefusal(status);
    if (status === 503) return;
    if (status !== 200 || digest(bytes) !== digest(push.content ?? '')) {
      this.fault(push, `its file is not whole: ${status}, ${bytes.length} bytes`);
    }
  }

  private recordPush(
    { status, body }: ClientResponse,
    payload: string,
    limit: number,
    content?: Buffer,
  ): void {
    if (status === 201) {
      this.pushes.push(new TrackedPush(body.url_token, payload, limit, content));
    } else if (status !== 503) {
      this.faults.push(`not created: ${status} ${JSON.stringify(body)}`);
    }
  }

  private async count(sending: Promise<ClientResponse>): Promise<ClientResponse> {
    const response = await sending;
    this.checkRefusal(response.status);
    if (response.status !== 503) this.awaited.get((this.responseCount += 1))?.();
    return response;
  }

  private checkRefusal(status: number): void {
    if (status === 503 && !this.mayRefuse) this.faults.push('refused with 503');
  }

  private fault(push: TrackedPush, what: string | undefined): void {
    if (what !== undefined) this.faults.push(`${push.payload}: ${what}`);
  }
}

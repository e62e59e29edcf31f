import type { ClientResponse } from '../../support/client.js';

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

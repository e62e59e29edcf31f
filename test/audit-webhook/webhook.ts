import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

const MAX_TRIES = 6;
const ANSWER_TIMEOUT_MS = 10_000;

export interface WebhookOptions {
  url: string;
  /** What both sides know; it signs every message. */
  secret: string;
  userAgent: string;
  /** The pause before the second try; each further one is twice as long. */
  firstPauseMs: number;
}

/** Posts signed JSON to one address. */
export class Webhook {
  private readonly closing = new AbortController();

  constructor(private readonly options: WebhookOptions) {}

  /** Tries a few times, ever more slowly; returns whether the message has arrived. */
  async deliver(message: object): Promise<boolean> {
    const body = JSON.stringify(message);
    for (let tries = 1; !this.closing.signal.aborted; tries++) {
      if (await this.post(body)) return true;
      if (tries === MAX_TRIES) return false;
      await this.pause(this.options.firstPauseMs * 2 ** (tries - 1));
    }
    return false;
  }

  close(): void {
    this.closing.abort();
  }

  private async post(body: string): Promise<boolean> {
    const { url, userAgent } = this.options;
    const sentAt = String(Math.floor(Date.now() / 1000)); // signed too, so that an old message cannot be sent again
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      'X-Signature': `t=${sentAt},sha256=${this.sign(`${sentAt}.${body}`)}`,
    };
    try {
      const { ok } = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
      return ok;
    } catch {
      return false;
    }
  }

  private sign(text: string): string {
    return createHmac('sha256', this.options.secret).update(text).digest('hex');
  }

  private async pause(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

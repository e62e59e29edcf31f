import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealsRows } from '../../platform/sealing/row-key-rotation.js';
import { RowSeal } from '../../platform/sealing/row-seal.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { Webhook } from './webhook.entity.js';

const SECRET_BYTES = 32;

/** How long the previous secret still signs after a new one was made. */
const OVERLAP_MS = DAY_MS;

/** What is sealed in the row of a webhook. */
interface WebhookContents {
  url: string;
  secret: string;
  /** The secret before this one, and until when it signs as well, in milliseconds since 1970. */
  previous?: { secret: string; until: number };
}

type BoundColumns = Pick<Webhook, 'id' | 'userId'>;

/** Seals what webhooks contain, bound to the account. */
@Injectable()
@SealsRows(Webhook)
export class WebhookSeal extends RowSeal<WebhookContents, BoundColumns> {
  protected readonly kind = 'webhook';

  protected contextOf({ id, userId }: BoundColumns): string {
    return `webhooks/${id}/${userId ?? 'instance'}`;
  }
}

/** In the format of Standard Webhooks: https://www.standardwebhooks.com */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The same with another secret; the one before signs as well for a day. */
export function withSecret({ url, secret }: WebhookContents, next: string, now: Date): WebhookContents {
  return { url, secret: next, previous: { secret, until: now.getTime() + OVERLAP_MS } };
}

/** The secrets that sign a request now. */
export function secretsOf({ secret, previous }: WebhookContents, now: Date): string[] {
  return previous && previous.until > now.getTime() ? [secret, previous.secret] : [secret];
}

/** Names a secret without revealing it. */
export function fingerprintOf(secret: string): string {
  return hash('sha256', secret, 'hex').slice(0, 16);
}

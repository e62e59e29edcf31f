import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { limitInterimResponses } from '../platform/http/connections/limit-interim-responses.js';
import { KIB, MIB, SECOND_MS } from '../platform/settings/units.js';

/** Of `node:diagnostics_channel`. */
const REQUEST_CREATED = 'http.client.request.created';

/** A list of a thousand objects, with the longest keys that S3 has. */
const MAX_LIST_BYTES = 2 * MIB;
/** Any other response without an object, such as an error. */
const MAX_SHORT_BYTES = 64 * KIB;
const MIN_BYTES_PER_MS = (16 * KIB) / SECOND_MS;

/**
 * Limits what a server may send in response to requests of this client. The SDK itself collects and parses responses of
 * any length, except objects, which `ExactObject` limits.
 */
export function limitResponses(client: S3Client, maxWaitMs: number): void {
  unsubscribe(REQUEST_CREATED, limitRequest); // requests of the SDK can be reached only by this channel
  subscribe(REQUEST_CREATED, limitRequest);
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const output = await next(args);
        const response = output.response as { statusCode: number; body: Readable };
        const isFailure = response.statusCode >= 300;
        if (isFailure || commandName !== 'GetObjectCommand') {
          const maxBytes = !isFailure && commandName.startsWith('List') ? MAX_LIST_BYTES : MAX_SHORT_BYTES;
          response.body = await collect(response.body, maxBytes, maxWaitMs);
        }
        return output;
      },
    { step: 'deserialize', priority: 'low', name: 'limitResponses' }, // low: before all others that read the body
  );
}

function limitRequest(message: unknown): void {
  limitInterimResponses((message as { request: ClientRequest }).request);
}

async function collect(body: Readable, maxBytes: number, maxWaitMs: number): Promise<Readable> {
  const timeout = setTimeout(() => body.destroy(new Error('The response is incomplete.')), maxWaitMs);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new Error('The response is too long.');
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timeout);
  }
  const bytes = Buffer.concat(chunks);
  // S3 sends none, and the SDK needs time quadratic in their number
  if (/<!doctype/i.test(bytes.toString('latin1'))) throw new Error('The response has a document type.');
  return Readable.from([bytes]);
}

/**
 * The body of a response that must have exactly this length, and may make its reader wait for so long in all, plus a
 * second for each 16 KiB.
 */
export class ExactObject extends Readable {
  private received = 0;
  private waitedMs = 0;
  private waitsSince = 0;
  private timeout?: NodeJS.Timeout;

  constructor(
    private readonly body: Readable,
    private readonly length: number,
    private readonly maxWaitMs: number,
  ) {
    super();
    body.on('data', (bytes: Buffer) => {
      this.receive(bytes);
    });
    finished(body, { writable: false }, (error) => {
      const isShort = this.received < this.length;
      if (error || isShort) this.destroy(error ?? new Error('The object is shorter than expected.'));
      else this.push(null);
    });
  }

  override _read(): void {
    if (this.timeout) return;
    this.waitsSince = performance.now();
    const ms = this.maxWaitMs + this.received / MIN_BYTES_PER_MS - this.waitedMs;
    this.timeout = setTimeout(() => this.destroy(new Error('The object arrives too slowly.')), ms);
    this.body.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.stopWaiting();
    this.body.destroy();
    done(error);
  }

  private receive(bytes: Buffer): void {
    this.stopWaiting();
    this.received += bytes.length;
    if (this.received > this.length) this.destroy(new Error('The object is longer than expected.'));
    else if (!this.push(bytes)) this.body.pause();
  }

  private stopWaiting(): void {
    if (!this.timeout) return;
    clearTimeout(this.timeout);
    this.timeout = undefined;
    this.waitedMs += performance.now() - this.waitsSince;
  }
}

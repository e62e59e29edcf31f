import { request } from 'node:http';
import type { Client, ClientResponse } from './client.js';

export const UPLOADS = '/api/v2/uploads';
const TUS = { 'Tus-Resumable': '1.0.0' };
const PART = { ...TUS, 'Content-Type': 'application/offset+octet-stream' };

type Headers = Record<string, string>;

/** An upload that was begun, by the protocol tus. */
export class TusUpload {
  constructor(
    private readonly client: Client,
    readonly url: string,
  ) {}

  get id(): string {
    return this.url.slice(this.url.lastIndexOf('/') + 1);
  }

  /** The same upload for another client. */
  by(client: Client): TusUpload {
    return new TusUpload(client, client.url + this.path);
  }

  head(): Promise<ClientResponse> {
    return this.client.send('HEAD', this.path, undefined, TUS);
  }

  async offset(): Promise<number> {
    return Number((await this.head()).headers.get('Upload-Offset'));
  }

  part(offset: number, bytes: Buffer | string, headers: Headers = {}): Promise<ClientResponse> {
    return this.client.send('PATCH', this.path, new Uint8Array(Buffer.from(bytes)), {
      ...PART,
      'Upload-Offset': String(offset),
      ...headers,
    });
  }

  /** Sends the beginning of a part of this length. */
  beginPart(offset: number, length: number, bytes: Buffer, headers: Headers = {}) {
    const sending = request(this.url, {
      method: 'PATCH',
      headers: {
        ...this.client.headers,
        ...PART,
        'Upload-Offset': String(offset),
        'Content-Length': String(length),
        ...headers,
      },
    });
    const status = new Promise<number>((resolve, reject) => {
      sending.once('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
      });
      sending.once('error', reject);
    });
    status.catch(() => undefined);
    sending.write(bytes);
    return { sending, status };
  }

  /** Sends the rest of a content in parts of this size. */
  async sendRest(content: Buffer, size = content.length): Promise<void> {
    for (let offset = await this.offset(); offset < content.length;) {
      const { status, headers, body } = await this.part(offset, content.subarray(offset, offset + size));
      if (status !== 204) throw new Error(`not accepted: ${status} ${JSON.stringify(body)}`);
      offset = Number(headers.get('Upload-Offset'));
    }
  }

  end(): Promise<ClientResponse> {
    return this.client.send('DELETE', this.path, undefined, TUS);
  }

  private get path(): string {
    return new URL(this.url).pathname;
  }
}

/** The value of Upload-Metadata. */
export function metadataOf(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join();
}

export function tryToBegin(
  client: Client,
  length: number | string,
  metadata: Record<string, string> = {},
  headers: Headers = {},
  body?: Buffer,
): Promise<ClientResponse> {
  return client.send('POST', UPLOADS, body && new Uint8Array(body), {
    ...(body ? PART : TUS),
    'Upload-Length': String(length),
    ...(Object.keys(metadata).length > 0 && { 'Upload-Metadata': metadataOf(metadata) }),
    ...headers,
  });
}

export async function beginUpload(
  client: Client,
  length: number,
  metadata: Record<string, string> = {},
): Promise<TusUpload> {
  const { status, headers, body } = await tryToBegin(client, length, metadata);
  if (status !== 201) throw new Error(`not begun: ${status} ${JSON.stringify(body)}`);
  return new TusUpload(client, headers.get('Location') ?? '');
}

/** A finished upload. */
export async function upload(
  client: Client,
  content: Buffer | string,
  metadata: Record<string, string> = { filename: 'a.txt' },
  size?: number,
): Promise<TusUpload> {
  const bytes = Buffer.from(content);
  const begun = await beginUpload(client, bytes.length, metadata);
  await begun.sendRest(bytes, size);
  return begun;
}

import { createHash } from 'node:crypto';
import type { ClientResponse, Client } from './client.js';

/** A file to attach. */
export interface TestFile {
  name: string;
  type?: string;
  content: Buffer | string;
}

/** The response to a download. */
export interface Downloaded {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** A multipart body with the fields of a push, or of another object, and its files. */
export function formOf(files: TestFile[], fields: Record<string, string> = {}, key = 'push'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(`${key}[${name}]`, value);
  for (const { name, type, content } of files) {
    form.append(`${key}[files][]`, new Blob([new Uint8Array(Buffer.from(content))], { type }), name);
  }
  return form;
}

/** The same files as they are sent in JSON. */
export function encoded(files: TestFile[]): object[] {
  return files.map(({ name, type, content }) => ({
    filename: name,
    content_type: type,
    content: Buffer.from(content).toString('base64'),
  }));
}

/** Creates a push with files and returns the response body. */
export async function pushFiles(
  client: Client,
  files: TestFile[],
  fields: Record<string, string> = {},
): Promise<any> {
  return created(await client.post('/api/v2/pushes', formOf(files, fields)));
}

export function created({ status, body }: ClientResponse): any {
  if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** New download links to a push's files; this uses up a view. */
export async function linksOf(client: Client, urlToken: string): Promise<string[]> {
  const { body } = await client.retrieve(urlToken);
  return (body.files as { url: string }[]).map(({ url }) => url);
}

/** Rejects when the connection breaks before the whole response has arrived. */
export async function download(url: string, headers: Record<string, string> = {}): Promise<Downloaded> {
  const response = await fetch(url, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** For comparing megabytes of content: jest is slow to compare buffers. */
export function digest(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

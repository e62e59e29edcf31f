import type { ClientRequest } from 'node:http';
import { request } from 'node:http';
import type { Client } from './client.js';

/** A form of which everything up to the middle of a file has been sent. */
export interface BegunForm {
  sending: ClientRequest;
  /** Rejects when the connection breaks before the response. */
  response: Promise<{ status: number; headers: Record<string, unknown>; body: string }>;
}

const CREATE = { path: '/api/v2/pushes', key: 'push' };

/**
 * Begins to upload a file to a new push.
 * @param fields sent before the file
 * @param to another path, and the name of the object in its body
 */
export function beginForm(
  { url, headers: own }: Client,
  content: string | Buffer,
  headers: Record<string, string> = {},
  fields: Record<string, string> = {},
  { path, key } = CREATE,
): BegunForm {
  const sending = request(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b', ...own, ...headers },
  });
  const response = new Promise<Awaited<BegunForm['response']>>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (incoming) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.once('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body });
        sending.destroy();
      });
    });
  });
  response.catch(() => undefined); // not every caller awaits it
  for (const [name, value] of Object.entries(fields))
    sending.write(`--b\r\nContent-Disposition: form-data; name="${key}[${name}]"\r\n\r\n${value}\r\n`);
  sending.write(`--b\r\nContent-Disposition: form-data; name="${key}[files][]"; filename="a.txt"\r\n\r\n`);
  sending.write(content);
  return { sending, response };
}

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Sends the body without a Content-Length. */
  chunked?: boolean;
}

export interface RawResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** Parsed when it is JSON, otherwise the text. */
  body: any;
}

/** Sends a request exactly as given, where fetch would reject or correct it. */
export async function sendRaw(url: string, raw: RawRequest): Promise<RawResponse> {
  const { method = 'GET', path, headers = {}, body, chunked = false } = raw;
  const { hostname, port } = new URL(url);
  const agent = new Agent({ maxSockets: 1 });
  const length = body === undefined || chunked ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };

  const sent = request({ hostname, port, method, path, headers: { ...length, ...headers }, agent });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [response] = await answered;
  const received = await text(response);
  agent.destroy();

  const isJson = response.headers['content-type']?.startsWith('application/json') && received !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: isJson ? JSON.parse(received) : received,
  };
}

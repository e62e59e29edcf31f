import { requestBytes } from '../../support/plain-socket.js';
import type { Fixtures } from './fixtures.js';

/** A request that may cost more to handle than to send. `$open` in its line or headers is replaced by a fixture. */
export interface CostlyRequest {
  name: string;
  /** Method and target; by default those that create a push. */
  line?: string;
  headers?: string[];
  /** Built when it is sent, because many bodies have megabytes. */
  body?: () => Buffer;
  withToken?: boolean;
  withSession?: boolean;
}

/**
 * The bytes of a request as sent from this address.
 * @param isLast whether the connection is to be closed after the response
 */
export function bytesOf(
  { line = 'POST /api/v2/pushes', headers = [], body, withToken, withSession }: CostlyRequest,
  fixtures: Partial<Fixtures>,
  ip: string,
  isLast = true,
): Buffer {
  const content = body?.() ?? Buffer.alloc(0);
  const isFramed = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const head = [
    `${line} HTTP/1.1`,
    'Host: push.example.org',
    'Sec-Fetch-Site: same-origin',
    `X-Forwarded-For: ${ip}`,
    ...(isLast ? ['Connection: close'] : []),
    ...(withToken ? ['Authorization: Bearer $token'] : []),
    ...(withSession ? ['Cookie: $session'] : []),
    ...headers,
    ...(body && !isFramed ? [`Content-Length: ${content.length}`] : []),
  ];
  const known: Partial<Record<string, string>> = fixtures;
  return requestBytes(
    head.map((text) => text.replace(/\$(\w+)/g, (all, name: string) => known[name] ?? all)),
    content,
  );
}

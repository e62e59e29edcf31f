import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface SocketResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Parsed when it is JSON, otherwise the text. */
  body: any;
  /** Whether `100 Continue` was received first. */
  wasInvited: boolean;
}

/** The bytes of a request: the header lines exactly as given, then the body. */
export function requestBytes(head: string[], body: string | Buffer = ''): Buffer {
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** A new connection, which the server may end early. */
export function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => undefined);
}

/** Sends bytes over a new connection, without an HTTP library, and reads `count` responses. */
export function sendBytes(
  url: string,
  bytes: Buffer,
  count = 1,
  whenSent: () => void = () => undefined,
): Promise<SocketResponse[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, whenSent));
    let received = Buffer.alloc(0);
    const settle = (responses: SocketResponse[]) => {
      resolve(responses);
      socket.destroy();
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const responses = readResponses(received);
      if (responses.length >= count) settle(responses);
    });
    socket.on('end', () => {
      settle(readResponses(received));
    });
    socket.on('error', reject);
  });
}

/** The responses that have arrived completely. */
function readResponses(bytes: Buffer): SocketResponse[] {
  const responses: SocketResponse[] = [];
  let rest = bytes;
  let wasInvited = false;
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    const headers = Object.fromEntries(lines.map(parsedLine));
    const afterBody = end + 4 + Number(headers['content-length'] ?? 0);
    if (rest.length < afterBody) break;

    const text = rest.subarray(end + 4, afterBody).toString();
    rest = rest.subarray(afterBody);
    if (status < 200) {
      wasInvited = true;
    } else {
      const isJson = headers['content-type']?.startsWith('application/json');
      responses.push({ status, headers, body: isJson ? JSON.parse(text) : text, wasInvited });
      wasInvited = false;
    }
  }
  return responses;
}

function parsedLine(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

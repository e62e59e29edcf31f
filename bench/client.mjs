// The load generator: a number of clients, each of which sends its next request as soon as it has the response. Written on bare
// sockets, because a full HTTP client costs more than the baseline does and would be what is measured.
import { connect } from 'node:net';

const READ_BYTES = 64 * 1024;
const IDLE_TIMEOUT_MS = 30_000;
const REOPEN_MS = 10;
const STATUS_AT = 'HTTP/1.1 '.length;

/** A request as it goes over the wire. */
export function requestText({ method, path, headers = {}, body }) {
  const heads = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  });
  return `${method} ${path} HTTP/1.1\r\n${heads.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

/**
 * Sends `amount` requests. A response that is no 2xx counts as failed, and so does a connection that cannot be opened or
 * ends before its response.
 * @param connections how many there are at a time
 * @param isKept whether a connection is used for one request after the other; otherwise each request has its own
 * @param next gives the text of each request
 * @param onAnswer is given the status and the body of each answer
 * @returns seconds from the first request to the last answer, and how long each answer took, in ms, in order; where
 *   each request has its own connection, with the time to open it
 */
export function drive(url, { connections, isKept = true, amount, next, onAnswer }) {
  const { port, hostname: host } = new URL(url);
  return new Promise((resolve, reject) => {
    const latencies = new Float64Array(amount);
    const startedAt = performance.now();
    let [asked, answered, failed] = [0, 0, 0];

    const open = () => {
      if (asked === amount) return;
      let askedAt;
      let answer = '';
      let isDone = false;
      const begin = () => {
        asked++;
        answer = '';
        askedAt = performance.now();
      };
      const send = () => socket.write(next(), 'latin1');
      const goOn = () => {
        isDone = !isKept || asked === amount;
        if (!isDone) {
          begin();
          send();
        } else if (isKept) socket.destroy();
        else open(); // the server closes the old one
      };
      const settle = (hasFailed) => {
        latencies[answered++] = performance.now() - askedAt;
        if (hasFailed) failed++;
        if (answered < amount) return;
        const seconds = (performance.now() - startedAt) / 1000;
        resolve({ seconds, failed, latencies: latencies.sort() });
      };
      const read = (length, buffer) => {
        answer += buffer.latin1Slice(0, length);
        try {
          const bodyAt = endOfAnswer(answer);
          if (bodyAt === undefined) return true;
          const status = Number(answer.slice(STATUS_AT, STATUS_AT + 3));
          onAnswer?.(status, Buffer.from(answer.slice(bodyAt), 'latin1').toString());
          settle(status < 200 || status > 299);
        } catch (error) {
          reject(error);
        }
        goOn();
        return true;
      };
      const socket = connect({
        host,
        port,
        noDelay: true,
        onread: { buffer: Buffer.alloc(READ_BYTES), callback: read },
      });
      if (!isKept) begin();
      socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
      socket.once('connect', isKept ? goOn : send);
      socket.on('error', () => undefined); // it closes as well
      socket.once('close', () => {
        if (isDone) return;
        if (askedAt === undefined) {
          if (asked === amount) return;
          begin(); // it could not be opened
        }
        settle(true);
        if (asked < amount) setTimeout(open, REOPEN_MS);
      });
    };
    for (let i = 0; i < connections; i++) open();
  });
}

/** Where the body begins, once all of it is there. */
function endOfAnswer(answer) {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${answer.slice(0, headEnd)}`);
  return answer.length >= headEnd + 4 + Number(length) ? headEnd + 4 : undefined;
}

/** What so many of a hundred stayed under. */
export function percentile(sorted, percent) {
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

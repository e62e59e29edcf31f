import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisAddress } from '../settings/server-addresses.js';
import { SECOND_MS } from '../settings/units.js';

/** Sent with each call, so it also works after a restart of the server. Every key ends within a window. */
const COUNT = `
  local count = redis.call('INCR', KEYS[1])
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 or left > tonumber(ARGV[1]) then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    left = tonumber(ARGV[1])
  end
  return { count, left }`;

const PREFIX = 'sealpush:requests:';
const CONNECT_WITHIN_MS = 1000;
const REPLY_WITHIN_MS = 200;
const KEEP_ALIVE_MS = 30 * SECOND_MS;

/** The only replies that we expect: a status, an error, or two whole numbers. */
const REPLY = /^(?:\+[^\r\n]*|-(?<error>[^\r\n]*)|\*2\r\n:(?<count>\d{1,9})\r\n:(?<leftMs>\d{1,9}))\r\n/;
const MAX_REPLY = 1024;

/** How many requests a window has, and in how many milliseconds it ends. */
interface WindowCount {
  count: number;
  leftMs: number;
}

/** A call that is waiting for its reply. */
interface Call {
  resolve: (reply: WindowCount | undefined) => void;
  reject: (error: Error) => void;
}

/**
 * One connection to a Redis that counts. It is closed as soon as the server sends anything else than the replies of
 * these few commands, and never reconnects: then a new RedisCounter is created. See docs/decisions/0018.
 */
export class RedisCounter {
  private readonly calls: Call[] = [];
  private received = '';
  private failure?: Error;

  private constructor(private readonly socket: Socket) {
    socket
      .setEncoding('latin1')
      .on('data', (text: string) => {
        this.read(text);
      })
      .on('error', (error) => {
        this.fail(error);
      })
      .on('close', () => {
        this.fail(new Error('closed'));
      });
  }

  /** Connects, and counts once to check that writes are allowed. */
  static async connect(address: RedisAddress): Promise<RedisCounter> {
    const socket = open(address);
    const counter = new RedisCounter(socket);
    try {
      const connected = once(socket, address.tls ? 'secureConnect' : 'connect');
      await within(
        CONNECT_WITHIN_MS,
        connected.then(() => counter.logIn(address)),
      );
      await counter.count('probe', CONNECT_WITHIN_MS);
      return counter;
    } catch (error) {
      counter.close();
      throw error;
    }
  }

  /** @throws when there is no reply within 200 ms, or one that cannot be true */
  async count(key: string, windowMs: number): Promise<WindowCount> {
    const counting = this.call('EVAL', COUNT, '1', PREFIX + key, String(windowMs));
    const reply = await within(REPLY_WITHIN_MS, counting);
    if (!reply || reply.count < 1 || reply.leftMs > windowMs) throw invalidReply();
    return reply;
  }

  /** Closes the connection; pending calls fail. */
  close(): void {
    this.fail(new Error('closed'));
  }

  private async logIn({ username, password, database }: RedisAddress): Promise<void> {
    if (password !== undefined) await this.call('AUTH', ...(username ? [username] : []), password);
    if (database !== 0) await this.call('SELECT', String(database)); // which needs a right
  }

  private call(...words: string[]): Promise<WindowCount | undefined> {
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    return new Promise((resolve, reject) => {
      if (this.failure) {
        reject(this.failure);
        return;
      }
      this.calls.push({ resolve, reject });
      this.socket.write(`*${words.length}\r\n${parts.join('')}`);
    });
  }

  private read(text: string): void {
    this.received += text;
    for (let reply = REPLY.exec(this.received); reply && !this.failure; reply = REPLY.exec(this.received)) {
      this.received = this.received.slice(reply[0].length);
      this.answer(reply.groups ?? {});
    }
    const isUnexpected = this.received.length > (this.calls.length === 0 ? 0 : MAX_REPLY);
    if (isUnexpected) this.fail(invalidReply());
  }

  private answer({ error, count, leftMs }: Record<string, string | undefined>): void {
    const call = this.calls.shift();
    if (!call) this.fail(invalidReply());
    else if (error !== undefined) call.reject(new Error(error));
    else call.resolve(count === undefined ? undefined : { count: Number(count), leftMs: Number(leftMs) });
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.received = '';
    this.socket.destroy();
    for (const { reject } of this.calls.splice(0)) reject(this.failure);
  }
}

function open({ host, port, tls }: RedisAddress): Socket {
  const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
  return tls ? connectTls({ ...options, servername: isIP(host) ? '' : host }) : connect(options);
}

export function invalidReply(): Error {
  return Object.assign(new Error('the reply makes no sense'), { code: 'INVALID_REPLY' });
}

/** A reply that arrived while this process was busy is not too late: it is read before the timeout takes effect. */
async function within<T>(milliseconds: number, reply: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(reject, new Error('no reply')), milliseconds);
  });
  return Promise.race([reply, tooLate]).finally(() => {
    clearTimeout(timer);
  });
}

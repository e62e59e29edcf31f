import type { RedisClientType } from '@redis/client';
import { createClient } from '@redis/client';
import type { RedisAddress } from '../settings/server-addresses.js';

/** Sent with each call, so it also works after a restart of the server. Every key gets an expiry. */
const COUNT = `
  local count = redis.call('INCR', KEYS[1])
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    left = tonumber(ARGV[1])
  end
  return { count, left }`;

const PREFIX = 'sealpush:requests:';
const CONNECT_WITHIN_MS = 1000;
const REPLY_WITHIN_MS = 200;

/** How many requests a window has, and in how many milliseconds it ends. */
export interface WindowCount {
  count: number;
  leftMs: number;
}

/** One connection to a Redis that counts. It never reconnects: once it is lost, a new RedisCounter is created. */
export class RedisCounter {
  private constructor(private readonly client: RedisClientType) {}

  /** Connects, and counts once to check that writes are allowed. */
  static async connect(address: RedisAddress): Promise<RedisCounter> {
    const counter = new RedisCounter(clientFor(address));
    try {
      await within(CONNECT_WITHIN_MS, counter.client.connect());
      await counter.count('probe', CONNECT_WITHIN_MS);
      return counter;
    } catch (error) {
      counter.close();
      throw error;
    }
  }

  /** @throws when there is no reply within 200 ms */
  async count(key: string, windowMs: number): Promise<WindowCount> {
    const counting = this.client.eval(COUNT, { keys: [PREFIX + key], arguments: [String(windowMs)] });
    const [count, leftMs] = (await within(REPLY_WITHIN_MS, counting)) as [number, number];
    return { count, leftMs };
  }

  /** Closes the connection; pending calls fail. */
  close(): void {
    this.client.destroy();
  }
}

function clientFor({ host, port, tls, ...login }: RedisAddress): RedisClientType {
  const socket = { host, port, connectTimeout: CONNECT_WITHIN_MS, reconnectStrategy: false as const };
  const client = createClient({
    ...login,
    socket: tls ? { ...socket, tls } : socket,
    RESP: 2, // the version that every server and proxy supports
    disableOfflineQueue: true,
    disableClientInfo: true,
  });
  client.on('error', () => undefined); // the next call to count() fails with it
  return client as unknown as RedisClientType;
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

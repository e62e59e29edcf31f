import type { RedisClientType } from '@redis/client';
import { createClient } from '@redis/client';
import type { RedisAddress } from '../settings/server-addresses.js';

/** No script is kept on the server, so a restarted one has forgotten nothing. A key never stays without an end. */
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
const ANSWER_WITHIN_MS = 200;

/** How many requests there were in a window, and in how many milliseconds it ends. */
export interface Counted {
  count: number;
  leftMs: number;
}

/** One connection to a Redis that counts. It is not mended: once broken, another one is made. */
export class RedisCounter {
  private constructor(private readonly client: RedisClientType) {}

  /** Connects, and counts once to see that this Redis lets us write. */
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

  /** @throws when there is no answer soon */
  async count(address: string, windowMs: number): Promise<Counted> {
    const counting = this.client.eval(COUNT, { keys: [PREFIX + address], arguments: [String(windowMs)] });
    const [count, leftMs] = (await within(ANSWER_WITHIN_MS, counting)) as [number, number];
    return { count, leftMs };
  }

  /** Breaks the connection off; what waits for an answer fails. */
  close(): void {
    this.client.destroy();
  }
}

function clientFor({ host, port, tls, ...login }: RedisAddress): RedisClientType {
  const socket = { host, port, connectTimeout: CONNECT_WITHIN_MS, reconnectStrategy: false as const };
  const client = createClient({
    ...login,
    socket: tls ? { ...socket, tls } : socket,
    RESP: 2, // the one that every server and proxy speaks
    disableOfflineQueue: true,
    disableClientInfo: true,
  });
  client.on('error', () => undefined); // whoever counts next meets it
  return client as unknown as RedisClientType;
}

/** An answer that has arrived while this process was busy is not too late: it is read before the wait is given up. */
async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(reject, new Error('no answer')), milliseconds);
  });
  return Promise.race([answer, tooLate]).finally(() => {
    clearTimeout(timer);
  });
}

import type { Socket } from 'node:net';
import type { HostilePeer } from '../../../test/support/hostile-peer.js';
import { BUFFERED_BYTES, drip, flood, startHostilePeer } from '../../../test/support/hostile-peer.js';
import { Log } from '../logging/log.js';
import { MINUTE_MS } from '../settings/units.js';
import { RedisCounter } from './redis-counter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const LIMIT = 3;

/** A server that replies to each command, to a count with this. */
function counting(reply: string | ((key: string) => string)): (socket: Socket) => void {
  return (socket) => {
    socket.write('+OK\r\n'); // to SELECT, which has arrived
    socket.on('data', (command) => {
      const key = /sealpush:requests:(\S+)/.exec(command.toString())?.[1] ?? '';
      socket.write(typeof reply === 'string' ? reply : reply(key));
    });
  };
}

describe('A Redis', () => {
  let peer: HostilePeer;

  afterEach(() => peer.stop());

  const address = () => ({ host: '127.0.0.1', port: peer.port, database: 1, tls: false });
  const start = async (behave: (socket: Socket) => void) => {
    peer = await startHostilePeer(behave);
  };
  /** Whether each of five requests is allowed. */
  const allowed = async () => {
    const limiter = await RedisRateLimiter.start(address(), MINUTE_MS, new Log({ LOG_LEVEL: 'error' }));
    const allowed: boolean[] = [];
    for (let i = 0; i < 5; i++) allowed.push((await limiter.hit('192.0.2.1', LIMIT)) === 0);
    limiter.onApplicationShutdown();
    return allowed;
  };

  it.each([
    ['absurd numbers', '*2\r\n:999999999999\r\n:60000\r\n'],
    ['a count of a thousand limits', `*2\r\n:${1000 * LIMIT + 1}\r\n:60000\r\n`],
    ['a time beyond the window', '*2\r\n:1000\r\n:60001\r\n'],
    ['negative numbers', '*2\r\n:-5\r\n:60000\r\n'],
    ['a count of zero', '*2\r\n:0\r\n:60000\r\n'],
    ['a single number', ':1000\r\n'],
    ['fractions', '*2\r\n,1000.5\r\n,60000\r\n'],
    ['texts', '*2\r\n$4\r\n1000\r\n$5\r\n60000\r\n'],
    ['nothing', '*-1\r\n'],
    ['a status', '+1000\r\n'],
    ['an error', '-ERR tulip\r\n'],
    ['arrays of gigabytes', '*30000000\r\n'.repeat(6)],
    ['a text of gigabytes', '$4000000000\r\n'],
    ['two replies', '*2\r\n:1\r\n:60000\r\n*2\r\n:1000\r\n:60000\r\n'],
    ['a message', '>3\r\n+message\r\n+tulip\r\n:1000\r\n'],
    ['something else', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('that replies with %s is not used (M6)', async (_what, reply) => {
    await start(counting(reply));
    const before = process.memoryUsage().rss;

    expect(await allowed()).toEqual([true, true, true, false, false]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('that lies only after the connection is made is not used (M6)', async () => {
    await start(counting((key) => `*2\r\n:${key === 'probe' ? 1 : 1_000_000}\r\n:1000\r\n`));

    expect(await allowed()).toEqual([true, true, true, false, false]);
  });

  it.each([
    ['a text', flood('tulip', '$4000000000\r\n')],
    ['replies', flood('+OK\r\n')],
    ['numbers', flood('*2\r\n:1000\r\n:60000\r\n')],
    ['one line', flood('tulip', '+')],
  ])('that sends %s without end is read only for some kilobytes (M6)', async (_what, behave) => {
    await start(behave);
    await expect(RedisCounter.connect(address())).rejects.toThrow();
    await peer.stop();

    expect(peer.sentBytes()).toBeLessThan(BUFFERED_BYTES);
  });

  it('that replies byte by byte is waited for no longer than for others (M6)', async () => {
    await start(drip('+'));

    await expect(RedisCounter.connect(address())).rejects.toThrow();
  });

  it('that takes longer to connect to than a reply may take is used, also without logging in', async () => {
    await start((socket) => socket.write('*2\r\n:1\r\n:1000\r\n'));
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const connecting = RedisCounter.connect({ ...address(), database: 0 });
      for (let i = 0; i < 2; i++)
        await new Promise<void>((resolve) => {
          process.nextTick(resolve); // before any input
        });
      jest.advanceTimersByTime(500);
      const counter = await connecting;

      counter.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('that sends something without being asked is disconnected (M6)', async () => {
    let connection: Socket | undefined;
    await start((socket) => {
      connection = socket;
      counting('*2\r\n:1\r\n:1000\r\n')(socket);
    });
    const counter = await RedisCounter.connect(address());
    const closed = new Promise((resolve) => connection?.once('close', resolve));
    connection?.write('$4000000000\r\n');
    await closed;

    await expect(counter.count('a', MINUTE_MS)).rejects.toMatchObject({ code: 'INVALID_REPLY' });
  });
});

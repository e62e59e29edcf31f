import type { TestingModuleBuilder } from '@nestjs/testing';
import { writeFile } from 'node:fs/promises';
import { join, delimiter } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { Log } from '../../src/platform/logging/log.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { sendRaw } from '../support/send-raw.js';
import { spawnServer } from '../support/spawn-server.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { freePort } from '../support/free-port.js';

const REDIS = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find(existsSync);

/** Whether Redis is installed. */
const hasRedis = REDIS !== undefined;

/** A Redis server for one test, without persistence, which can be paused and killed. */
class Redis {
  private process?: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly options: string[],
  ) {}

  /** Returns a server that is not started yet. */
  static async at(...options: string[]): Promise<Redis> {
    return new Redis(await freePort(), options);
  }

  static async start(...options: string[]): Promise<Redis> {
    const redis = await Redis.at(...options);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', ...this.options];
    const child = spawn(REDIS ?? 'redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = child;
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ready to accept connections')) resolve();
      });
      child.once('exit', () => {
        reject(new Error(`redis-server has exited: ${output}`));
      });
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal);
  }

  /** Kills it like a crash, even while it is paused. */
  async stop(): Promise<void> {
    const { process } = this;
    this.process = undefined;
    if (!process) return;
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  }

  /** Runs a command and returns its output, one line for each value. */
  async say(...command: string[]): Promise<string[]> {
    const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(this.port), ...command]);
    return stdout.split('\n').filter(Boolean);
  }
}

const LIMIT = 5;
const ONLY_THE_LIMIT = [...Array<number>(LIMIT).fill(200), 429, 429];
const SETTINGS = { REQUESTS_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' };

const gone = (why: string) =>
  `Redis does not count: each process counts requests by itself until it does (${why})`;
const BACK = 'Redis is available again: processes count requests together';

if (!hasRedis) console.error('!!! NO REDIS: not tested that processes count requests together !!!');

/** Records the warnings. */
class WarningLog extends Log {
  readonly warnings: string[] = [];

  override warning(message: string, { code }: { code?: string }): void {
    this.warnings.push(code === undefined ? message : `${message} (${code})`);
  }
}

(hasRedis ? describe : describe.skip)('Processes that count requests in Redis', () => {
  const instance = forEachTest(makeInstance);
  let servers: RunningApp[];
  let lastAddress = 0;

  beforeEach(() => (servers = []));

  const start = async (count: number, env: Record<string, string>) => {
    for (let i = 0; i < count; i++) {
      const log = new WarningLog({ LOG_LEVEL: 'error' });
      const adjust = (app: TestingModuleBuilder) => app.overrideProvider(Log).useValue(log);
      servers.push(await forThisTest(startApp({ ...SETTINGS, ...env }, { instance, adjust })));
    }
  };
  /** Two processes, and the Redis in which they count. */
  const startWith = async (starting: Promise<Redis>) => {
    const redis = await forThisTest(starting);
    await start(2, { THROTTLE_REDIS_URL: redis.url });
    return redis;
  };
  const newAddress = () => `192.0.2.${++lastAddress}`;
  const ask = (address: string, server = servers[0]) =>
    sendRaw(server?.url ?? '', { path: '/api/v2/version', headers: { 'X-Forwarded-For': address } });
  const statuses = async (count: number, address: string, server = servers[0]) => {
    const answers = await allAtOnce(count, () => ask(address, server));
    return answers.map(({ status }) => status).sort();
  };
  const warnings = (server = servers[0]) => server?.app.get<WarningLog>(Log).warnings ?? [];

  /** Each process allows exactly the limit, independently of the other. */
  const expectToCountAlone = async () => {
    const address = newAddress();
    for (const server of servers) expect(await statuses(LIMIT + 2, address, server)).toEqual(ONLY_THE_LIMIT);
  };
  const expectToCountTogether = async () => {
    const address = newAddress();
    const answers = await allAtOnce(LIMIT + 2, (i) => ask(address, servers[i % servers.length]));

    expect(answers.map(({ status }) => status).sort()).toEqual(ONLY_THE_LIMIT);
    for (const server of servers) {
      const { status, headers } = await ask(address, server);
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(30);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
  };
  const reunited = () => eventually(() => servers.every((server) => warnings(server).at(-1) === BACK));

  it('enforce one limit for an address, and remove its count within the minute (B5, H7)', async () => {
    const redis = await startWith(Redis.start());
    await expectToCountTogether();
    await ask('2001:db8:1:2::3');

    expect(warnings()).toEqual([]);
    const keys = await redis.say('KEYS', '*');
    expect(keys).toContain(`sealpush:requests:192.0.2.${lastAddress}`);
    expect(keys).toContain('sealpush:requests:2001:db8:1:2::/64');
    expect(keys).toContain('sealpush:requests:2001:db8:1::/48');
    for (const key of keys) {
      const [left] = await redis.say('PTTL', key);
      expect(key).toMatch(/^sealpush:requests:/);
      expect(left).not.toBe('-1'); // a key without an expiry
      expect(Number(left)).toBeLessThanOrEqual(60_000);
    }
  });

  it('count separately while it is stopped, and together after it has restarted (B5)', async () => {
    const redis = await startWith(Redis.start());
    const address = newAddress();
    expect(await statuses(LIMIT + 2, address)).toEqual(ONLY_THE_LIMIT);
    await redis.stop();

    expect((await ask(address)).status).toBe(429); // earlier counts are kept
    await expectToCountAlone();
    await redis.start();
    await reunited();
    await expectToCountTogether();
    expect(warnings()).toEqual([expect.stringMatching(/^Redis does not count: /), BACK]);
  });

  it('do not wait for Redis if it hangs (B5)', async () => {
    const redis = await startWith(Redis.start());
    redis.signal('SIGSTOP');

    const startedAt = performance.now();
    await expectToCountAlone();
    for (let i = 0; i < 30; i++) expect((await ask(newAddress())).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(5000); // each process has waited once
    expect(warnings()).toEqual([gone('no reply')]);

    redis.signal('SIGCONT');
    await reunited();
    await expectToCountTogether();
  });

  it('can stop while it hangs', async () => {
    const redis = await forThisTest(Redis.start());
    const settings = { REQUESTS_PER_MINUTE: '5', THROTTLE_REDIS_URL: redis.url };
    const server = await forThisTest(spawnServer(instance, settings));
    redis.signal('SIGSTOP');

    expect((await server.anonymous.get('/api/v2/version')).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it('count separately while it rejects writes, and log that once (B5)', async () => {
    const redis = await startWith(Redis.start());
    await redis.say('REPLICAOF', '127.0.0.1', '1');
    await expectToCountAlone();
    const refusals = async () =>
      /READONLY:count=(\d+)/.exec((await redis.say('INFO', 'errorstats')).join())?.[1];
    await eventually(async () => Number(await refusals()) >= 6); // each has tried again
    expect(warnings()).toEqual([gone('READONLY')]);

    await redis.say('REPLICAOF', 'NO', 'ONE');
    await reunited();
    await expectToCountTogether();
  });

  it('can start before Redis', async () => {
    const redis = await startWith(Redis.at());
    await expectToCountAlone();
    expect(warnings()).toEqual([gone('ECONNREFUSED')]);

    await redis.start();
    await reunited();
    await expectToCountTogether();
  });

  it('send their password, even if it is from a file', async () => {
    const redis = await forThisTest(Redis.start('--requirepass', 'p@ss/tulip'));
    const file = join(instance.dataDir, 'redis-url');
    await writeFile(file, `redis://:p%40ss%2Ftulip@127.0.0.1:${redis.port}/1\n`);
    await start(2, { THROTTLE_REDIS_URL_FILE: file });

    await expectToCountTogether();
    expect(warnings()).toEqual([]);
  });

  it('count separately if Redis rejects their login', async () => {
    const redis = await forThisTest(Redis.start('--requirepass', 'horse'));
    await start(2, { THROTTLE_REDIS_URL: `redis://:tulip@127.0.0.1:${redis.port}` });

    await expectToCountAlone();
    expect(warnings()).toEqual([gone('WRONGPASS')]);
  });
});

import { randomUUID } from 'node:crypto';
import { readFileSync, rmdirSync } from 'node:fs';
import { request } from 'node:http';
import { MIB } from '../../src/platform/settings/units.js';
import { makeCgroup } from '../support/cgroup.js';
import { eventually } from '../support/eventually.js';
import { created, formOf, linksOf } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstanceOnDisk } from '../support/instance.js';
import { MULTIPART, multipart, part } from '../support/multipart.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { amount } from './support/amount.js';
import { Connections } from './support/connections.js';
import { logFigures } from './support/log-figures.js';
import { paceOf } from './support/pace.js';

const MACHINE_BYTES = 512_000_000;
/** What the docs say a process keeps afterwards. */
const MAX_RESIDENT_LATER = 300_000_000;

const FILE = Buffer.alloc(60_000_000, 'tulip');
/** The longest text that a push can have: four bytes for each character in UTF-8, twelve in JSON. */
const LONGEST_TEXT = '\u{1f337}'.repeat(MIB);
const LONGEST_BODY = Buffer.from(
  JSON.stringify({ push: { payload: LONGEST_TEXT, expire_after_views: 100 } }).replaceAll(
    '\u{1f337}',
    '\\ud83c\\udf37',
  ),
);
const BODY_WITH_FILE = Buffer.from(
  JSON.stringify({
    push: { files: [{ filename: 'a', content: Buffer.alloc(22_500_000, 'tulip').toString('base64') }] },
  }),
);
const UPLOAD = multipart(part('push[files][]', FILE, '; filename="a"'));

const SMALL_HEAP = '--max-old-space-size=192';
const JSON_TYPE = { 'Content-Type': 'application/json' };

const cgroup = makeCgroup(MACHINE_BYTES);
const machine = `A machine with ${MACHINE_BYTES / 1e6} MB`;
if (!cgroup) process.stderr.write(`NOT TESTED: ${machine}, because no memory cgroup can be made here.\n`);

describe(machine, () => {
  const instance = forAllTests(makeInstanceOnDisk);
  const server = forAllTests(() =>
    spawnServer(
      instance,
      {
        TRUSTED_PROXIES: '127.0.0.1',
        FILES_REQUIRE_AUTHENTICATION: 'false',
        EXPIRE_AFTER_VIEWS_MAX: '1000000',
      },
      cgroup?.processes,
    ),
  );
  let token: string;
  let clients = 0;
  const acknowledged: string[] = [];

  beforeAll(async () => {
    token = JSON.parse((await cli(instance, 'user:create', `${randomUUID()}@example.org`)).stdout).token;
  });
  afterAll(() => {
    if (cgroup) rmdirSync(cgroup.path);
  });

  const memory = (name: 'VmRSS' | 'VmHWM') => {
    const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  };

  /** Sends requests from different networks at the same time; counts the responses by status. */
  async function all(count: number, one: (headers: Record<string, string>) => Promise<number>) {
    const responses = Array.from({ length: count }, () => {
      clients += 1;
      return one({ 'X-Forwarded-For': `10.${clients >> 8}.${clients & 255}.1` });
    });
    const statuses = Map.groupBy(await Promise.all(responses), (status) => status);
    return Object.fromEntries([...statuses].map(([status, { length }]) => [status, length]));
  }

  const post = (body: Buffer, type: Record<string, string>) => async (headers: Record<string, string>) => {
    const { status, text } = await send('POST', `${server.url}/api/v2/pushes`, { ...headers, ...type }, body);
    if (status === 201) acknowledged.push(JSON.parse(text).url_token);
    return status;
  };
  const download = (url: string) => async (headers: Record<string, string>) =>
    (await send('GET', url, headers)).status;

  const isThere = async (urlToken: string) => {
    const { body } = await server.anonymous.retrieve(urlToken);
    return body.payload === LONGEST_TEXT || body.files.length === 1;
  };

  /** Meanwhile, someone else creates and retrieves pushes. */
  async function whileOthersAreServed(name: string, act: () => Promise<unknown>) {
    const other = server.anonymous.with({ 'X-Forwarded-For': '192.0.2.1' });
    let isOver = false;
    const serving = paceOf(
      async () => {
        const { url_token } = await other.push({ payload: 'tulip' });
        expect((await other.retrieve(url_token)).body.payload).toBe('tulip');
      },
      () => isOver,
    );
    const statuses = await act().finally(() => (isOver = true));
    const times = await serving;
    logFigures({
      name,
      statuses,
      served: times.length,
      longest: Math.max(...times),
      most: memory('VmHWM') / 1e6,
      now: memory('VmRSS') / 1e6,
    });
    expect(times).not.toEqual([]);
  }

  it('serves everyone who can be served, loses nothing and is small again soon after (F3)', async () => {
    const push = created(
      await server.anonymous.post(
        '/api/v2/pushes',
        formOf([{ name: 'a', content: FILE }], { expire_after_views: '1000' }),
      ),
    );
    const [link = ''] = await linksOf(server.anonymous, push.url_token);

    await whileOthersAreServed('downloads', () => all(amount({ full: 40, short: 10 }), download(link)));
    for (let round = 0; round < amount({ full: 3, short: 2 }); round++)
      await whileOthersAreServed('bodies', () => all(60, post(LONGEST_BODY, JSON_TYPE)));
    await whileOthersAreServed('retrievals', () =>
      all(amount({ full: 60, short: 30 }), download(`${server.url}/api/v2/pushes/${acknowledged[0]}`)),
    );
    await whileOthersAreServed('uploads and downloads', () =>
      Promise.all([
        all(amount({ full: 20, short: 2 }), post(UPLOAD, MULTIPART)),
        all(amount({ full: 40, short: 5 }), download(link)),
      ]),
    );
    await whileOthersAreServed('many bodies', () =>
      all(amount({ full: 180, short: 60 }), post(LONGEST_BODY, JSON_TYPE)),
    );
    await whileOthersAreServed('bodies with files', () =>
      all(
        amount({ full: 90, short: 30 }),
        post(BODY_WITH_FILE, { ...JSON_TYPE, Authorization: `Bearer ${token}` }),
      ),
    );
    await whileOthersAreServed('unread downloads', async () => {
      const unread = await Connections.open(
        server.url,
        Array.from({ length: 300 }, (_, i) => ({
          bytes: `GET ${new URL(link).pathname} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.200.${i}.1\r\n\r\n`,
          isRead: false,
        })),
      );
      await unread.haveComeToRest();
      unread.leave();
    });
    await whileOthersAreServed('slow connections', async () => {
      const slow = await Connections.open(
        server.url,
        Array.from({ length: 2000 }, () => ({
          bytes: `POST /api/v2/pushes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n{`,
          isRead: true,
        })),
      );
      await slow.haveComeToRest();
      slow.leave();
    });

    expect(server.process.exitCode).toBeNull();
    if (cgroup) expect(optionsOf(server.process.pid)).toContain(SMALL_HEAP);
    for (const urlToken of acknowledged.slice(0, amount({ full: 500, short: 40 })))
      expect(await isThere(urlToken)).toBe(true);
    await eventually(() => memory('VmRSS') < MAX_RESIDENT_LATER);
    logFigures({
      acknowledged: acknowledged.length,
      most: memory('VmHWM') / 1e6,
      later: memory('VmRSS') / 1e6,
    });
  });

  it('starts workers, and says that it is too small for them', async () => {
    const workers = await spawnServer(instance, { WORKERS: '2' }, cgroup?.processes);
    try {
      await eventually(() => workers.output().includes('All workers serve'));
      const { pid = 0 } = workers.process;
      const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
      expect(pids).toHaveLength(2);
      for (const each of cgroup ? [pid, ...pids] : []) expect(optionsOf(each)).toContain(SMALL_HEAP);
      if (cgroup)
        expect(workers.output()).toContain('Each of 2 processes has 186 MB of memory and needs 512');
    } finally {
      expect(await workers.stop()).toBe(0);
    }
  });
});

/** The options of Node.js, and what else it was started with. */
function optionsOf(pid: number | string = 0): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
}

/** Reads the response to its end, and keeps only the first KiB of a long one. A status of 0 is a broken connection. */
function send(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const length: Record<string, number> = body ? { 'Content-Length': body.length } : {};
    const sent = request(url, { method, agent: false, headers: { ...headers, ...length } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (text.length < 1024) text += chunk.toString();
      });
      response.once('close', () => {
        resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, text });
      });
    });
    sent.once('error', () => {
      resolve({ status: 0, text: '' });
    });
    sent.end(body);
  });
}

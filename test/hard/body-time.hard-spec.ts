import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Place } from '../support/place.js';
import { makePlace } from '../support/place.js';
import { requestBytes } from '../support/plain-socket.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { exchange } from './support/exchange.js';
import { tell } from './support/tell.js';

const MIB = 1024 * 1024;
/** The bound is a tenth of a second; tests run on machines that are slow and do other things. */
const LONGEST_WAIT_MS = 300;
const TRIES = 3;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const FORM_DATA = 'multipart/form-data; boundary=b';
const PART = '--b\r\nContent-Disposition: form-data; name="push[payload]"';

interface Case {
  name: string;
  type: string;
  body: Buffer;
  encoding?: string;
  path?: string;
  withToken?: boolean;
}

/** As many bytes of a unit as a body may have. */
const filled = (unit: string, before = '', after = '', length = 13 * MIB) => {
  const room = length - Buffer.byteLength(before + after);
  return Buffer.concat([Buffer.from(before), Buffer.alloc(room, unit), Buffer.from(after)]);
};
const json = (name: string, body: Buffer, more: Partial<Case> = {}): Case => ({
  name,
  type: JSON_TYPE,
  body,
  ...more,
});
const form = (name: string, body: Buffer, more: Partial<Case> = {}): Case => ({
  name,
  type: FORM,
  body,
  ...more,
});
const parts = (name: string, body: Buffer): Case => ({ name, type: FORM_DATA, body });

const CASES: Case[] = [
  json('brackets (L2)', filled('[')),
  json('closed brackets (L2)', filled('[]', '[')),
  json('empty objects (L2)', filled('{},', '[', '1]')),
  json('members (L2)', filled('"a":1,', '{', '"b":1}')),
  json('numbers (L2)', filled('1,', '[')),
  json('one number (L2)', filled('1')),
  json('one number with a fraction (L2)', filled('1', '0.')),
  json('spaces (L2)', filled(' ')),
  json('one text (L2)', filled('a', '"', '"')),
  json('escapes in a text (L2)', filled('\\u00e9', '{"push":{"payload":"', '"}}')),
  json('quotes in a text (L2)', filled('\\"', '{"push":{"payload":"', '"}}')),
  json('one long name (L2)', filled('a', '{"', '":1}')),
  json('three bytes a character (L2)', filled('\u20ac', '{"push":{"payload":"', '"}}', 12 * MIB)),
  json('brackets in gzip (L2)', gzipSync(filled('[')), { encoding: 'gzip' }),
  json('brackets in brotli (L2)', brotliCompressSync(filled('[', '', '', MIB)), { encoding: 'br' }),
  json('34 MiB of a text with a token (L2)', filled('a', '{"push":{"payload":"', '"}}', 34 * MIB), {
    withToken: true,
  }),
  json('UTF-7 (L5)', filled('+AGE-'), { type: `${JSON_TYPE}; charset=utf-7` }),
  form('plus signs (L5)', filled('+')),
  form('plus signs in a value (L5)', filled('+', 'push[payload]=')),
  form('encoded letters in a value (L5)', filled('%61', 'push[payload]=')),
  form('encoded brackets (L5)', filled('%5B')),
  form('brackets (L5)', filled('[')),
  form('ampersands (L5)', filled('&')),
  form('fields (L5)', filled('a=1&')),
  form('UTF-7 (L5)', filled('+AGE-', 'push[payload]='), { type: `${FORM}; charset=utf-7` }),
  form('plus signs to a page (L5)', filled('+', 'email='), { path: '/users/sign_in' }),
  parts('spaces in the head of a part (L1)', filled(' ', `${PART}\r\nContent-Type:`)),
  parts('a head that nothing ends (L1)', filled('x', `${PART}\r\nX: `)),
  parts('types in the head of a part (L1)', filled('content-type: a\r\n', `${PART}\r\n`)),
  parts('parts (L1)', filled(`${PART}\r\n\r\na\r\n`)),
  parts('parts without a disposition (L1)', filled('--b\r\nX: 1\r\n\r\n\r\n')),
  parts('files (L1)', filled('--b\r\nContent-Disposition: form-data; name=f; filename=a\r\n\r\na\r\n')),
  parts('what begins like a boundary (L1)', filled('\r\n--', `${PART}\r\n\r\n`, '\r\n--b--\r\n')),
  parts('one field (L1)', filled('a', `${PART}\r\n\r\n`, '\r\n--b--\r\n')),
  parts(
    'a list that nobody could count (L1)',
    Buffer.from(
      [4_294_967_294, 'x', 'y']
        .map((key) => `--b\r\nContent-Disposition: form-data; name="a[${key}]"\r\n\r\n1\r\n`)
        .join('') + '--b--\r\n',
    ),
  ),
];

describe('While a body is read', () => {
  let place: Place;
  let server: SpawnedServer;
  let token: string;

  beforeAll(async () => {
    place = await makePlace();
    server = await spawnServer(place);
    token = JSON.parse((await cli(place, 'user:create', `${randomUUID()}@example.org`)).stdout).token;
    for (const some of CASES.slice(0, 5)) await send(some);
  });
  afterAll(async () => {
    await server.stop();
    await place.destroy();
  });

  const send = ({ type, body, encoding, path = '/api/v2/pushes', withToken = false }: Case) =>
    exchange(
      server.url,
      requestBytes(
        [
          `POST ${path} HTTP/1.1`,
          'Host: a',
          'Connection: close',
          'Sec-Fetch-Site: same-origin',
          `Content-Type: ${type}`,
          ...(encoding ? [`Content-Encoding: ${encoding}`] : []),
          ...(withToken ? [`Authorization: Bearer ${token}`] : []),
          `Content-Length: ${body.length}`,
        ],
        body,
      ),
      true,
    );

  /** The longest time in milliseconds that GET /up takes while the work is done. */
  async function longestWaitDuring(work: Promise<unknown>): Promise<number> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const progress = { isOver: false };
    let longest = 0;
    void work.finally(() => (progress.isOver = true));
    while (!progress.isOver) {
      const start = performance.now();
      await new Promise<void>((resolve, reject) => {
        get(`${server.url}/up`, { agent }, (response) => {
          response.resume().once('end', resolve);
        }).once('error', reject);
      });
      longest = Math.max(longest, performance.now() - start);
      await setTimeout(2);
    }
    agent.destroy();
    await work;
    return longest;
  }

  it.each(CASES)('others are answered: $type of $name', async (some) => {
    let shortest = Infinity;
    for (let i = 0; i < TRIES && shortest >= LONGEST_WAIT_MS; i++) {
      shortest = Math.min(shortest, await longestWaitDuring(send(some)));
    }
    tell({ name: some.name, longestWait: shortest });

    expect(shortest).toBeLessThan(LONGEST_WAIT_MS);
  });
});

import * as fc from 'fast-check';
import { bytesOf } from './support/costly-request.js';
import { exchange } from './support/exchange.js';
import type { Fixtures } from './support/fixtures.js';
import { makeFixtures } from './support/fixtures.js';
import { leastCost, longestFor } from './support/least-cost.js';
import { startMeasured } from './support/measured-server.js';
import { runs } from './support/seeded.js';
import { forAllTests } from '../support/for-tests.js';
import type { CostlyRequest } from './support/costly-request.js';
import { MIB } from '../../src/platform/settings/units.js';

const LIMIT = 13 * MIB;
const LIMIT_WITH_TOKEN = 34 * MIB;

/** Names in the body of a request. */
interface Names {
  count: number;
  /** Characters of each, without what makes it distinct. */
  length: number;
  character: string;
  /** What makes the one at this index distinct from the others. */
  mark: (index: number) => string;
  isMarkFirst: boolean;
  isEscaped: boolean;
  /** How many objects they are in. */
  levels: number;
  /** Whether each object has one name instead of the innermost one having all. */
  isSpread: boolean;
  /** The names of the members or fields above them. */
  place: string[];
}

/** `2 ** n`, one less and one more, so that all magnitudes and the limits at powers of two occur equally often. */
const magnitude = (max: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.constantFrom(-1, 0, 1))
    .map(([exponent, more]) => Math.max(1, 2 ** exponent + more));

const names: fc.Arbitrary<Names> = fc.record({
  count: magnitude(17),
  length: magnitude(20),
  character: fc.constantFrom('a', 'é', '€', '"', '\\', '[', ']', '%', '0', '.', '\u0000'),
  mark: fc.constantFrom<Names['mark'][]>(
    (index) => index.toString(36),
    (index) => String(index * 1024), // integers can be the indexes of an array
    (index) => String(index + 4_294_967_290),
    (index) => String(index % 100),
    () => '',
  ),
  isMarkFirst: fc.boolean(),
  isEscaped: fc.boolean(),
  levels: fc.constantFrom(1, 2, 3, 10, 28, 40),
  isSpread: fc.boolean(),
  place: fc.constantFrom(
    ...[[], ['push'], ['x'], ['push', 'x']],
    ...['payload', 'files', 'expire_after_days', 'notify_emails_to', 'allowed_networks'].map((field) => [
      'push',
      field,
    ]),
  ),
});

function nameAt({ length, character, mark, isMarkFirst }: Names, index: number): string {
  const rest = character.repeat(length);
  return isMarkFirst ? mark(index) + rest : rest + mark(index);
}

/** Texts of these names, as many as fit into the limit. */
function fitting(all: Names, limit: number, textOf: (index: number) => string): string[] {
  const texts: string[] = [];
  let bytes = 200 + 100 * all.levels;
  for (let index = 0; index < all.count; index++) {
    const text = textOf(index);
    bytes += Buffer.byteLength(text) + 20;
    if (bytes > limit) break;
    texts.push(text);
  }
  return texts;
}

function jsonBody(all: Names, limit: number): Buffer {
  const escaped = (text: string) =>
    Array.from(text, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const quoted = (index: number) =>
    all.isEscaped ? `"${escaped(nameAt(all, index))}"` : JSON.stringify(nameAt(all, index));
  const members = fitting(all, limit, quoted);
  const nested = all.isSpread
    ? members.map((name, index) => (index % all.levels === 0 ? `${name}:1` : `${name}:{"b":{}}`)).join(',')
    : members.map((name) => `${name}:1`).join(',');
  const above = [...all.place, ...Array<string>(all.levels - 1).fill('c')];
  const inner = above.reduceRight(
    (text, name) => `{"payload":"a",${JSON.stringify(name)}:${text}}`,
    `{${nested}}`,
  );
  return Buffer.from(all.place[0] === 'push' ? inner : `{"push":{"payload":"a"},"e":${inner}}`);
}

/** The name of a field in the notation of forms. */
function fieldName({ place, levels, isSpread }: Names, name: string, index: number): string {
  const inner = Array.from({ length: levels - 1 }, (_, level) => (isSpread ? `${index % (level + 1)}` : 'c'));
  const [first, ...others] = [...place, ...inner, name];
  return first + others.map((other) => `[${other}]`).join('');
}

function formBody(all: Names, limit: number): Buffer {
  const encoded = (name: string) =>
    all.isEscaped
      ? Buffer.from(name).toString('hex').replace(/../g, '%$&')
      : name.replace(/["%\\\0]/g, encodeURIComponent);
  const fields = fitting(all, limit, (index) => encoded(fieldName(all, nameAt(all, index), index)));
  return Buffer.from(['push[payload]=a', ...fields.map((name) => `${name}=1`)].join('&'));
}

function multipartBody(all: Names, limit: number): Buffer {
  const part = (index: number) => {
    const name = fieldName(all, nameAt(all, index), index).replace(/["\r\n]/g, encodeURIComponent);
    const [parameter, value] = all.isEscaped
      ? ['name*', `utf-8''${encodeURIComponent(name)}`]
      : ['name', `"${name}"`];
    return `--b\r\nContent-Disposition: form-data; ${parameter}=${value}\r\n\r\n1\r\n`;
  };
  const payload = '--b\r\nContent-Disposition: form-data; name="push[payload]"\r\n\r\na\r\n';
  return Buffer.from(`${payload}${fitting(all, limit, part).join('')}--b--\r\n`);
}

const ENCODINGS = [
  ['application/json', jsonBody],
  ['application/x-www-form-urlencoded', formBody],
  ['multipart/form-data; boundary=b', multipartBody],
] as const;

/** Requests with bodies of many, long or nested names. */
const manyNames: fc.Arbitrary<CostlyRequest> = fc
  .record({ all: names, encoding: fc.constantFrom(...ENCODINGS), withToken: fc.boolean() })
  .map(({ all, encoding: [type, bodyOf], withToken }) => ({
    name: `${all.count} names of ${all.length} ${JSON.stringify(all.character)} in ${type}`,
    withToken,
    headers: [`Content-Type: ${type}`],
    body: () => bodyOf(all, withToken && type === 'application/json' ? LIMIT_WITH_TOKEN : LIMIT),
  }));

describe('Names that a client chooses', () => {
  const server = forAllTests(startMeasured);
  let fixtures: Fixtures;
  let clients = 0;

  beforeAll(async () => (fixtures = await makeFixtures(server, server.instance)));

  it('delay no other client, whatever their number, length and nesting (M1, M2)', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(manyNames, async (request) => {
        const bytes = bytesOf(request, fixtures, `10.1.${clients >> 8}.${clients++ & 255}`);
        const ask = async () => statuses.add((await exchange(server.url, bytes, true))?.status ?? 0);
        const cost = await leastCost(server, Infinity, ask, longestFor(request));

        expect(cost.longestBlock).toBeLessThan(longestFor(request));
        expect(cost.longestWait).toBeLessThan(longestFor(request));
      }),
      runs(2000, 40),
    );

    expect([...statuses]).toEqual(expect.arrayContaining([201, 400, 413, 422])); // otherwise it proves little
    expect([...statuses].filter((status) => status === 0 || status === 429 || status >= 500)).toEqual([]);
  });
});

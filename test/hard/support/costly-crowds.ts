import { gzipSync } from 'node:zlib';
import { amount } from './amount.js';
import { filled } from './costly-bodies.js';
import type { CostlyRequest } from './costly-request.js';
import { MemoryBudget } from '../../../src/platform/settings/memory-budget.js';
import { KIB, MIB } from '../../../src/platform/settings/units.js';

const {
  bodies: MAX_OF_BODIES,
  unreadResponses: MAX_OF_UNREAD,
  streamedResponses: MAX_STREAMED,
} = new MemoryBudget(1);
/** Memory of a connection in addition. */
const CONNECTION = 64 * KIB;

const JSON_TYPE = 'Content-Type: application/json';
const FORM_DATA = 'Content-Type: multipart/form-data; boundary=b';
const LONG = `Content-Length: ${13 * MIB}`;
const FIELD = '--b\r\nContent-Disposition: form-data; name="push[payload]"';
const FILE = '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a"';

/** Many clients that send the same request, and then nothing more. */
export interface CostlyCrowd extends CostlyRequest {
  size: number;
  /** How often each sends the request, without waiting for a response; once by default. */
  times?: number;
  /** Whether all have the same address. */
  isOneClient?: boolean;
  /** Whether they read the responses. */
  isRead: boolean;
  /** Bytes of memory that the server may use for all of them. */
  maxHeld: number;
}

/** Clients that begin a body and never finish it. */
export const UNFINISHED = [
  {
    name: 'megabytes of JSON',
    size: 16,
    headers: [JSON_TYPE, LONG],
    body: () => filled(' ', '', '', 12 * MIB),
    maxHeld: MAX_OF_BODIES,
  },
  {
    name: 'megabytes of JSON from one address',
    size: 10,
    isOneClient: true,
    headers: [JSON_TYPE, LONG],
    body: () => filled(' ', '', '', 12 * MIB),
    maxHeld: MAX_OF_BODIES / 2,
  },
  {
    name: 'megabytes of a form',
    size: 16,
    headers: ['Content-Type: application/x-www-form-urlencoded', LONG],
    body: () => filled('+', '', '', 12 * MIB),
    maxHeld: MAX_OF_BODIES,
  },
  {
    name: 'megabytes of a field',
    size: 16,
    headers: [FORM_DATA, LONG],
    body: () => filled('a', `${FIELD}\r\n\r\n`, '', 12 * MIB),
    maxHeld: MAX_OF_BODIES,
  },
  {
    name: 'brackets in gzip',
    size: 110,
    headers: [JSON_TYPE, 'Content-Encoding: gzip', 'Content-Length: 20000'],
    body: () => gzipSync(filled('[')),
    maxHeld: 110 * CONNECTION,
  },
  {
    name: 'the headers of a part',
    size: 110,
    headers: [FORM_DATA, LONG],
    body: () => filled('a', `${FIELD}\r\nX: `, '', 15_000),
    maxHeld: 110 * CONNECTION,
  },
  {
    name: 'a file',
    size: 110,
    headers: [FORM_DATA, LONG],
    body: () => filled('a', `${FILE}\r\n\r\n`, '', 300 * KIB),
    maxHeld: 110 * MIB,
  },
  {
    name: 'a body and send none of it',
    size: 300,
    headers: [JSON_TYPE, LONG, 'Expect: 100-continue'],
    maxHeld: 300 * CONNECTION,
  },
].map((crowd): CostlyCrowd => ({ ...crowd, isRead: true }));

/** Clients that request a page again and again, and read nothing. */
const unreadPage = (path: string, maxHeld: number): CostlyCrowd => ({
  name: path,
  line: `GET ${path}`,
  size: 20,
  times: 100,
  isRead: false,
  maxHeld,
});
export const UNREAD_PAGES = ['/', '/users/sign_in', '/p/$open'].map((path) => unreadPage(path, 20 * MIB));
/** Files that are in memory once for all clients. */
export const UNREAD_FILES = ['/api/docs', '/api/docs.md', '/api/v2/openapi.json', '/robots.txt'].map((path) =>
  unreadPage(path, 20 * CONNECTION + 16 * MIB),
);

const READERS = amount({ full: 40, short: 20 });

/** Clients that each request megabytes of content, and read nothing. */
export const UNREAD_PAYLOADS = [
  { name: 'payloads', line: 'GET /api/v2/pushes/$large', size: READERS, maxHeld: MAX_OF_UNREAD },
  {
    name: 'payloads for one address',
    line: 'GET /api/v2/pushes/$large',
    size: READERS,
    isOneClient: true,
    maxHeld: MAX_OF_UNREAD / 2,
  },
  {
    name: 'payloads, ten on a connection',
    line: 'GET /p/$large.json',
    size: 5,
    times: 10,
    maxHeld: MAX_OF_UNREAD,
  },
  {
    name: 'payloads on pages',
    line: 'POST /p/$quoted',
    headers: ['Content-Length: 0'],
    size: READERS,
    maxHeld: MAX_OF_UNREAD,
  },
].map((crowd): CostlyCrowd => ({ ...crowd, isRead: false }));

/** More clients than downloads are sent to, each of which requests one and reads nothing. */
export const UNREAD_DOWNLOADS: CostlyCrowd = {
  name: 'downloads',
  line: 'GET $download',
  size: 2 * MAX_STREAMED,
  isRead: false,
  maxHeld: (MAX_STREAMED * MIB) / 4,
};

/** Requests of one account, each of which takes long. */
export const OF_ONE_ACCOUNT = [
  { name: 'searches', line: 'GET $search', withSession: true },
  { name: 'filtered lists', line: 'GET /pushes?state=all&page=20', withSession: true },
  { name: 'lists', line: 'GET /api/v2/pushes/active?page=20', headers: ['Authorization: Bearer $ownToken'] },
  { name: 'logs', line: 'GET /api/v2/audit?limit=10000', headers: ['Authorization: Bearer $ownToken'] },
].map((crowd): CostlyCrowd => ({ ...crowd, size: 100, isRead: true, maxHeld: 100 * CONNECTION }));

import type { Answer, Client } from '../../support/client.js';
import { encoded, formOf, linksOf, pushFiles } from '../../support/files.js';

export const SECRET = 'correct horse';
const FILES = [
  { name: 'a.txt', content: 'tulips' },
  { name: 'b.txt', content: 'roses' },
];

/** Something people do, in one request or several at once. */
export interface Action {
  name: string;
  /** What every one of its answers has when all is well. */
  status: number;
  /** Makes the push that it is about, if any, and tells its token. */
  prepare(owner: Client): Promise<string>;
  act(owner: Client, urlToken: string): Promise<Answer[]>;
}

const nothing = () => Promise.resolve('');
const aPush =
  (fields: object = {}) =>
  async (owner: Client) =>
    (await owner.push({ payload: SECRET, expire_after_views: 1, ...fields })).url_token as string;
const aPushWithFiles = async (owner: Client, views = 1) =>
  (await pushFiles(owner, FILES, { payload: SECRET, expire_after_views: String(views) })).url_token as string;

const path = (urlToken: string) => `/api/v2/pushes/${urlToken}`;
const create = (owner: Client, body: object = { push: { payload: SECRET } }) =>
  owner.post('/api/v2/pushes', body);
const retrieve = (owner: Client, urlToken: string) => owner.retrieve(urlToken);

export const ACTIONS: Action[] = [
  { name: 'create', status: 201, prepare: nothing, act: async (owner) => [await create(owner)] },
  {
    name: 'create with files in a form',
    status: 201,
    prepare: nothing,
    act: async (owner) => [await create(owner, formOf(FILES, { payload: SECRET }))],
  },
  {
    name: 'create with files in JSON',
    status: 201,
    prepare: nothing,
    act: async (owner) => [await create(owner, { push: { payload: SECRET, files: encoded(FILES) } })],
  },
  {
    name: 'create three at once',
    status: 201,
    prepare: nothing,
    act: (owner) => Promise.all([create(owner), create(owner), create(owner)]),
  },
  {
    name: 'retrieve',
    status: 200,
    prepare: aPush({ expire_after_views: 2 }),
    act: async (...asked) => [await retrieve(...asked)],
  },
  {
    name: 'retrieve for the last time',
    status: 200,
    prepare: aPush(),
    act: async (...asked) => [await retrieve(...asked)],
  },
  {
    name: 'retrieve with a passphrase',
    status: 200,
    prepare: aPush({ passphrase: 'right' }),
    act: async (owner, urlToken) => [await owner.retrieve(urlToken, 'right')],
  },
  {
    name: 'try a wrong passphrase',
    status: 401,
    prepare: aPush({ passphrase: 'right' }),
    act: async (owner, urlToken) => [await owner.retrieve(urlToken, 'wrong')],
  },
  {
    name: 'retrieve with files',
    status: 200,
    prepare: aPushWithFiles,
    act: async (...asked) => [await retrieve(...asked)],
  },
  {
    name: 'retrieve twice at once',
    status: 200,
    prepare: aPush(),
    act: (...asked) => Promise.all([retrieve(...asked), retrieve(...asked)]),
  },
  {
    name: 'delete',
    status: 200,
    prepare: aPush(),
    act: async (owner, urlToken) => [await owner.delete(path(urlToken))],
  },
  {
    name: 'delete with files',
    status: 200,
    prepare: aPushWithFiles,
    act: async (owner, urlToken) => [await owner.delete(path(urlToken))],
  },
  {
    name: 'delete and retrieve at once',
    status: 200,
    prepare: aPush(),
    act: (owner, urlToken) => Promise.all([owner.delete(path(urlToken)), owner.retrieve(urlToken)]),
  },
];

/** Those that have to do with the store of files. */
export const FILE_ACTIONS: Action[] = [
  ...ACTIONS.filter(({ name }) => /^(create|delete) with files/.test(name)),
  {
    name: 'download',
    status: 200,
    prepare: async (owner) => {
      const [url = ''] = await linksOf(owner, await aPushWithFiles(owner, 2));
      return new URL(url).pathname;
    },
    act: async (owner, link) => [await owner.get(link)],
  },
];

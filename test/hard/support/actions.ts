import type { ClientResponse, Client } from '../../support/client.js';
import { encoded, formOf, linksOf, pushFiles } from '../../support/files.js';

export const SECRET = 'correct horse';
const FILES = [
  { name: 'a.txt', content: 'tulips' },
  { name: 'b.txt', content: 'roses' },
];

/** Something that clients do, in one request or several concurrent ones. */
export interface Action {
  name: string;
  /** The status of each of its responses when nothing fails. */
  status: number;
  /** Creates the push that the action needs, if any, and returns its URL token. */
  prepare(owner: Client): Promise<string>;
  act(owner: Client, urlToken: string): Promise<ClientResponse[]>;
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
    name: 'create three concurrently',
    status: 201,
    prepare: nothing,
    act: (owner) => Promise.all([create(owner), create(owner), create(owner)]),
  },
  {
    name: 'retrieve',
    status: 200,
    prepare: aPush({ expire_after_views: 2 }),
    act: async (owner, urlToken) => [await retrieve(owner, urlToken)],
  },
  {
    name: 'retrieve for the last time',
    status: 200,
    prepare: aPush(),
    act: async (owner, urlToken) => [await retrieve(owner, urlToken)],
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
    act: async (owner, urlToken) => [await retrieve(owner, urlToken)],
  },
  {
    name: 'retrieve twice concurrently',
    status: 200,
    prepare: aPush(),
    act: (owner, urlToken) => Promise.all([retrieve(owner, urlToken), retrieve(owner, urlToken)]),
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
    name: 'delete and retrieve concurrently',
    status: 200,
    prepare: aPush(),
    act: (owner, urlToken) => Promise.all([owner.delete(path(urlToken)), owner.retrieve(urlToken)]),
  },
];

/** The actions that use the file store. */
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

import type { Client, ClientResponse } from './client.js';
import { formOf } from './files.js';
import type { PageClient } from './page-client.js';

/** Who creates pushes. */
export interface Creator {
  api: Client;
  page: PageClient;
}

type Fields = Record<string, string>;

/** A way in which pushes are created. */
export interface CreationWay {
  name: string;
  kind: 'api' | 'pages';
  create: (creator: Creator, fields: Fields) => Promise<ClientResponse>;
}

const PATH = '/api/v2/pushes';

const ofForm = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`push[${name}]`, value]));

const multipart = (fields: Fields) => {
  const form = formOf([], fields);
  form.append('push[files][]', new Blob(['a tulip']), 'tulip.txt');
  return form;
};

export const CREATION_WAYS: CreationWay[] = [
  { name: 'JSON', kind: 'api', create: ({ api }, push) => api.post(PATH, { push }) },
  {
    name: 'an urlencoded form',
    kind: 'api',
    create: ({ api }, push) => api.post(PATH, new URLSearchParams(ofForm(push))),
  },
  {
    name: 'a multipart form with a file',
    kind: 'api',
    create: ({ api }, push) => api.post(PATH, multipart(push)),
  },
  {
    name: 'version 1 of the API',
    kind: 'api',
    create: ({ api }, password) => api.post('/p.json', { password }),
  },
  { name: 'the page', kind: 'pages', create: ({ page }, push) => page.post('/', ofForm(push)) },
  {
    name: 'the page with a file',
    kind: 'pages',
    create: ({ page }, push) => page.post('/', multipart({ kind: 'file', ...push })),
  },
  {
    name: 'the script of the page',
    kind: 'pages',
    create: async ({ page }, push) => {
      const answer = await page.post('/', multipart({ kind: 'file', ...push }), {
        Accept: 'application/json',
      });
      return { ...answer, body: (answer.body as { errors?: object }).errors ?? answer.body };
    },
  },
];

/** What a response says, whatever way it belongs to. */
export const textOf = ({ body }: ClientResponse): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

import { sendRaw } from '../support/send-raw.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const FORMS: [string, (path: string) => string][] = [
  ['.json after it', (path) => `${path}.json`],
  ['a slash after it', (path) => `${path}/`],
  ['two slashes after it', (path) => `${path}//`],
  ['.json and a slash after it', (path) => `${path}.json/`],
  ['doubled slashes in it', (path) => path.replaceAll('/', '//')],
  ['many slashes in it and .json after it', (path) => `${path.replaceAll('/', '////')}.json`],
];

describe.each(FORMS)('An address with %s', (_name, form) => {
  let running: RunningApp;
  let owner: TestUser;
  const send = (method: string, path: string, query = '') =>
    sendRaw(running.url, {
      method,
      path: form(path) + query,
      headers: {
        Authorization: `Bearer ${owner.token}`,
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      },
      ...(method === 'POST' && { body: '{"push":{"payload":"tulip","passphrase":"a/b//c.json/"}}' }),
    });

  beforeAll(async () => {
    running = await startApp();
    owner = await running.newUser();
  });
  afterAll(() => running.stop());

  it('gets a response without a redirect, at every endpoint', async () => {
    const created = await send('POST', '/api/v2/pushes');
    const path = `/api/v2/pushes/${created.body.url_token}`;

    expect(created.status).toBe(201);
    expect((await send('GET', '/api')).body).toMatchObject({ v2: `${running.url}/api/v2` });
    expect((await send('GET', '/api/docs')).status).toBe(200);
    expect((await send('GET', '/api/v2/version')).body.api_version).toBe('2.1');
    expect((await send('GET', '/api/v2/pushes/active')).body).toHaveLength(1);
    expect((await send('HEAD', path)).status).toBe(200);
    expect((await send('GET', `${path}/preview`)).body).toEqual({ url: created.body.html_url });
    expect((await send('GET', path, '?passphrase=a/b//c.json/')).body.payload).toBe('tulip');
    expect((await send('GET', `${path}/audit`, '?page=1')).body.logs).toHaveLength(2);
    expect((await send('DELETE', path)).body.deleted).toBe(true);
    expect((await send('GET', '/api/v2/pushes/expired', '?page=1')).body).toHaveLength(1);
  });

  it('is subject to the same checks', async () => {
    const anonymous = (path: string) => sendRaw(running.url, { path: form(path) });

    expect((await anonymous('/api/v2/pushes/active')).status).toBe(401);
    expect((await anonymous('/api/v2/pushes/unknown')).status).toBe(404);
    expect((await anonymous('/api/v2/accounts')).status).toBe(404);
    expect((await send('GET', '/api/v2/pushes/active', '?page=0')).status).toBe(400);
  });
});

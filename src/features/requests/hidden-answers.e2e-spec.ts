import { PushesService } from '../../pushes/push/pushes.service.js';
import { auditKinds } from '../../../test/support/audit-kinds.js';
import type { Client, ClientResponse } from '../../../test/support/client.js';
import { download, formOf } from '../../../test/support/files.js';
import { forAllTests, forEachTest } from '../../../test/support/for-tests.js';
import { startMailServer } from '../../../test/support/mail-server.js';
import { someVisitor } from '../../../test/support/new-pushes.js';
import type { PageClient } from '../../../test/support/page-client.js';
import { newSignedInUser, withoutOwnPath } from '../../../test/support/page-client.js';
import { ask } from '../../../test/support/requests.js';
import type { Route } from '../../../test/support/routes.js';
import { routesOf } from '../../../test/support/routes.js';
import { startApp } from '../../../test/support/start-app.js';

const UNKNOWN = 'Fq3vN7mXzK1bT9cYwR5sH8';
const SECRET = 'correct horse';

type Send = (route: Route, path: string) => Promise<ClientResponse>;

describe('The push of an answer', () => {
  const mailServer = forAllTests(startMailServer);
  const running = forAllTests(() =>
    startApp({
      ...mailServer.env,
      ...{ ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0', MAILS_PER_DAY: '0' },
      DELETABLE_PUSHES_DEFAULT: 'true',
    }),
  );
  const owner = forEachTest(() => running.newUser());
  let strangers: [name: string, send: Send][];

  beforeAll(async () => {
    const { pageClient } = await newSignedInUser(running);
    strangers = [
      ['anonymous', byApi(running.anonymous)],
      ['another account', byApi((await running.newUser()).client)],
      ['a page that is open to all', byPage(pageClient)],
    ];
  });

  const body = { notify_emails_to: 'ada@example.org', request: { response: 'x' } };
  const byApi =
    (client: Client): Send =>
    ({ method }, path) =>
      ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
        ? client.send(method, path)
        : client.send(method, path, JSON.stringify(body), { 'Content-Type': 'application/json' });
  const byPage =
    (client: PageClient): Send =>
    ({ method }, path) =>
      method === 'GET' ? client.get(path) : client.post(path, { passphrase: 'x', reveal: '1' });

  /** All that take the token of a push, or of a request, with the methods that they take. */
  const routes = () => routesOf(running.app).filter(({ path }) => path.includes(':url_token'));
  const answered = async (fields = {}): Promise<string> => {
    const asked = await ask(owner.client, { name: 'shop', deletable_by_viewer: true, ...fields });
    const form = formOf([{ name: 'plan.txt', content: SECRET }], { response: SECRET }, 'request');
    const { status } = await running.anonymous.post(`/api/v2/requests/${asked.url_token}/respond`, form);
    expect(status).toBe(201);
    const { body: shown } = await owner.client.get(`/api/v2/requests/${asked.url_token}`);
    return shown.answer_url_tokens[0];
  };
  /** What a stranger gets for a token: the same for each token of nothing. */
  const seen = async (send: Send, route: Route, urlToken: string) => {
    const path = route.path.replace(':url_token', urlToken).replace(':locale', 'en');
    const { status, headers, body: content } = await send(route, path);
    const text = withoutOwnPath(typeof content === 'string' ? content : JSON.stringify(content));
    const generic = (value: string) => value.replaceAll(urlToken, 'TOKEN');
    return {
      route,
      status,
      location: generic(headers.get('location') ?? ''),
      text: withoutNonce(generic(text)),
    };
  };
  /** The routes on which a stranger can tell that there is a push. */
  const telling = async (send: Send, urlToken: string) => {
    const told: string[] = [];
    for (const route of routes()) {
      const [real, unknown] = [await seen(send, route, urlToken), await seen(send, route, UNKNOWN)];
      if (JSON.stringify(real) !== JSON.stringify(unknown)) told.push(`${route.method} ${route.path}`);
    }
    return told;
  };

  it('does not exist for strangers on any route that takes a url_token (B9, C4, C7)', async () => {
    const urlToken = await answered();
    for (const [name, send] of strangers) expect([name, await telling(send, urlToken)]).toEqual([name, []]);

    expect(await auditKinds(owner.client, urlToken)).toEqual(['creation']);
    expect((await owner.client.retrieve(urlToken)).body).toMatchObject({
      payload: SECRET,
      views_remaining: 5,
    });
  });

  it('is a 404 for them wherever an unknown one is, and nothing of it is shown', async () => {
    const urlToken = await answered();
    const statuses = new Map<string, number>();
    for (const [name, send] of strangers)
      for (const route of routes()) {
        const { status, text } = await seen(send, route, urlToken);
        expect(text).not.toMatch(/correct horse|plan\.txt|shop/);
        statuses.set(`${name} ${route.method} ${route.path}`, status);
      }

    const shown = [...statuses].filter(([, status]) => status === 200 || status === 201);
    expect(shown.filter(([name]) => !/OPTIONS/.test(name))).toEqual([]);
    expect([...statuses.values()].filter((status) => status === 404).length).toBeGreaterThan(50);
  });

  it('would be told by many of these routes if others could open it', async () => {
    for (const [, send] of strangers.slice(1)) {
      const { url_token } = await owner.client.push({ payload: SECRET, expire_after_views: 100 });
      expect((await telling(send, url_token)).length).toBeGreaterThan(5);
    }
  });

  it('does not exist for them after it has ended either', async () => {
    const urlToken = await answered();
    expect((await owner.client.delete(`/api/v2/pushes/${urlToken}`)).status).toBe(200);

    for (const [name, send] of strangers) expect([name, await telling(send, urlToken)]).toEqual([name, []]);
    expect(await auditKinds(owner.client, urlToken)).toEqual(['creation', 'expire']);
  });

  it('is not used up by views of its owner, whatever it was limited to', async () => {
    const urlToken = await answered({ expire_after_views: 1 });
    for (let i = 0; i < 5; i++) {
      const { body: opened } = await owner.client.retrieve(urlToken);
      expect(opened).toMatchObject({ payload: SECRET, expired: false, views_remaining: 1 });
      const { status, bytes } = await download(running.url + new URL(opened.files[0].url).pathname);
      expect([status, String(bytes)]).toEqual([200, SECRET]);
    }
  });

  it('exists for whoever has its link once its owner shares it, and their views count', async () => {
    const urlToken = await answered({ expire_after_views: 1 });
    const pushes = running.app.get(PushesService);
    const stranger = someVisitor({ userId: (await running.newUser()).id });
    await expect(pushes.share(urlToken, stranger)).rejects.toMatchObject({ status: 404 });
    expect((await running.anonymous.retrieve(urlToken)).status).toBe(404);
    await pushes.share(urlToken, someVisitor({ userId: owner.id }));

    expect((await running.anonymous.retrieve(urlToken)).body).toMatchObject({ payload: SECRET });
    expect((await running.anonymous.retrieve(urlToken)).body).toMatchObject({ payload: null, expired: true });
    expect(await auditKinds(owner.client, urlToken)).toEqual(['creation', 'edit', 'view', 'failed_view']);
  });
});

/** Pages have new ones each time. */
function withoutNonce(text: string): string {
  return text.replace(/nonce="[^"]*"/g, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
}

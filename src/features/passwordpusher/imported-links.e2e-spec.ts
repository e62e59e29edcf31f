import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { PageClient } from '../../../test/support/page-client.js';
import type { ExpectedPush } from '../../../test/support/passwordpusher.js';
import { makePasswordPusher } from '../../../test/support/passwordpusher.js';
import { startApp } from '../../../test/support/start-app.js';

/** The prefix of the links that pushes of a kind had. */
const PREFIXES = { text: 'p', qr: 'p', file: 'f', url: 'r' };

describe('A link that PasswordPusher has made', () => {
  const source = forAllTests(() => makePasswordPusher());
  const running = forAllTests(startApp);
  let open: ExpectedPush[];

  beforeAll(async () => {
    await command(running.instance, source.args);
    open = source.expected.pushes.filter(
      (push) =>
        push.broken === null &&
        !push.expired &&
        !push.overdue &&
        push.views_counted < (push.expire_after_views ?? 5),
    );
  });

  it('leads to the page of its push, with each prefix, confirmation step and locale', async () => {
    const visitor = new PageClient(running.url);
    for (const { kind, url_token } of open) {
      for (const prefix of new Set(['p', PREFIXES[kind]])) {
        for (const path of [`/${prefix}/${url_token}`, `/${prefix}/${url_token}/r`]) {
          for (const locale of ['', '/en', '/de', '/pt-BR']) {
            const { status, headers } = await visitor.get(`${locale}${path}`);
            const isOwnPath = locale === '' && prefix === 'p';
            expect([`${locale}${path}`, status, headers.get('location')]).toEqual([
              `${locale}${path}`,
              isOwnPath ? 200 : 303,
              isOwnPath ? null : `/p/${url_token}${locale.replace('/', '?locale=')}`,
            ]);
          }
        }
      }
    }
  });

  it('opens its push by each path of the API, and each takes a view', async () => {
    const clients = [running.anonymous, running.anonymous.with({ Accept: 'application/json' })];
    for (const push of open) {
      const { url_token, passphrase, kind } = push;
      const query = passphrase === '' ? '' : `?passphrase=${encodeURIComponent(passphrase)}`;
      const paths = [
        `/${PREFIXES[kind]}/${url_token}.json`,
        `/p/${url_token}.json`,
        `/api/v2/pushes/${url_token}`,
      ];
      const left = (push.expire_after_views ?? 5) - push.views_counted;
      for (const [index, path] of paths.slice(0, left).entries()) {
        const { status, body } = await (clients[index % 2] as Client).get(path + query);
        expect([path, status, body.payload, body.views_remaining]).toEqual([
          path,
          200,
          push.payload,
          left - index - 1,
        ]);
      }
    }
  });

  it('shows the secret on its page when its form is sent', async () => {
    const [text] = open.filter(({ case: name }) => name === 'no limits set');
    const page = await new PageClient(running.url).post(`/p/${text?.url_token}`, {});

    expect(page.status).toBe(200);
    expect(page.body).toContain('defaults');
  });

  it('is not found when there is no such push', async () => {
    const visitor = new PageClient(running.url);
    expect((await visitor.get('/p/not-a-token-1')).status).toBe(404);
    expect((await visitor.get('/p/short')).status).toBe(404);
  });
});

import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import type { SocketResponse } from '../support/plain-socket.js';
import { requestBytes, sendBytes } from '../support/plain-socket.js';
import { withoutOwnPath } from '../support/page-client.js';
import { readQrCode } from '../support/qr-code.js';
import { startApp } from '../support/start-app.js';
import { HOUR_MS, SECOND_MS } from '../../src/platform/settings/units.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';

const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaaaaaa';

describe('The preview page of a push', () => {
  const running = forAllTests(startApp);

  /** Sends the request of a browser extension, not normalized by an HTTP library. */
  const ask = async (path: string, { url } = running): Promise<SocketResponse> => {
    const { host } = new URL(url);
    const head = [
      `GET ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Accept: */*',
      'Origin: chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh',
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Mode: cors',
      'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0',
    ];
    const [answer] = await sendBytes(url, requestBytes(head));
    if (!answer) throw new Error('no answer');
    return answer;
  };

  it.each([{ retrieval_step: false }, { retrieval_step: true, passphrase: 'sesame' }])(
    'shows the link and its QR code, but never the secret: %j',
    async (fields) => {
      const { client } = await running.newUser();
      const { url_token, html_url } = await client.push({
        payload: 'correct horse',
        name: 'spring',
        ...fields,
      });

      const { status, headers, body } = await ask(`${new URL(html_url as string).pathname}/preview`);

      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store, no-transform');
      expect(headers['x-robots-tag']).toBe('noindex, nofollow, noarchive');
      const other = await ask(`/p/${url_token}/preview`);
      expect(withoutOwnPath(other.body as string)).toBe(withoutOwnPath(body as string));
      expect(body).toMatch(new RegExp(`<input[^>]* id="link"[^>]* value="${html_url}"`));
      expect(readQrCode(body as string, 'qrcode')).toBe(html_url);
      expect(body).not.toMatch(/correct horse|spring/);
    },
  );

  it('has the public URL of the installation in its QR code', async () => {
    const other = await forThisTest(startApp({ PUBLIC_URL: 'https://push.example.org/secrets' }));
    const { url_token } = await other.anonymous.push({ payload: 'tulip' });

    const { body } = await ask(`//p/${url_token}//preview/`, other);

    expect(readQrCode(body as string, 'qrcode')).toBe(`https://push.example.org/secrets/p/${url_token}`);
  });

  it('counts no view and writes no audit entry (A9)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 1 });
    const entries = await running.dataSource.manager.count(AuditEntry);

    for (let i = 0; i < 3; i++) expect((await ask(`/p/${url_token}/preview`)).status).toBe(200);
    expect((await running.anonymous.head(`/p/${url_token}/preview`)).status).toBe(200);

    expect(await running.dataSource.manager.count(AuditEntry)).toBe(entries);
    expect((await running.anonymous.retrieve(url_token)).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 0,
    });
  });

  it('is the same page for pushes that were used up, expired, deleted or never existed (B9)', async () => {
    const viewed = await running.anonymous.push({ payload: 'tulip', expire_after_views: 1 });
    await running.anonymous.retrieve(viewed.url_token);
    const deleted = await running.anonymous.push({ payload: 'tulip', deletable_by_viewer: true });
    await running.anonymous.delete(`/api/v2/pushes/${deleted.url_token}`);
    const terms = someNewPush({ lifetime: SECOND_MS });
    const anHourAgo = after(new Date(), -HOUR_MS);
    const expired = await running.app.get(CreationsService).create(terms, someVisitor(), anHourAgo);
    const entries = await running.dataSource.manager.count(AuditEntry);

    const never = essence(await ask(`/p/${UNKNOWN}/preview`));
    expect(never.status).toBe(404);
    expect(never.body).toContain('This secret is gone');
    for (const { url_token } of [viewed, deleted, expired]) {
      expect(essence(await ask(`/p/${url_token}/preview`))).toEqual(never);
    }
    expect(await running.dataSource.manager.count(AuditEntry)).toBe(entries);
  });

  it('is a page of the same text where no push can be', async () => {
    const { status, body } = await ask('/p/short/preview');

    expect(status).toBe(404);
    expect(body).toContain('This secret is gone');
  });
});

/** Everything that a visitor could use to distinguish two responses. */
function essence({ status, headers, body }: SocketResponse) {
  const { date, 'x-request-id': id, 'content-length': _, ...rest } = headers; // the length is that of its path, too
  expect([date, id]).not.toContain(undefined);
  return { status, body: withoutOwnPath(body as string), headers: rest };
}

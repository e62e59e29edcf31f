import { forAllTests, forEachTest } from '../../../test/support/for-tests.js';
import { startApp } from '../../../test/support/start-app.js';
import packageJson from '../../../package.json';

const PREFIXES = ['p', 'f', 'r'];

describe('The legacy API', () => {
  const running = forAllTests(startApp);
  const owner = forEachTest(() => running.newUser());

  it.each(['', '.json', '/', '.json/'])(
    'returns the versions to anyone at /api/v1/version%s',
    async (ending) => {
      const path = `//api/v1//version${ending}`;

      for (const client of [running.anonymous, running.anonymous.with({ Authorization: 'Bearer wrong' })]) {
        expect(await client.get(path)).toMatchObject({
          status: 200,
          body: { application_version: packageJson.version, api_version: '1.5', edition: 'oss' },
        });
      }
      expect(Object.keys((await owner.client.get(path)).body)).toHaveLength(3);
    },
  );

  it('responds with the same keys as version 2', async () => {
    const fields = { payload: 'tulip', name: 'a name', note: 'a note' };
    const { body: created } = await owner.client.post('/p.json', { password: fields });
    const created2 = await owner.client.push(fields);
    const { body: read } = await owner.client.get(`/p/${created.url_token}.json`);
    const { body: read2 } = await owner.client.retrieve(created2.url_token);
    const { body: list } = await owner.client.get('/p/active.json');
    const { body: list2 } = await owner.client.get('/api/v2/pushes/active');

    expect(Object.keys(created)).toEqual(Object.keys(created2));
    expect(created).toMatchObject({ name: 'a name', note: 'a note' });
    expect(Object.keys(read)).toEqual(Object.keys(read2));
    expect(list).toEqual(list2);
  });

  it('returns the addresses of version 2', async () => {
    const { body } = await running.anonymous.post('/p.json', {
      password: { payload: 'tulip', retrieval_step: true },
    });

    expect(body.json_url).toBe(`${running.url}/api/v2/pushes/${body.url_token}`);
    expect(body.html_url).toBe(`${running.url}/p/${body.url_token}/r`);
  });

  describe.each(PREFIXES)('under /%s', (prefix) => {
    const others = PREFIXES.filter((other) => other !== prefix);

    it('retrieves pushes of every kind, one view each', async () => {
      const tokens = [
        (await owner.client.push({ payload: 'tulip' })).url_token,
        (await owner.client.push({ payload: 'https://example.org', kind: 'url' })).url_token,
        (await owner.client.push({ files: [{ filename: 'a', content: '' }] })).url_token,
      ] as string[];
      for (const token of tokens) {
        const { status, body } = await running.anonymous.get(`/${prefix}/${token}.json`);
        expect({ status, left: body.views_remaining }).toEqual({ status: 200, left: 4 });
      }
    });

    it('requires the passphrase, in the query or in a header', async () => {
      const { url_token: urlToken } = await running.anonymous.push({ payload: 'tulip', passphrase: 'ä b' });
      const path = `/${prefix}/${urlToken}.json`;

      expect((await running.anonymous.get(path)).status).toBe(401);
      expect((await running.anonymous.get(`${path}?passphrase=%C3%A4+b`)).body.payload).toBe('tulip');
      const withHeader = running.anonymous.with({ 'X-Push-Passphrase': '%C3%A4%20b' });
      expect((await withHeader.get(path)).body.payload).toBe('tulip');
    });

    it('counts nothing on HEAD and preview (A9)', async () => {
      const { url_token: urlToken, html_url: url } = await owner.client.push({ payload: 'tulip' });
      const path = `/${prefix}/${urlToken}`;

      expect((await running.anonymous.head(`${path}.json`)).status).toBe(200);
      expect((await running.anonymous.head(`/${prefix}/unknown.json`)).status).toBe(404);
      expect(await running.anonymous.get(`${path}/preview.json`)).toMatchObject({
        status: 200,
        body: { url },
      });
      expect((await owner.client.get(`${path}/audit.json`)).body.views).toMatchObject([{ kind: 'creation' }]);
      expect((await owner.client.retrieve(urlToken)).body.views_remaining).toBe(4);
    });

    it('returns the audit log as views, to the owner only', async () => {
      const { url_token: urlToken } = await owner.client.push({ payload: 'tulip' });
      const path = `/${prefix}/${urlToken}/audit.json`;
      await running.anonymous.get(`/${prefix}/${urlToken}.json`);
      const { status, headers, body } = await owner.client.get(path);
      const { body: page2 } = await owner.client.get(`${path}?page=2`);

      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['views']);
      expect(body.views.map(({ kind }: { kind: string }) => kind)).toEqual(['creation', 'view']);
      expect(headers.get('x-total')).toBe('2');
      expect(headers.get('link')).toContain(`<${running.url}${path}?page=1>; rel="first"`);
      expect(page2).toEqual({ views: [] });
      expect((await running.anonymous.get(path)).status).toBe(401);
      expect((await (await running.newUser()).client.get(path)).status).toBe(403);
      expect((await owner.client.get(`/${prefix}/unknown/audit.json`)).status).toBe(404);
      expect((await owner.client.get(`${path}?page=0`)).status).toBe(400);
    });

    it('lists active and expired pushes of all kinds to their owner', async () => {
      const { url_token: active } = await owner.client.push({ payload: 'https://example.org', kind: 'url' });
      const { url_token: expired } = await owner.client.push({ payload: 'tulip' });
      await owner.client.delete(`/${prefix}/${expired}.json`);

      for (const [list, token] of [
        ['active', active],
        ['expired', expired],
      ]) {
        const path = `/${prefix}/${list}.json`;
        const { status, headers, body } = await owner.client.get(path);
        expect(status).toBe(200);
        expect(body).toMatchObject([{ url_token: token, name: '', note: '' }]);
        expect(body).toHaveLength(1);
        expect(headers.get('link')).toContain(`<${running.url}${path}?page=1>; rel="first"`);
        expect((await owner.client.get(`${path}?page=201`)).status).toBe(400);
        expect((await running.anonymous.get(path)).status).toBe(401);
      }
    });

    it('deletes for the owner, or for a viewer when allowed', async () => {
      const { url_token: kept } = await owner.client.push({ payload: 'tulip' });
      const { url_token: open } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
      const stranger = await running.newUser();

      expect((await running.anonymous.delete(`/${prefix}/${kept}.json`)).status).toBe(401);
      expect((await stranger.client.delete(`/${prefix}/${kept}.json`)).status).toBe(403);
      expect((await running.anonymous.delete(`/${prefix}/unknown.json`)).status).toBe(404);
      for (const [client, token] of [
        [running.anonymous, open],
        [owner.client, kept],
      ] as const) {
        expect(await client.delete(`/${prefix}/${token}.json`)).toMatchObject({
          status: 200,
          body: { expired: true, deleted: true, url_token: token },
        });
      }
      for (const other of others) {
        expect((await running.anonymous.get(`/${other}/${kept}.json`)).body).toMatchObject({
          expired: true,
          payload: null,
        });
      }
    });
  });
});

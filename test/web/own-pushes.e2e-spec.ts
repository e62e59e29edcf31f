import { OwnPushFilter } from '../../src/pushes/own/own-push-filter.js';
import { MAX_SEARCHED, OwnPushesService } from '../../src/pushes/own/own-pushes.service.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { Push } from '../../src/pushes/push.entity.js';
import { Page } from '../../src/http/paging/page.js';
import { allAtOnce } from '../support/crowd.js';
import type { Member, PageClient } from '../support/page-client.js';
import { newMember } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { someTerms, someVisitor } from '../support/terms.js';

const tokenIn = (body: string) => /\/p\/([\w-]{43})/.exec(body)?.[1] ?? '';
const rowsIn = (body: string) => [...body.matchAll(/class="name">([^<]+)</g)].map(([, name]) => name);

/** CPU time of this thread, which does not depend on what else the machine does. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

describe('The list of an owner', () => {
  let running: RunningApp;
  let member: Member;
  let owner: PageClient;

  beforeAll(async () => (running = await startApp()));
  beforeEach(async () => {
    member = await newMember(running);
    owner = member.pageClient;
  });
  afterAll(() => running.stop());

  const share = async (fields: Record<string, string> = {}, by = owner) => {
    const entries = Object.entries({ payload: 'https://example.org', ...fields });
    const { body } = await by.post(
      '/',
      Object.fromEntries(entries.map(([key, text]) => [`push[${key}]`, text])),
    );
    return tokenIn(body);
  };
  const names = async (query: string, path = '/pushes') => rowsIn((await owner.get(path + query)).body);

  describe('can be searched', () => {
    it('by name and note, whatever the case and Unicode form', async () => {
      await share({ name: 'For Ann', note: 'Straße' });
      await share({ name: 'CAFE\u0301' });
      await share({ name: 'other', note: 'ANN asked' });

      expect(await names('?q=ann')).toEqual(['other', 'For Ann']);
      expect(await names('?q=STRASSE')).toEqual(['For Ann']);
      expect(await names(`?q=${encodeURIComponent('café')}`)).toEqual(['CAFE\u0301']);
      expect(await names('?q=nothing')).toEqual([]);
      expect(await names('?q=%20%20')).toHaveLength(3);
    });

    it('in every state unless one is chosen, and the form offers them all', async () => {
      await share({ name: 'tulip 1' });
      await owner.post(`/p/${await share({ name: 'tulip 2' })}/delete`);

      expect(await names('?q=tulip')).toEqual(['tulip 2', 'tulip 1']);
      expect(await names('?q=tulip', '/pushes/expired')).toEqual(['tulip 2', 'tulip 1']);
      expect(await names('?q=tulip&state=active')).toEqual(['tulip 1']);
      expect(await names('?q=tulip&state=expired')).toEqual(['tulip 2']);
      const { body } = await owner.get('/pushes?q=tulip');
      expect(body).toContain('<option value="all" selected>Any state</option>');
      expect(body).toContain('<a href="/pushes?state=all" aria-current="page">All (2)</a>');
    });

    it('among the owner’s pushes only (C7)', async () => {
      const { pageClient: stranger } = await newMember(running);
      await share({ name: 'tulip' }, stranger);

      expect(await names('?q=tulip&state=all')).toEqual([]);
    });

    it.each(['%00', '.*', '%25', '%5C', "'%20OR%201", '%EF%BF%BF', '\u202e'.normalize(), '('])(
      'with %j, which finds nothing',
      async (q) => {
        await share({ name: 'tulip' });

        expect(await names(`?q=${encodeURI(q).replaceAll('%25', '%')}`)).toEqual([]);
      },
    );

    it.each([
      '?q=%ED%A0%80',
      '?q=%C0',
      `?q=${'a'.repeat(201)}`,
      '?q=a&q=b',
      '?q[a]=b',
      '?state=x',
      '?kind=x',
    ])('but %s is refused or finds nothing (I4, I5)', async (query) => {
      const { status, body } = await owner.get(`/pushes${query}`);

      expect([200, 400]).toContain(status);
      expect(rowsIn(body)).toEqual([]);
    });

    it('up to 200 characters', async () => {
      const name = '😀'.repeat(200);
      await share({ name });

      expect(await names(`?q=${encodeURIComponent(name)}`)).toEqual([name]);
      expect((await owner.get(`/pushes?q=${encodeURIComponent(`${name}😀`)}`)).status).toBe(400);
    });

    it('page by page, with what was searched in the links', async () => {
      for (let i = 0; i < 51; i++) await share({ name: `tulip ${i}` });
      await share({ name: 'rose' });
      const first = (await owner.get('/pushes?q=tulip')).body;
      const second = (await owner.get('/pushes?q=tulip&page=2')).body;

      expect(rowsIn(first)).toHaveLength(50);
      expect(first).toContain('href="/pushes?q=tulip&amp;page=2"');
      expect(rowsIn(second)).toEqual(['tulip 0']);
      expect(second).toContain('href="/pushes?q=tulip"');
      expect(second).not.toContain('page=3');
    });
  });

  it('can be filtered by state and kind', async () => {
    await share({ name: 'new' });
    await running.anonymous.retrieve(await share({ name: 'seen', kind: 'url' }));
    await running.anonymous.retrieve(await share({ name: 'last', expire_after_views: '1' }));
    await owner.post(`/p/${await share({ name: 'deleted', kind: 'qr' })}/delete`);

    expect(await names('')).toEqual(['seen', 'new']);
    expect(await names('?state=active')).toEqual(['seen', 'new']);
    expect(await names('?state=opened')).toEqual(['last', 'seen']);
    expect(await names('?state=unopened')).toEqual(['deleted', 'new']);
    expect(await names('?state=expired')).toEqual(['deleted', 'last']);
    expect(await names('?state=all')).toEqual(['deleted', 'last', 'seen', 'new']);
    expect(await names('?kind=url')).toEqual(['seen']);
    expect(await names('?kind=qr&state=expired')).toEqual(['deleted']);
    expect(await names('?kind=qr', '/pushes/expired')).toEqual(['deleted']);
    expect(await names('?q=n&kind=text&state=unopened')).toEqual(['new']);
    expect(await names('?q=&kind=&state=')).toEqual(['seen', 'new']);
  });

  it('counts active and expired pushes', async () => {
    await share();
    await share();
    await running.anonymous.retrieve(await share({ expire_after_views: '1' }));
    const count = () => running.app.get(OwnPushesService).count({ ...someVisitor(), userId: member.id });

    expect(await count()).toEqual({ active: 2, expired: 1 });
  });

  it('tells how often each was opened and when last, also after its end', async () => {
    const list = async () => {
      const visitor = { ...someVisitor(), userId: member.id };
      const { rows } = await running.app
        .get(OwnPushesService)
        .list(visitor, new OwnPushFilter('all'), Page.parse(undefined));
      return Object.fromEntries(
        rows.map(({ push, opened, lastOpenedAt }) => [push.name, { opened, isKnown: lastOpenedAt !== null }]),
      );
    };
    await share({ name: 'never' });
    const deleted = await share({ name: 'deleted' });
    const aged = await share({ name: 'aged' });
    const last = await share({ name: 'last', expire_after_views: '1' });
    for (const token of [deleted, deleted, aged, last]) await running.anonymous.retrieve(token);
    await owner.post(`/p/${deleted}/delete`);
    await running.dataSource.manager.update(
      Push,
      { userId: member.id, viewsCounted: 1, expireAfterViews: 5 },
      { expiresAt: new Date(Date.now() - 1) },
    );
    await running.app.get(ExpiryService).expireOverdue();

    expect(await list()).toEqual({
      never: { opened: 0, isKnown: false },
      deleted: { opened: 2, isKnown: true },
      aged: { opened: 1, isKnown: true },
      last: { opened: 1, isKnown: true },
    });
    expect((await owner.get('/pushes/expired')).body).toContain('Opened 2 of 5 · last opened on <time');
  });

  it('says when it ends before the page', async () => {
    await share({ name: 'tulip' });

    for (const query of ['?page=2', '?q=tulip&page=2', '?state=all&page=200']) {
      const { status, body } = await owner.get(`/pushes${query}`);
      expect(status).toBe(200);
      expect(body).toContain('The list ends before this page.');
    }
    expect((await owner.get('/pushes?page=1')).body).not.toContain('ends before');
    expect((await owner.get('/pushes?page=201')).status).toBe(400);
  });

  it('leads from a page that it does not have to its last', async () => {
    for (let i = 0; i < 51; i++) await share({ name: `tulip ${i}` });

    for (const [past, last] of [
      ['/pushes?page=9', '/pushes?page=2'],
      ['/pushes?q=tulip&page=9', '/pushes?q=tulip&page=2'],
      ['/pushes?q=tulip+7&page=9', '/pushes?q=tulip+7'],
    ] as const) {
      const href = last.replaceAll('&', '&amp;');
      expect((await owner.get(past)).body).toContain(`<a href="${href}">Go to the last page</a>`);
      expect(rowsIn((await owner.get(last)).body)).not.toEqual([]);
    }
  });

  it('tells a new owner what to do', async () => {
    const { body } = await owner.get('/pushes');

    expect(body).toContain('You have not shared anything yet.');
    expect(body).not.toContain('role="search"');
  });

  describe('deletes several at once', () => {
    const remove = (tokens: string[], by = owner, others: Record<string, string> = { confirmed: 'yes' }) => {
      const form = new URLSearchParams(tokens.map((token) => ['url_tokens', token]));
      for (const [name, text] of Object.entries(others)) form.set(name, text);
      return fetch(`${running.url}/pushes/delete`, {
        method: 'POST',
        body: form,
        headers: { 'Sec-Fetch-Site': 'same-origin', Cookie: by.cookies },
        redirect: 'manual',
      });
    };

    it('with a clear outcome, and again without a change', async () => {
      const tokens = [await share(), await share(), await share()];
      const kept = tokens.slice(2);

      for (let i = 0; i < 2; i++) {
        const { status, headers } = await remove(tokens.slice(0, 2));
        expect([status, headers.get('location')]).toEqual([303, '/pushes?deleted=2&unknown=0']);
      }
      expect((await owner.get('/pushes?deleted=2&unknown=0')).body).toContain('2 secrets deleted.');
      for (const token of tokens) {
        expect((await running.anonymous.retrieve(token)).body.deleted).toBe(!kept.includes(token));
      }
    });

    it('after it has asked, by name', async () => {
      const { pageClient: stranger } = await newMember(running);
      const tokens = [
        await share({ name: '<b>tulip</b>' }),
        await share({ name: 'rose' }),
        await share({ name: 'theirs' }, stranger),
      ];
      const next = '/pushes?q=o&page=2';

      const asked = await remove(tokens, owner, { next });
      const question = await asked.text();

      expect(asked.status).toBe(200);
      expect(question).toContain('Delete 2 secrets?');
      for (const text of ['&lt;b>tulip', 'rose', 'name="confirmed" value="yes"']) {
        expect(question).toContain(text);
      }
      expect(question).not.toContain('theirs');
      for (const token of tokens) expect((await running.anonymous.retrieve(token)).body.expired).toBe(false);
      const { headers } = await remove(tokens, owner, { next, confirmed: 'yes' });
      expect(headers.get('location')).toBe('/pushes?q=o&page=2&deleted=2&unknown=1');
    });

    it.each(['//evil.example', 'https://evil.example', '/users/edit', '/pushes/../x', '/\\evil.example'])(
      'and returns to a list, never to %s (D6)',
      async (next) => {
        const { headers } = await remove([await share()], owner, { next, confirmed: 'yes' });

        expect(headers.get('location')).toBe('/pushes?deleted=1&unknown=0');
      },
    );

    it.each([
      'deleted=<b>',
      'deleted=-1&unknown=0',
      'deleted=1',
      'deleted=1000&unknown=0',
      'deleted[]=1&unknown=0',
    ])('and says nothing for ?%s (E1)', async (query) => {
      const { status, body } = await owner.get(`/pushes?${query}`);

      expect(status).toBe(200);
      expect(body).not.toContain('role="status"');
    });

    it('but none of others, not even those that anyone may delete (C7)', async () => {
      const { pageClient: stranger } = await newMember(running);
      const theirs = [await share({}, stranger), await share({ deletable_by_viewer: 'true' }, stranger)];
      const mine = await share();
      const { headers } = await remove([...theirs, mine, 'x', 'a'.repeat(43), mine]);

      expect(headers.get('location')).toBe('/pushes?deleted=1&unknown=4');
      expect((await owner.get('/pushes?deleted=1&unknown=4')).body).toContain(
        '1 secret deleted. 4 secrets are not in your list any more.',
      );
      for (const token of theirs) expect((await running.anonymous.retrieve(token)).body.expired).toBe(false);
    });

    it('up to a page, from our pages and with a session only', async () => {
      const token = await share();
      expect((await remove(Array<string>(51).fill(token))).status).toBe(400);
      expect((await remove([])).status).toBe(303);
      expect((await owner.post('/pushes/delete', { 'url_tokens[a]': token })).status).toBe(303);
      const crossSite = { 'Sec-Fetch-Site': 'cross-site' };
      expect((await owner.post('/pushes/delete', { url_tokens: token }, crossSite)).status).toBe(403);
      const signedOut = await running.anonymous
        .with({ 'Sec-Fetch-Site': 'same-origin' })
        .send('POST', '/pushes/delete', new URLSearchParams({ url_tokens: token }));
      expect(signedOut.headers.get('location')).toContain('/users/sign_in');
      expect((await running.anonymous.retrieve(token)).body.expired).toBe(false);
    });
  });
});

describe('The search of an owner with more pushes than are searched', () => {
  let running: RunningApp;
  let member: Member;

  beforeAll(async () => {
    running = await startApp();
    member = await newMember(running);
    const visitor = { ...someVisitor(), userId: member.id };
    const creations = running.app.get(CreationsService);
    const slow = `a${'\u0315\u0300\u05ae'.repeat(660)}`;
    await creations.create(someTerms({ name: 'tulip' }), visitor);
    await creations.create(someTerms({ name: 'rose' }), visitor);
    for (let i = 0; i < MAX_SEARCHED - 1; i += 100)
      await allAtOnce(Math.min(100, MAX_SEARCHED - 1 - i), () =>
        creations.create(someTerms({ name: 'other', note: slow }), visitor),
      );
  }, 120_000);
  afterAll(() => running.stop());

  it('stops there and says so, and does not hold up other requests (I5, L4)', async () => {
    const { pageClient } = member;
    let longest = 0;
    let before = cpuMs();
    const timer = setInterval(() => {
      longest = Math.max(longest, cpuMs() - before);
      before = cpuMs();
    }, 1);
    const cut = (await pageClient.get('/pushes?q=tulip')).body;
    clearInterval(timer);

    expect(rowsIn(cut)).toEqual([]);
    expect(cut).toContain('Only your newest 2,000 secrets were searched.');
    expect(longest).toBeLessThan(50);
    expect(rowsIn((await pageClient.get('/pushes?q=rose')).body)).toEqual(['rose']);
  });

  it('stops as soon as the page is full', async () => {
    const visitor = { ...someVisitor(), userId: member.id };
    const list = await running.app
      .get(OwnPushesService)
      .list(visitor, new OwnPushFilter('all', undefined, 'other'), Page.parse(undefined));

    expect(list).toMatchObject({ hasNext: true, isCut: false, isPastEnd: false });
    expect(list.rows).toHaveLength(50);
  });
});

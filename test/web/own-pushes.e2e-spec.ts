import { OwnPushFilter } from '../../src/pushes/owner-lists/own-push-filter.js';
import { MAX_SEARCHED, OwnPushesService } from '../../src/pushes/owner-lists/own-pushes.service.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { digestOf } from '../../src/platform/random/random.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { ListPage } from '../../src/platform/http/paging/list-page.js';
import { clientEncryptedPush } from '../support/age-files.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import type { PageClient } from '../support/page-client.js';
import { newSignedInUser, tokenIn } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';
import { someNewPush, someVisitor } from '../support/new-pushes.js';

const statesIn = (body: string) =>
  Object.fromEntries(
    [
      ...(/<nav [^>]*aria-label="Filter">(.*?)<\/nav>/s.exec(body)?.[1] ?? '').matchAll(
        /href="([^"]+)"[^>]*>([^<]+)</g,
      ),
    ].map(([, href = '', state = '']) => [state.trim(), href.replaceAll('&amp;', '&')]),
  ) as Record<string, string>;
const rowsIn = (body: string) =>
  [...body.matchAll(/class="title"><a [^>]+>(?:<bdi[^>]*>)?([^<]+)</g)].map(([, name]) => name);

/** CPU time of this thread, which does not depend on what else the machine does. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The longest turn of the event loop during this work, as a share of its whole CPU time. */
const longestTurn = async (work: () => Promise<unknown>) => {
  const startedAt = cpuMs();
  let longest = 0;
  let before = startedAt;
  const endTurn = () => {
    longest = Math.max(longest, cpuMs() - before);
    before = cpuMs();
  };
  const timer = setInterval(endTurn, 1);
  await work();
  clearInterval(timer);
  endTurn();
  return longest / (before - startedAt);
};

describe('The list of an owner', () => {
  const running = forAllTests(startApp);
  const member = forEachTest(() => newSignedInUser(running));
  let owner: PageClient;

  beforeEach(() => (owner = member.pageClient));

  const share = async (fields: Record<string, string> = {}, by = owner) => {
    const entries = Object.entries({ payload: 'https://example.org', ...fields });
    const { body } = await by.post(
      '/',
      Object.fromEntries(entries.map(([key, text]) => [`push[${key}]`, text])),
    );
    return tokenIn(body);
  };
  const names = async (query: string, path = '/pushes') => rowsIn((await owner.get(path + query)).body);
  /** The path of the list to which the search form leads. */
  const search = async (q: string, filters: Record<string, string> = {}) =>
    (await owner.post('/pushes/search', { q, ...filters })).headers.get('location') ?? '';
  const found = async (q: string, filters: Record<string, string> = {}) =>
    names('', await search(q, filters));

  describe('can be searched', () => {
    it('says that a push has a passphrase only as far as this server knows', async () => {
      const saidOf = async (fields: Record<string, string>) => {
        const token = await share(fields);
        const pages = [await owner.get('/pushes'), await owner.get(`/p/${token}/audit`)];
        await owner.post(`/p/${token}/delete`);
        return pages.map(({ body }) => /with a passphrase|Needs a passphrase/.exec(body)?.[0]);
      };
      const { payload, passphrase } = clientEncryptedPush();

      expect(await saidOf({ passphrase: 'horse' })).toEqual(['with a passphrase', 'Needs a passphrase']);
      expect(await saidOf({ payload, passphrase, client_encrypted: 'true' })).toEqual([undefined, undefined]);
    });

    it('by name and note, whatever the case and Unicode form', async () => {
      await share({ name: 'For Ann', note: 'Straße' });
      await share({ name: 'CAFE\u0301' });
      await share({ name: 'other', note: 'ANN asked' });

      expect(await found('ann')).toEqual(['other', 'For Ann']);
      expect(await found(' STRASSE ')).toEqual(['For Ann']);
      expect(await found('café')).toEqual(['CAFE\u0301']);
      expect(await found('nothing')).toEqual([]);
      expect(await search('  ')).toBe('/pushes');
    });

    it('in every state unless one is chosen, and each state keeps what was searched', async () => {
      await share({ name: 'tulip 1' });
      await owner.post(`/p/${await share({ name: 'tulip 2' })}/delete`);

      expect(await found('tulip')).toEqual(['tulip 2', 'tulip 1']);
      expect(await found('tulip', { state: 'active' })).toEqual(['tulip 1']);
      expect(await found('tulip', { state: 'expired' })).toEqual(['tulip 2']);
      const path = await search('tulip');
      const { body } = await owner.get(path);
      expect(statesIn(body)).toEqual({
        Active: `${path}&state=active`,
        Opened: `${path}&state=opened`,
        'Not opened': `${path}&state=unopened`,
        Ended: `${path}&state=expired`,
        All: path,
      });
      expect(body).toContain(`<a href="${path}" aria-current="page">All `);
      expect(body).not.toContain('<select name="state"');
      expect(await names('', `${path}&state=expired`)).toEqual(['tulip 2']);
    });

    it('and cleared, back to the state that was chosen', async () => {
      await owner.post(`/p/${await share({ name: 'tulip' })}/delete`);
      const cleared = async (path: string) =>
        /href="([^"]+)"[^>]*>Clear search</.exec((await owner.get(path)).body)?.[1];

      expect(await cleared(await search('tulip'))).toBe('/pushes');
      expect(await cleared(await search('tulip', { state: 'expired' }))).toBe('/pushes/expired');
      expect(await cleared(await search('tulip', { state: 'opened' }))).toBe('/pushes?state=opened');
      expect(await cleared('/pushes?kind=qr&state=all')).toBe('/pushes?state=all');
      expect(await cleared('/pushes?state=opened')).toBeUndefined();
      expect(await cleared('/pushes/expired')).toBeUndefined();
    });

    it('by kind in the list that it was searched from', async () => {
      expect(await search('', { kind: 'qr', list: 'expired' })).toBe('/pushes?state=expired&kind=qr');
      expect(await search('', { kind: 'qr', list: 'active' })).toBe('/pushes?kind=qr');
      expect(await search('', { kind: 'qr', list: '<b>' })).toBe('/pushes?kind=qr');
    });

    it('among the owner’s pushes only (C7)', async () => {
      const { pageClient: stranger } = await newSignedInUser(running);
      await share({ name: 'tulip' }, stranger);

      expect(await found('tulip')).toEqual([]);
    });

    it('with what looks like a pattern or a query, which finds nothing', async () => {
      await share({ name: 'tulip' });

      for (const q of ['\0', '.*', '%', '\\', "' OR 1", '\uffff', '\u202e', '(']) {
        expect([q, await found(q)]).toEqual([q, []]);
      }
    });

    it('but not by a text that was not sealed here for this account (C7, I4)', async () => {
      await share({ name: 'tulip' });
      const theirs = (await search('tulip')).split('search=')[1] ?? '';
      const { pageClient: stranger } = await newSignedInUser(running);

      expect((await stranger.get(`/pushes?search=${theirs}`)).body).not.toContain('tulip');
      for (const query of [
        `search=${theirs.slice(0, -2)}`,
        `search=A${theirs}`,
        `search=${theirs}&search=${theirs}`,
        'search=tulip',
        'state=x',
        'kind=x',
      ]) {
        const { status, body } = await owner.get(`/pushes?${query}`);
        expect([query, status, rowsIn(body)]).toEqual([query, 400, []]);
      }
      for (const form of ['q=a&q=b', 'q[a]=b']) {
        const sent = Object.fromEntries([form.split('=')]) as Record<string, string>;
        expect((await owner.post('/pushes/search', sent)).status).toBeLessThan(500);
      }
      for (const filter of ['state', 'kind'])
        expect((await owner.post('/pushes/search', { [filter]: 'x' })).status).toBe(400);
    });

    it('up to 200 characters', async () => {
      const name = '😀'.repeat(200);
      await share({ name });

      expect(await found(name)).toEqual([name]);
      const { status, body } = await owner.post('/pushes/search', { q: `${name}😀` });
      expect(status).toBe(400);
      expect(body).toContain('Enter at most 200 characters.');
    });
  });

  describe('of more than a page', () => {
    const rich = forAllTests(() => newSignedInUser(running));

    beforeAll(async () => {
      const visitor = someVisitor({ userId: rich.id });
      for (const name of ['rose', 'wedding of ann', ...Array.from({ length: 51 }, (_, i) => `wedding ${i}`)])
        await running.app.get(CreationsService).create(someNewPush({ name }), visitor);
    });
    beforeEach(() => (owner = rich.pageClient));

    it('is searched without the text in any URL or redirect (H1)', async () => {
      const { status, headers } = await owner.post('/pushes/search', { q: 'wedding', state: 'all' });
      const { body } = await owner.get(headers.get('location') ?? '');
      const again = await owner.get(
        /href="([^"]+)"[^>]*>Older/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '',
      );

      expect(status).toBe(303);
      expect(rowsIn(body)).toHaveLength(50);
      expect(rowsIn(again.body)).toEqual(['wedding 0', 'wedding of ann']);
      expect(body).toContain('value="wedding"');
      const addresses = [...(body + again.body).matchAll(/(?:href|action|name="next" value)="([^"]*)"/g)];
      expect(addresses.length).toBeGreaterThan(50);
      const all = [headers.get('location'), ...addresses.map(([, address]) => address)];
      expect(all.filter((address) => address?.includes('wedding'))).toEqual([]);
    });

    it('has what was searched in its links, and leads from a page that it does not have to its last', async () => {
      const [all, one] = [await search('wedding'), await search('wedding 7')];
      const second = (await owner.get(`${all}&page=2`)).body;

      expect((await owner.get(all)).body).toContain(`href="${all}&amp;page=2"`);
      expect(second).toContain(`href="${all}"`);
      expect(second).not.toContain('page=3');
      for (const [past, last] of [
        ['/pushes?page=9', '/pushes?page=2'],
        [`${all}&page=9`, `${all}&page=2`],
        [`${one}&page=9`, one],
      ] as const) {
        const href = last.replaceAll('&', '&amp;');
        expect((await owner.get(past)).body).toContain(`<a href="${href}">Go to the last page</a>`);
        expect(rowsIn((await owner.get(last)).body)).not.toEqual([]);
      }
    });
  });

  it('tells pushes without a name by kind, files and time, not by a part of their link', async () => {
    const shared = { text: await share(), url: await share({ kind: 'url' }), file: await share() };
    const { manager } = running.dataSource;
    const createdAt = new Date('2025-11-25T14:03:00Z');
    await manager.update(Push, { userId: member.id }, { createdAt, filesCount: 0 });
    await manager.update(Push, { tokenDigest: digestOf(shared.url) }, { filesCount: 1 });
    await manager.update(Push, { tokenDigest: digestOf(shared.file) }, { kind: 'file', filesCount: 2 });
    const { body } = await owner.get('/pushes');
    const time =
      '<time datetime="2025-11-25T14:03:00.000Z" data-format="short" title="25 Nov 2025, 14:03 UTC">25 Nov 2025, 14:03 UTC</time>';

    for (const [token, name] of [
      [shared.text, 'Text, '],
      [shared.url, 'Link, 1 file, '],
      [shared.file, '2 files, '],
    ] as const) {
      expect(body).toContain(`<a href="/p/${token}/audit">${name}${time}</a>`);
      for (const label of ['Select', 'More for', 'Copy the link of'])
        expect(body).toContain(`"${label} ${name}25 Nov 2025, 14:03 UTC"`);
      expect((await owner.get(`/p/${token}/audit`)).body).toContain(`<h1>${name}${time}</h1>`);
    }
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
    expect(await found('n', { kind: 'text', state: 'unopened' })).toEqual(['new']);
    expect(await search('', { kind: 'url', state: 'all' })).toBe('/pushes?state=all&kind=url');
    expect(await names('?search=&kind=&state=')).toEqual(['seen', 'new']);
  });

  it('shows how often each was opened and when last, also after its end', async () => {
    const list = async () => {
      const visitor = { ...someVisitor(), userId: member.id };
      const { rows } = await running.app
        .get(OwnPushesService)
        .list(visitor, new OwnPushFilter('all'), ListPage.parse(undefined));
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
    expect((await owner.get('/pushes/expired')).body).toMatch(/2 of 5<\/span><\/span><\/td><td[^>]*><time /);
  });

  it('says when it ends before the page', async () => {
    await share({ name: 'tulip' });

    for (const path of ['/pushes?page=2', `${await search('tulip')}&page=2`, '/pushes?state=all&page=200']) {
      const { status, body } = await owner.get(path);
      expect(status).toBe(200);
      expect(body).toContain('The list ends before this page.');
    }
    expect((await owner.get('/pushes?page=1')).body).not.toContain('ends before');
    expect((await owner.get('/pushes?page=201')).status).toBe(400);
  });

  it('tells a new owner what to do', async () => {
    const { body } = await owner.get('/pushes');

    expect(body).toContain('Nothing shared yet');
    expect(body).not.toContain('role="search"');
  });

  describe('deletes several together', () => {
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
        expect([status, headers.get('location')]).toEqual([303, '/pushes?done=deleted&deleted=2&unknown=0']);
      }
      expect((await owner.get('/pushes?done=deleted&deleted=2&unknown=0')).body).toContain(
        '2 secrets deleted.',
      );
      for (const token of tokens) {
        expect((await running.anonymous.retrieve(token)).body.deleted).toBe(!kept.includes(token));
      }
    });

    it('after it has asked, by name', async () => {
      const { pageClient: stranger } = await newSignedInUser(running);
      const tokens = [
        await share({ name: '<b>tulip</b>' }),
        await share({ name: 'rose' }),
        await share({ name: 'theirs' }, stranger),
      ];
      const next = `${await search('o')}&page=2`;

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
      expect(headers.get('location')).toBe(`${next}&done=deleted&deleted=2&unknown=1`);
    });

    it.each(['//evil.example', 'https://evil.example', '/users/edit', '/pushes/../x', '/\\evil.example'])(
      'and returns to a list, never to %s (D6)',
      async (next) => {
        const { headers } = await remove([await share()], owner, { next, confirmed: 'yes' });

        expect(headers.get('location')).toBe('/pushes?done=deleted&deleted=1&unknown=0');
      },
    );

    it.each([
      'done=deleted&deleted=<b>',
      'done=deleted&deleted=-1&unknown=0',
      'done=deleted&deleted=1',
      'done=deleted&deleted=1000&unknown=0',
      'done=deleted&deleted[]=1&unknown=0',
    ])('and says nothing for ?%s (E1)', async (query) => {
      const { status, body } = await owner.get(`/pushes?${query}`);

      expect(status).toBe(200);
      expect(body).not.toContain('role="status"');
    });

    it('but none of others, not even those that anyone may delete (C7)', async () => {
      const { pageClient: stranger } = await newSignedInUser(running);
      const theirs = [await share({}, stranger), await share({ deletable_by_viewer: 'true' }, stranger)];
      const mine = await share();
      const { headers } = await remove([...theirs, mine, 'x', 'a'.repeat(43), mine]);

      expect(headers.get('location')).toBe('/pushes?done=deleted&deleted=1&unknown=4');
      expect((await owner.get('/pushes?done=deleted&deleted=1&unknown=4')).body).toContain(
        '<strong>1 secret deleted.</strong> Nobody can open it any more. 4 were no longer in your list.',
      );
      for (const token of theirs) expect((await running.anonymous.retrieve(token)).body.expired).toBe(false);
    });

    it('up to a page, and with a session only', async () => {
      const token = await share();
      expect((await remove(Array<string>(51).fill(token))).status).toBe(400);
      expect((await remove([])).status).toBe(303);
      expect((await owner.post('/pushes/delete', { 'url_tokens[a]': token })).status).toBe(303);
      const signedOut = await running.anonymous
        .with({ 'Sec-Fetch-Site': 'same-origin' })
        .send('POST', '/pushes/delete', new URLSearchParams({ url_tokens: token }));
      expect(signedOut.headers.get('location')).toContain('/users/sign_in');
      expect((await running.anonymous.retrieve(token)).body.expired).toBe(false);
    });
  });
});

describe('The search of an owner with more pushes than are searched', () => {
  const running = forAllTests(startApp);
  const member = forAllTests(() => newSignedInUser(running));

  beforeAll(async () => {
    const visitor = { ...someVisitor(), userId: member.id };
    const creations = running.app.get(CreationsService);
    const slow = `a${'\u0315\u0300\u05ae'.repeat(660)}`;
    await creations.create(someNewPush({ name: 'tulip' }), visitor);
    await creations.create(someNewPush({ name: 'rose' }), visitor);
    for (let left = MAX_SEARCHED - 1; left > 0; left -= 100) {
      const note = left > 100 ? '' : slow;
      await allAtOnce(Math.min(100, left), () =>
        creations.create(someNewPush({ name: 'other', note }), visitor),
      );
    }
  }, 120_000);

  it('stops there and says so, and does not hold up other requests (I5, L4)', async () => {
    const { pageClient } = member;
    const bodyOf = async (q: string) => {
      const { headers } = await pageClient.post('/pushes/search', { q });
      return (await pageClient.get(headers.get('location') ?? '')).body;
    };
    const cut = await bodyOf('tulip');
    let smallestShare = 1;
    for (let run = 0; run < 5; run++)
      smallestShare = Math.min(smallestShare, await longestTurn(() => bodyOf('tulip')));

    expect(rowsIn(cut)).toEqual([]);
    expect(cut).toContain('No secret matches in this part of your list');
    expect(cut).toContain('Searched back to <time');
    expect(smallestShare).toBeLessThan(0.2);
    expect(rowsIn(await bodyOf('rose'))).toEqual(['rose']);
  });

  it('continues where it stopped, on any page that leads back to it (H1)', async () => {
    const { pageClient } = member;
    const follow = async (body: string, label: string) => {
      const path = new RegExp(`href="([^"]+)">${label}<`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
      return { path, body: (await pageClient.get(path)).body };
    };
    const { headers } = await pageClient.post('/pushes/search', { q: 'tulip', state: 'active' });
    const first = (await pageClient.get(headers.get('location') ?? '')).body;
    const older = await follow(first, 'Search older ones');
    const newest = await follow(older.body, 'Search from the newest');

    expect(rowsIn(older.body)).toEqual(['tulip']);
    expect(older.body).not.toContain('Searched back to');
    expect(older.body).toContain('<input type="hidden" name="state" value="active"/>');
    expect(older.path).not.toContain('tulip');
    expect(older.body).toContain(`name="next" value="${older.path.replaceAll('&', '&amp;')}"`);
    expect([newest.path, newest.body]).toEqual([headers.get('location'), first]);
  });

  it.each(['before=%3Cb%3E', 'before=a&before=b', `before=${'a'.repeat(37)}`])(
    'does not begin at %s (I5)',
    async (query) => {
      expect((await member.pageClient.get(`/pushes?${query}`)).status).toBe(400);
    },
  );

  it('stops as soon as the page is full', async () => {
    const visitor = { ...someVisitor(), userId: member.id };
    const list = await running.app
      .get(OwnPushesService)
      .list(
        visitor,
        new OwnPushFilter('all', undefined, { text: 'other', sealed: '' }),
        ListPage.parse(undefined),
      );

    expect(list).toMatchObject({ hasNext: true, searchedTo: undefined, isPastEnd: false });
    expect(list.rows).toHaveLength(50);
  });
});

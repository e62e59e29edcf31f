import { ListPage } from '../../src/platform/http/paging/list-page.js';
import { randomUUID } from 'node:crypto';
import { UsersService } from '../../src/auth/users/users.service.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { MAX_SEARCHED } from '../../src/pushes/owner-lists/own-pushes.service.js';
import { PushRepository } from '../../src/pushes/push/push.repository.js';
import { Client } from '../support/client.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { insertPushes } from '../support/insert-pushes.js';
import { logStatements } from '../support/recorded-statements.js';
import { someNewPush, someVisitor } from '../support/new-pushes.js';
import { asData, PageClient, PASSWORD } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const MIN_ROUNDS = 5;
const MAX_ROUNDS = 50;
/** How many times longer a list may take with ten times as many pushes: the machine is not always equally fast. */
const MUCH_LONGER = 3;

type Kind = Omit<Parameters<typeof insertPushes>[2], 'batch'>;

const ACTIVE: Kind = { expiresAt: "'2096-01-01 00:00:00.000'" };
const ENDED: Kind = { ...ACTIVE, ended: true };
const OVERDUE: Kind = { expiresAt: "'2026-01-08 00:00:00.000'" };

interface Owner {
  id: string;
  pages: PageClient;
  api: Client;
}

/**
 * How many times longer the second takes; the shortest of several times counts. They are measured until the second is not
 * much longer, because other work on the machine can slow several short requests in a row.
 */
async function ratioOf(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<number> {
  const shortest = { first: Infinity, second: Infinity };
  const isMuchLonger = () => shortest.second >= MUCH_LONGER * shortest.first;
  for (let round = 0; round < MIN_ROUNDS || (isMuchLonger() && round < MAX_ROUNDS); round++)
    for (const [name, request] of [
      ['first', first],
      ['second', second],
    ] as const) {
      const before = performance.now();
      await request();
      shortest[name] = Math.min(shortest[name], performance.now() - before);
    }
  return shortest.second / shortest.first;
}

describe('The lists of an owner of very many pushes', () => {
  const running = forAllTests(startApp);

  /** An account with clients for the API and for the pages. */
  const newOwner = async () => {
    const email = `${randomUUID()}@example.org`;
    const { user, token } = await running.app.get(UsersService).createWithToken(email, PASSWORD, 'test');
    const pages = new PageClient(running.url);
    await pages.signIn(email);
    return { id: user.id, pages, api: new Client(running.url, { Authorization: `Bearer ${token}` }) };
  };
  /** An owner of 10 ** `digits` pushes, the newest, and of ten older ones of the other kind. */
  const ownerOf = async (digits: number, many: Kind = ACTIVE, few: Kind = ENDED) => {
    const owner = await newOwner();
    const of = { userId: owner.id };
    await insertPushes(running, 1, { ...few, ...of, batch: `a${owner.id.slice(-12)}` });
    await insertPushes(running, digits, { ...many, ...of, batch: `b${owner.id.slice(-12)}` });
    return owner;
  };
  const list = ({ api }: Owner, path: string) => api.get(`/api/v2/pushes/${path}`);
  const tabs = async ({ pages }: Owner) =>
    [...(await pages.get('/pushes')).body.matchAll(/>(Active|Ended|All) <span class="count">([^<]+)</g)].map(
      ([, tab = '', count = '']) => `${tab} ${count}`,
    );

  describe('of which', () => {
    let owners: Record<'active' | 'expired', { some: Owner; many: Owner }>;

    beforeAll(async () => {
      owners = {
        active: { some: await ownerOf(4), many: await ownerOf(5) },
        expired: { some: await ownerOf(4, ENDED, ACTIVE), many: await ownerOf(5, ENDED, ACTIVE) },
      };
    }, 300_000);

    it.each(['active', 'expired'] as const)(
      'most are %s take no longer with ten times as many (I5, L4)',
      async (state) => {
        const { some, many } = owners[state];
        for (const path of ['active', 'expired', `${state}?page=200`]) {
          const ratio = await ratioOf(
            () => list(some, path),
            () => list(many, path),
          );
          expect(ratio).toBeLessThan(MUCH_LONGER);
        }
        const pages = await ratioOf(
          () => some.pages.get('/pushes'),
          () => many.pages.get('/pushes'),
        );
        expect(pages).toBeLessThan(MUCH_LONGER);
      },
      120_000,
    );

    it('the oldest is found by a search that continues where it stopped', async () => {
      const { id, pages } = owners.expired.some;
      const creations = running.app.get(CreationsService);
      await creations.create(someNewPush({ name: 'the first' }), { ...someVisitor(), userId: id }); // its id sorts before the others
      let path = (await pages.post('/pushes/search', { q: 'first' })).headers.get('location') ?? '';
      let body = '';
      let steps = 0;
      for (; path !== ''; steps++) {
        ({ body } = await pages.get(path));
        path = /href="([^"]+)">Search older ones</.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
      }

      expect(steps).toBe(Math.ceil(10_011 / MAX_SEARCHED));
      expect(body).toContain(`audit">${asData('the first')}<`);
    }, 120_000);

    it('the oldest are found as fast as the newest', async () => {
      const { id } = owners.active.many;
      const search = (before?: string) => () => running.app.get(PushRepository).findOwnBefore(id, before, 25);

      expect(await ratioOf(search(), search(`b${id.slice(-12)}-00100`))).toBeLessThan(MUCH_LONGER);
    });

    it.each([
      ['active', '/pushes', 3], // active, ended, and past their time limit
      ['expired', '/pushes/expired', 2], // those past their time limit are among the found
    ] as const)('most are %s are counted once for a page', async (state, path, counts) => {
      const counted: string[] = [];
      const stop = await logStatements(running.app, (sql) => {
        if (sql.includes('COUNT(*)')) counted.push(sql);
      });
      await owners[state].some.pages.get(path);
      stop();

      expect(counted).toHaveLength(counts);
    });

    it('more than the pages have are not counted', async () => {
      const { some, many } = owners.active;
      const headersOf = async (owner: Owner) => {
        const { headers } = await list(owner, 'active?page=2');
        return ['x-total', 'x-total-pages'].map((name) => headers.get(name));
      };

      expect(await headersOf(some)).toEqual(['10000', '200']);
      expect(await headersOf(many)).toEqual(['10000', '200']);
      expect(await tabs(some)).toEqual(['Active 10,000', 'Ended 10', 'All 10,000+']);
      expect(await tabs(many)).toEqual(['Active 10,000+', 'Ended 10', 'All 10,000+']);
    });
  });

  it('have the expired ones in order, whether their end is recorded or not', async () => {
    const owner = await newOwner();
    for (const [batch, kind] of [
      ['a', ENDED],
      ['b', OVERDUE],
      ['c', ENDED],
      ['d', ACTIVE],
      ['e', OVERDUE],
      ['f', ENDED],
    ] as const)
      await insertPushes(running, batch === 'c' ? 2 : 1, { ...kind, userId: owner.id, batch });
    const found = await allAtOnce(4, (i) =>
      running.app.get(PushRepository).findExpired(owner.id, new Date(), ListPage.parse(String(i + 1))),
    );
    const ids = found.map(([pushes]) => pushes.map(({ id }) => id));
    const expected = ['f', 'e', 'c', 'b', 'a'].flatMap((batch) =>
      Array.from({ length: batch === 'c' ? 100 : 10 }, (_, i) => `${batch}-${i}`),
    );

    expect(ids.map((page) => page.length)).toEqual([50, 50, 40, 0]);
    expect(ids.flat().map((id) => id.slice(0, 1))).toEqual(expected.map((id) => id.slice(0, 1)));
    expect(ids.flat()).toEqual([...new Set(ids.flat())].sort().reverse());
    expect((await list(owner, 'expired?page=2')).headers.get('x-total')).toBe('140');
    expect(await tabs(owner)).toEqual(['Active 10', 'Ended 140', 'All 150']);
  });
  it('have 2,000 of those whose end is not recorded yet', async () => {
    const owner = await ownerOf(4, OVERDUE);
    const [first, last, beyond] = await Promise.all(
      [1, 41, 42].map((page) => list(owner, `expired?page=${page}`)),
    );

    expect(first?.headers.get('x-total')).toBe('2010');
    expect([first?.body, last?.body, beyond?.body].map((body) => body.length)).toEqual([50, 10, 0]);
  });
});

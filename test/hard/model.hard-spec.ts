import * as fc from 'fast-check';
import { auditKinds, tally } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { runs } from './support/seeded.js';
import type { ClientResponse, Client } from '../support/client.js';

/** The expected state of a push, as simple as possible. */
interface ModelPush {
  urlToken: string;
  /** Index of the member who created it; -1 for none. */
  owner: number;
  payload: string;
  views: number;
  viewed: number;
  isDeletable: boolean;
  isDeleted: boolean;
  audit: string[];
}

/** A request by one of several clients about one of the pushes. */
interface Step {
  ask: 'create' | 'retrieve' | 'head' | 'preview' | 'delete' | 'audit' | 'list';
  /** Index of the member who sends it; -1 for a client without a token. */
  by: number;
  which: number;
  views: number;
  isDeletable: boolean;
}

interface People {
  anonymous: Client;
  members: Client[];
}

const path = ({ urlToken }: ModelPush) => `/api/v2/pushes/${urlToken}`;
const isEnded = ({ views, viewed, isDeleted }: ModelPush) => isDeleted || viewed >= views;

/** Performs a step on the server and in the model, and returns both results. */
async function take(
  step: Step,
  people: People,
  pushes: ModelPush[],
): Promise<[actual: unknown, expected: unknown]> {
  const client = people.members[step.by] ?? people.anonymous;
  const push = pushes[step.which % Math.max(1, pushes.length)];
  if (step.ask === 'list') return list(step.by, client, pushes);
  if (step.ask === 'create' || !push) return create(step, client, pushes);

  const mayManage = push.owner === step.by && step.by >= 0;
  switch (step.ask) {
    case 'head':
      return [(await client.head(path(push))).status, 200];
    case 'preview':
      return [(await client.get(`${path(push)}/preview`)).status, 200];
    case 'retrieve':
      return retrieve(client, push);
    case 'delete':
      return remove(client, push, mayManage || push.isDeletable ? 200 : refusalStatus(step));
    case 'audit': {
      const { status, body } = await client.get(`${path(push)}/audit`);
      const kinds = body.logs?.map(({ kind }: { kind: string }) => kind);
      return [[status, kinds], mayManage ? [200, push.audit] : [refusalStatus(step), undefined]];
    }
  }
}

function refusalStatus({ by }: Step): number {
  return by < 0 ? 401 : 403;
}

async function create(step: Step, client: Client, pushes: ModelPush[]): Promise<[unknown, unknown]> {
  const { by: owner, views, isDeletable } = step;
  const payload = `tulip ${pushes.length}`;
  const body = await client.push({ payload, expire_after_views: views, deletable_by_viewer: isDeletable });
  const { url_token: urlToken } = body;
  pushes.push({
    urlToken,
    owner,
    payload,
    views,
    isDeletable,
    viewed: 0,
    isDeleted: false,
    audit: ['creation'],
  });
  return [
    [body.expired, body.views_remaining],
    [false, views],
  ];
}

async function retrieve(client: Client, push: ModelPush): Promise<[unknown, unknown]> {
  const { status, body } = await client.retrieve(push.urlToken);
  const wasEnded = isEnded(push);
  if (!wasEnded) push.viewed += 1;
  push.audit.push(wasEnded ? 'failed_view' : 'view');
  return [
    [status, body.expired, body.payload, body.views_remaining, body.deleted],
    [200, wasEnded, wasEnded ? null : push.payload, push.views - push.viewed, push.isDeleted],
  ];
}

async function remove(client: Client, push: ModelPush, expected: number): Promise<[unknown, unknown]> {
  const { status, body }: ClientResponse = await client.delete(path(push));
  if (expected !== 200) return [status, expected];
  if (!push.isDeleted) push.audit.push('expire');
  push.isDeleted = true;
  return [
    [status, body.expired, body.deleted, body.views_remaining],
    [200, true, true, push.views - push.viewed],
  ];
}

async function list(by: number, client: Client, pushes: ModelPush[]): Promise<[unknown, unknown]> {
  const responses = await Promise.all(
    ['active', 'expired'].map((which) => client.get(`/api/v2/pushes/${which}`)),
  );
  const tokens = responses.map(({ status, body }) =>
    status === 200 ? body.map((push: { url_token: string }) => push.url_token) : status,
  );
  if (by < 0) return [tokens, [401, 401]];
  const own = pushes.filter(({ owner }) => owner === by).toReversed();
  const named = (some: ModelPush[]) => some.map(({ urlToken }) => urlToken);
  return [tokens, [named(own.filter((push) => !isEnded(push))), named(own.filter(isEnded))]];
}

const MEMBERS = 2;

const step: fc.Arbitrary<Step> = fc.record({
  ask: fc.constantFrom('create', 'retrieve', 'retrieve', 'head', 'preview', 'delete', 'audit', 'list'),
  by: fc.integer({ min: -1, max: MEMBERS - 1 }),
  which: fc.nat({ max: 5 }),
  views: fc.integer({ min: 1, max: 3 }),
  isDeletable: fc.boolean(),
});

describe('A service with many clients', () => {
  const running = forAllTests(startApp);

  it('behaves like a simple model of it, for any sequence of requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const people = await newPeople();
        const pushes: ModelPush[] = [];
        for (const next of steps) {
          const [actual, expected] = await take(next, people, pushes);
          expect([next.ask, actual]).toEqual([next.ask, expected]);
        }
      }),
      runs(500, 25),
    );
  });

  it('never shows a push more often than its limit when all clients request it concurrently', async () => {
    const views = fc.integer({ min: 1, max: 4 });
    const crowd = fc.array(fc.constantFrom('retrieve', 'retrieve', 'retrieve', 'delete'), {
      minLength: 2,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(views, crowd, async (limit, asked) => {
        const owner = (await newPeople()).members[0] ?? running.anonymous;
        const { url_token } = await owner.push({ payload: 'tulip', expire_after_views: limit });
        const path = `/api/v2/pushes/${url_token}`;
        const answers = await Promise.all(
          asked.map((what) => (what === 'delete' ? owner.delete(path) : owner.retrieve(url_token as string))),
        );
        const deletes = asked.filter((what) => what === 'delete').length;
        const shown = answers.filter(({ body }) => body.payload === 'tulip').length;
        const max = Math.min(limit, asked.length - deletes);

        expect(answers.every(({ status }) => status === 200)).toBe(true);
        expect(shown).toBeLessThanOrEqual(max);
        if (deletes === 0) expect(shown).toBe(max);
        expect(tally(await auditKinds(owner, url_token as string))).toEqual({
          creation: 1,
          ...(shown > 0 && { view: shown }),
          ...(asked.length - deletes > shown && { failed_view: asked.length - deletes - shown }),
          ...(deletes > 0 && { expire: 1 }),
        });
      }),
      runs(500, 25),
    );
  });

  async function newPeople(): Promise<People> {
    const members = await Promise.all(Array.from({ length: MEMBERS }, () => running.newUser()));
    return { anonymous: running.anonymous, members: members.map(({ client }) => client) };
  }
});

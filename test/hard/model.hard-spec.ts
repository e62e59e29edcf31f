import * as fc from 'fast-check';
import { auditKinds, tally } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import type { ModelPush, People, Step } from './support/model.js';
import { take } from './support/model.js';
import { runs } from './support/seeded.js';

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

import { EventEmitter2 } from '@nestjs/event-emitter';
import type { EntityManager } from 'typeorm';
import {
  AccountRemovalService,
  AccountDeleted,
  OnAccountRemoval,
} from '../../src/pushes/account-removal/account-removal.service.js';
import { ApiToken } from '../../src/auth/entities/api-token.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { forEachTest } from '../support/for-tests.js';
import type { TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { moduleWith } from '../support/contributions.js';

describe('A module that stores something about accounts', () => {
  const running = forEachTest(() => startApp({}, { extensions: [moduleWith(Remover)] }));
  let events: AccountDeleted[];
  let removeWithin: (manager: EntityManager, userId: string) => Promise<void>;

  class Remover {
    @OnAccountRemoval()
    remove(manager: EntityManager, userId: string): Promise<void> {
      return removeWithin(manager, userId);
    }
  }

  beforeEach(() => {
    removeWithin = () => Promise.resolve();
    events = [];
    running.app.get(EventEmitter2).on(AccountDeleted.eventName, (event: AccountDeleted) => {
      events.push(event);
    });
  });

  const remove = (account: TestUser) => running.app.get(AccountRemovalService).remove(account);

  it('deletes it in the transaction that deletes the account, and is told after the commit', async () => {
    const [leaver, other] = [await running.newUser(), await running.newUser()];
    const seen: unknown[] = [];
    removeWithin = async (manager, userId) => {
      seen.push([userId, await manager.countBy(User, { id: userId }), events.length]);
      await manager.delete(ApiToken, { userId: other.id }); // in place of a table of the module
    };
    await Promise.all([remove(leaver), remove(leaver)]);

    expect(seen[0]).toEqual([leaver.id, 1, 0]);
    expect(events).toEqual([{ name: 'account.deleted', userId: leaver.id, at: expect.any(Date) }]);
    expect(await running.dataSource.manager.countBy(User, {})).toBe(1);
    expect((await other.client.get('/api/v2/pushes/active')).status).toBe(401);
  });

  it('keeps the account by failing, and nothing is told', async () => {
    const leaver = await running.newUser();
    removeWithin = async (manager, userId) => {
      await manager.delete(ApiToken, { userId });
      throw new Error('not now');
    };

    await expect(remove(leaver)).rejects.toThrow('not now');
    expect((await leaver.client.get('/api/v2/pushes/active')).status).toBe(200);
    expect(events).toEqual([]);
  });
});

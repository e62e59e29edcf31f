import { EventEmitter } from 'node:events';
import type { Pool } from 'mysql2';
import { checkIdleConnections } from './pool-connections.js';

describe('A connection of the pool', () => {
  it('is asked after it has been idle, and not when it is passed on from one request to the next', async () => {
    const ping = jest.fn((done: () => void) => {
      process.nextTick(done);
    });
    const pool = Object.assign(new EventEmitter(), {
      getConnection: (done: (error: null, connection: object) => void) => {
        done(null, connection);
      },
    });
    const connection = { ping };
    checkIdleConnections(pool as unknown as Pool);
    const take = () =>
      new Promise((resolve) => {
        pool.getConnection(resolve);
      });
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);

    pool.emit('release', connection);
    now.mockReturnValue(1000);
    await take();
    expect(ping).toHaveBeenCalledTimes(1);
    now.mockReturnValue(2000);
    await take(); // without a release in between
    expect(ping).toHaveBeenCalledTimes(1);
    now.mockRestore();
  });
});

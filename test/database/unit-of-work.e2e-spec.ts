import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';
import { isUnavailable } from '../../src/platform/database/errors/database-error.js';
import { Lease } from '../../src/platform/database/leases.js';
import { InsertInto, afterCommit } from '../../src/platform/database/transactions/unit-of-work.js';
import { PreparedStatements } from '../../src/platform/database/statements/statements.js';
import { engine } from '../support/engine.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { openDatabase } from '../support/open-database.js';
import { connectBeside } from '../support/other-connection.js';
import { makeInstance } from '../support/instance.js';
import { server } from '../support/server-database.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const row = (name: string, holder = '') => ({ name, holder, endsAt: 0 });

describe('A unit of work', () => {
  const instance = forEachTest(makeInstance);
  const database = forEachTest(() => openDatabase(instance));

  it('is committed as a whole', async () => {
    const result = await database.unitOfWork.run(async (manager) => {
      await manager.insert(Lease, row('one'));
      await manager.insert(Lease, row('two'));
      return 'done';
    });

    expect(result).toBe('done');
    expect(await database.written()).toEqual(['one', 'two']);
  });

  it('runs in the async context of its caller, also with others in one transaction', async () => {
    const context = new AsyncLocalStorage<number>();
    const seen = await Promise.all(
      range(5).map((index) =>
        context.run(index, () => database.unitOfWork.run(() => Promise.resolve(context.getStore()))),
      ),
    );

    expect(seen).toEqual(range(5));
  });

  it('is rolled back if it throws', async () => {
    const unit = database.unitOfWork.run(async (manager) => {
      await manager.insert(Lease, row('one'));
      throw new Error('changed my mind');
    });

    await expect(unit).rejects.toThrow('changed my mind');
    expect(await database.written()).toEqual([]);
  });

  it('is rolled back if the database rejects a later statement', async () => {
    await database.write('taken');
    const unit = database.unitOfWork.run(async (manager) => {
      await manager.insert(Lease, row('one'));
      await manager.insert(Lease, row('taken'));
    });

    await expect(unit).rejects.toMatchObject({ name: 'QueryFailedError' });
    expect(await database.written()).toEqual(['taken']);
  });

  it('is committed or rolled back independently of fifty others at the same time', async () => {
    const ends = await Promise.allSettled(
      range(50).map((index) =>
        database.unitOfWork.run(async (manager) => {
          await manager.insert(Lease, row(`a${index}`));
          await manager.insert(Lease, row(`b${index}`));
          if (index % 3 === 0) throw new Error(`no ${index}`);
          return index;
        }),
      ),
    );

    const kept = range(50).filter((index) => index % 3 !== 0);
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(17);
    expect(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))).toEqual(kept);
    expect(await database.written()).toEqual(kept.flatMap((index) => [`a${index}`, `b${index}`]).sort());
  });

  it('includes TypeORM’s save() in its transaction', async () => {
    const save = (name: string, isKept: boolean) =>
      database.unitOfWork.run(async (manager) => {
        await manager.save(manager.create(Lease, row(name)));
        if (!isKept) throw new Error('no');
      });
    const ends = await Promise.allSettled([save('kept', true), save('lost', false), save('kept too', true)]);

    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await database.written()).toEqual(['kept', 'kept too']);
  });

  it('resolves only when another connection can see it (A8)', async () => {
    const other = await forThisTest(connectBeside(instance));
    const seen = await Promise.all(
      range(20).map(async (index) => {
        await database.write(`n${index}`);
        return other.query('SELECT name FROM leases WHERE name = ?', [`n${index}`]);
      }),
    );

    expect(seen).toEqual(range(20).map((index) => [{ name: `n${index}` }]));
  });

  it('inserts rows together or not at all, independently of fifty others at the same time', async () => {
    await database.write('taken');
    const leases = new PreparedStatements(database.dataSource, Lease);
    const ends = await Promise.allSettled(
      range(50).map((index) =>
        database.unitOfWork.write((tx) => {
          leases.insert(tx, row(`a${index}`));
          leases.insert(tx, row(index % 7 === 0 ? 'taken' : `b${index}`));
        }),
      ),
    );

    const kept = range(50).filter((index) => index % 7 !== 0);
    expect(range(50).filter((index) => ends[index]?.status === 'fulfilled')).toEqual(kept);
    expect(await database.written()).toEqual(
      ['taken', ...kept.flatMap((index) => [`a${index}`, `b${index}`])].sort(),
    );
  });

  it('commits only one of several writes that update the same version of a row', async () => {
    await database.write('contested');
    const leases = new PreparedStatements(database.dataSource, Lease);
    const made = await Promise.all(
      range(50).map((index) =>
        database.unitOfWork.write((tx) => {
          tx.updateOrAbort({
            rowId: 'contested',
            sql: "UPDATE leases SET holder = ? WHERE name = ? AND holder = ''",
            values: [`${index}`, 'contested'],
          });
          leases.insert(tx, row(`of ${index}`));
        }),
      ),
    );

    const winner = made.indexOf(true);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await database.written()).toEqual(['contested', `of ${winner}`]);
    expect(await database.dataSource.manager.findOneBy(Lease, { name: 'contested' })).toMatchObject({
      holder: `${winner}`,
    });
  });

  it('inserts into the tables in the order of the rows', async () => {
    await database.dataSource.query(
      'CREATE TABLE part (of_lease varchar(64) NOT NULL REFERENCES leases (name))',
    );
    const leases = new PreparedStatements(database.dataSource, Lease);
    const part = (name: string) => ({ table: new InsertInto('part', ['of_lease']), values: [name] });
    await Promise.all(
      range(20).map((index) =>
        database.unitOfWork.write((tx) => {
          leases.insert(tx, row(`n${index}`));
          tx.insert(part(`n${index}`));
        }),
      ),
    );

    expect(await database.dataSource.query('SELECT of_lease FROM part')).toHaveLength(20);
  });

  it('inserts rows of writes without a conditional update first, whichever came first', async () => {
    await database.dataSource.query(
      'CREATE TABLE part (of_lease varchar(64) NOT NULL, FOREIGN KEY (of_lease) REFERENCES leases (name))',
    );
    await database.write('old');
    const leases = new PreparedStatements(database.dataSource, Lease);
    const parts = new InsertInto('part', ['of_lease']);
    const part = (name: string) => ({ table: parts, values: [name] });
    const sql = "UPDATE leases SET holder = 'x' WHERE name = ?";
    const made = await Promise.all([
      database.unitOfWork.write((tx) => {
        tx.updateOrAbort({ rowId: 'old', sql, values: ['old'] });
        tx.insert(part('old'));
      }),
      database.unitOfWork.write((tx) => {
        leases.insert(tx, row('new'));
        tx.insert(part('new'));
      }),
    ]);

    expect(made).toEqual([true, true]);
    expect(await database.dataSource.query('SELECT of_lease FROM part ORDER BY 1')).toMatchObject([
      { of_lease: 'new' },
      { of_lease: 'old' },
    ]);
  });

  it('does not include statements that must run outside a transaction', async () => {
    const transactions: boolean[] = [];
    const writes = range(30).map((index) => database.write(`n${index}`));
    const statements = range(10).map((index) =>
      database.unitOfWork.outsideTransaction(async (manager) => {
        transactions.push(inTransaction(manager));
        await manager.query('SELECT 1');
        return index;
      }),
    );
    const laterWrites = range(30).map((index) => database.write(`m${index}`));

    expect(await Promise.all(statements)).toEqual(range(10));
    await Promise.all([...writes, ...laterWrites]);
    expect(transactions).toEqual(Array(10).fill(false));
    expect(await database.written()).toHaveLength(60);
  });

  it('continues after a statement outside a transaction has failed', async () => {
    const failing = database.onWriter('NO SUCH STATEMENT');

    await expect(failing).rejects.toMatchObject({ name: 'QueryFailedError' });
    await database.write('after');
    expect(await database.written()).toEqual(['after']);
  });

  it('continues after work outside a transaction has thrown before it returned a promise', async () => {
    const failing = database.unitOfWork.outsideTransaction(() => {
      throw new Error('the disk is full');
    });

    await expect(failing).rejects.toThrow('the disk is full');
    await database.write('after');
    expect(await database.written()).toEqual(['after']);
  });

  it('calls back once after the commit of each transaction, and never after a rollback', async () => {
    const called: string[] = [];
    const insert = (name: string, error?: Error) =>
      database.unitOfWork.run(async (manager) => {
        await manager.insert(Lease, row(name));
        afterCommit(manager, () => called.push(name));
        if (error) throw error;
      });
    const inserts = [insert('one'), insert('two', new Error('rolled back')), insert('three')];
    await Promise.allSettled(inserts);
    const table = new InsertInto('leases', ['name', 'holder', 'ends_at']);
    const sql = 'UPDATE leases SET ends_at = 1 WHERE name = ?';
    const insertIf = (existing: string, name: string) =>
      database.unitOfWork.write((tx) => {
        tx.updateOrAbort({ rowId: existing, sql, values: [existing] });
        tx.insert({ table, values: [name, '', 0] });
        tx.afterCommit(() => called.push(name));
      });
    await insertIf('one', 'four');
    await insertIf('two', 'five');

    expect(called.sort()).toEqual(['four', 'one', 'three']);
    expect(await database.written()).toEqual(['four', 'one', 'three']);
  });

  if (engine.url === undefined) {
    it('continues after a transaction was left open', async () => {
      await database.onWriter('BEGIN');
      await expect(database.write('lost')).rejects.toThrow('cannot start a transaction');

      await database.write('after');
      expect(await database.written()).toEqual(['after']);
    });
  }

  if (engine.url !== undefined) {
    it('is retried after a deadlock', async () => {
      await database.write('left');
      await database.write('right');
      let tries = 0;
      let holders = 0;
      const committed: string[] = [];
      let bothHold: () => void;
      const met = new Promise<void>((resolve) => (bothHold = resolve));
      const swap = (first: string, second: string) =>
        database.unitOfWork.run(async (manager) => {
          tries += 1;
          await manager.increment(Lease, { name: first }, 'endsAt', 1);
          if (++holders === 2) bothHold();
          afterCommit(manager, () => committed.push(first));
          await met; // each holds the lock that the other needs next
          await manager.increment(Lease, { name: second }, 'endsAt', 1);
        });

      await Promise.all([swap('left', 'right'), swap('right', 'left')]);

      expect(tries).toBe(3);
      expect(committed.sort()).toEqual(['left', 'right']); // not for the attempt that was rolled back
      const rows = await database.dataSource.manager.find(Lease);
      expect(rows.map(({ endsAt }) => String(endsAt))).toEqual(['2', '2']);
    });

    it('does not let a write that waits for a lock delay the others of its batch for long', async () => {
      const names = ['a', 'b', 'c'];
      for (const name of names) await database.write(name);
      const other = await connectBeside(instance);
      await other.query('START TRANSACTION');
      await other.query("SELECT name FROM leases WHERE name = 'b' FOR UPDATE");
      const sql = "UPDATE leases SET holder = 'x' WHERE name = ?";
      const [a, b, c] = names.map((name) =>
        database.unitOfWork.write((tx) => {
          tx.updateOrAbort({ rowId: name, sql, values: [name] });
        }),
      );

      expect(await Promise.all([a, c])).toEqual([true, true]);
      await other.query('ROLLBACK');
      await other.close();
      expect(await b).toBe(true);
    });

    it('fails as unavailable if its connection is lost, and the next one gets a new connection', async () => {
      const other = await connectBeside(instance);
      const unit = database.unitOfWork.run(async (manager) => {
        await manager.insert(Lease, row('one'));
        const [{ id }] = await manager.query(`SELECT ${server.connectionId} AS id`);
        await other.query(server.kill(id as number));
        await manager.insert(Lease, row('two'));
      });
      const error: unknown = await unit.catch((reason: unknown) => reason);
      await other.close();

      expect(isUnavailable(error)).toBe(true);
      await database.write('after');
      expect(await database.written()).toEqual(['after']);
    });
  }
});

function inTransaction({ dataSource }: EntityManager): boolean {
  const { databaseConnection } = dataSource.driver as unknown as {
    databaseConnection?: { inTransaction: boolean };
  };
  return databaseConnection?.inTransaction ?? false; // on a server a statement has a connection of its own
}

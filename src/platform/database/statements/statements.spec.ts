import { Column, DataSource, Entity } from 'typeorm';
import { IdColumn, DateTimeColumn } from '../columns.js';
import { executeOnSqlite } from '../sqlite/execute-on-sqlite.js';
import { PreparedStatements } from './statements.js';
import { Transaction } from '../transactions/unit-of-work.js';

@Entity('notes')
class Note {
  @IdColumn()
  id: string;

  @DateTimeColumn()
  at: Date;

  @DateTimeColumn({ nullable: true })
  until: Date | null;

  @Column('boolean')
  read: boolean;

  @Column('integer')
  count: number;

  @Column('blob', { nullable: true, select: false })
  text: Buffer | null;
}

describe('Prepared statements', () => {
  let dataSource: DataSource;

  beforeEach(async () => {
    dataSource = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Note],
      synchronize: true,
    });
    await dataSource.initialize();
  });
  afterEach(() => dataSource.destroy());

  it.each(['2026-11-22T05:06:07.890Z', '2026-01-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z'])(
    'store and read the same values as TypeORM (%s)',
    async (moment) => {
      const notes = dataSource.getRepository(Note);
      const statements = new PreparedStatements(dataSource, Note);
      const at = new Date(moment);
      const note = (id: string) =>
        Object.assign(new Note(), { id, at, until: null, read: true, count: 3, text: null });
      await notes.insert(note('theirs'));
      const tx = new Transaction();
      statements.insert(tx, note('ours'));
      for (const { table, values } of tx.rows) executeOnSqlite(dataSource, table.sqlFor(1), values);

      const columns = 'at, until, read, count';
      const [theirs, ours] = await dataSource.query<object[]>(
        `SELECT ${columns} FROM notes ORDER BY id DESC`,
      );
      expect(ours).toEqual(theirs);
      for (const id of ['theirs', 'ours']) {
        expect(await statements.lookupBy('id').submit(id)).toEqual(note(id));
        expect(await statements.findByIds([id])).toEqual([await notes.findOneBy({ id })]);
      }
    },
  );

  it('find many rows by their ids, in the order of the ids, without what is only loaded when selected', async () => {
    const notes = dataSource.getRepository(Note);
    const statements = new PreparedStatements(dataSource, Note);
    const note = (id: string) => ({ id, at: new Date(), until: null, read: false, count: 0 });
    const ids = ['b', 'e', 'a', 'd', 'c'];
    await notes.insert(ids.map((id) => ({ ...note(id), text: Buffer.from('long') })));
    const found = await statements.findByIds(['d', 'gone', 'a', 'e', 'c', 'b']);

    expect(found.map(({ id }) => id)).toEqual(['d', 'a', 'e', 'c', 'b']);
    expect(found[0]).toBeInstanceOf(Note);
    expect(found.filter((row) => 'text' in row)).toEqual([]);
    expect(await statements.findByIds([])).toEqual([]);
  });

  describe('in a transaction', () => {
    const note = (id: string, count = 0) => ({ id, at: new Date(), until: null, read: false, count });
    const find = (ids: string[]) =>
      dataSource.transaction((manager) =>
        new PreparedStatements(dataSource, Note).findWithin(manager, 'id', ids, { id: true, count: true }),
      );

    it('find rows by a key, with the chosen properties only', async () => {
      await dataSource.getRepository(Note).insert([note('a', 1), note('b', 2), note('c', 3)]);

      expect([...(await find(['c', 'gone', 'a'])).values()].map((row) => ({ ...row }))).toEqual([
        { id: 'a', count: 1 },
        { id: 'c', count: 3 },
      ]);
      expect((await find([])).size).toBe(0);
    });

    it('give each row its own values by one statement', async () => {
      const notes = dataSource.getRepository(Note);
      await notes.insert([note('a'), note('b'), note('c'), note('d')]);
      const until = new Date('2026-11-28T05:06:07.890Z');
      const changed = [{ ...note('a', 1), until }, note('b', 2), note('gone', 3)] as Note[];
      const update = (rows: Note[]) =>
        dataSource.transaction((manager) =>
          new PreparedStatements(dataSource, Note).updateWithin(manager, 'id', rows, ['count', 'until']),
        );

      await update(changed);
      await update([]);
      expect(
        (await notes.find({ order: { id: 'ASC' } })).map(({ id, count, until }) => [id, count, until]),
      ).toEqual([
        ['a', 1, until],
        ['b', 2, null],
        ['c', 0, null],
        ['d', 0, null],
      ]);
    });
  });
});

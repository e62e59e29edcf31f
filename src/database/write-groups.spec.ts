import { setImmediate } from 'node:timers/promises';
import { Unconfirmed } from './database-error.js';
import type { Write } from './write.js';
import { InsertStatements } from './write.js';
import { WriteGroups } from './write-groups.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const into = new InsertStatements('leases', ['name']);
const addition = (value: unknown): Write => ({ rows: [{ into, values: [value] }] });

/** Makes all writes but those with the value that is given, and tells how many it was asked for at once. */
function maker(refused: unknown, reason: Error) {
  const groups: number[] = [];
  const kept: unknown[] = [];
  const make = async (writes: Write[]) => {
    groups.push(writes.length);
    await setImmediate();
    const values = writes.flatMap(({ rows }) => rows.flatMap((row) => row.values));
    if (values.includes(refused)) throw reason;
    kept.push(...values);
    return writes.map(({ change }) => change === undefined);
  };
  return { groups, kept, make };
}

describe('Writes that come together', () => {
  it('are made together', async () => {
    const { groups, kept, make } = maker(undefined, new Error());
    const writes = new WriteGroups(make);
    await Promise.all(range(18).map((index) => writes.ask(addition(index))));

    expect(kept).toEqual(range(18));
    expect(groups).toEqual([18]);
  });

  it('tell each whether its change was made', async () => {
    const { make } = maker(undefined, new Error());
    const writes = new WriteGroups(make);
    const change = { id: 'a', statement: 'UPDATE', values: [] };
    const made = range(9).map((index) =>
      writes.ask(index % 4 === 1 ? { change, rows: [] } : addition(index)),
    );

    expect(await Promise.all(made)).toEqual(range(9).map((index) => index % 4 !== 1));
  });

  it('do not answer for one that cannot be made', async () => {
    const { kept, make } = maker(7, new Error('duplicate'));
    const writes = new WriteGroups(make);
    const ends = await Promise.allSettled(range(18).map((index) => writes.ask(addition(index))));

    expect(ends.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
    expect(kept.toSorted()).toEqual(
      range(18)
        .filter((index) => index !== 7)
        .toSorted(),
    );
  });

  it('are not made once more when nobody knows whether they are kept', async () => {
    const lost = new Unconfirmed('COMMIT', [], Object.assign(new Error('lost'), { fatal: true }));
    const { groups, kept, make } = maker(7, lost);
    const writes = new WriteGroups(make);
    const ends = await Promise.allSettled(range(18).map((index) => writes.ask(addition(index))));

    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(18);
    expect(kept).toEqual([]);
    expect(groups).toEqual([18]);
  });

  it('fit into a packet of the server, however large each is', async () => {
    const { groups, make } = maker(undefined, new Error());
    const writes = new WriteGroups(make);
    const sizes = [300_000, 300_000, 300_000, 300_000, 2_000_000, 10, 10];
    await Promise.all(sizes.map((size) => writes.ask(addition(Buffer.alloc(size)))));

    expect(groups).toEqual([3, 1, 1, 2]);
  });
});

import { setImmediate } from 'node:timers/promises';
import { CommitOutcomeUnknown } from '../errors/database-error.js';
import { InsertInto, Transaction } from './unit-of-work.js';
import { WriteBatcher } from './server-unit-of-work.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const table = new InsertInto('leases', ['name']);
const insertion = (value: unknown) => {
  const tx = new Transaction();
  tx.insert({ table, values: [value] });
  return tx;
};
const update = () => {
  const tx = new Transaction();
  tx.updateOrAbort({ rowId: 'a', sql: 'UPDATE', values: [] });
  return tx;
};

/** Commits all batches except those with the given value, and records their sizes; conditional updates never match. */
function committer(refused: unknown, reason: Error) {
  const sizes: number[] = [];
  const kept: unknown[] = [];
  const commit = async (writes: Transaction[]) => {
    sizes.push(writes.length);
    await setImmediate();
    const values = writes.flatMap(({ rows }) => rows.flatMap((row) => row.values));
    if (values.includes(refused)) throw reason;
    kept.push(...values);
    return writes.map((write) => write.conditionalUpdate === undefined);
  };
  return { sizes, kept, commit };
}

describe('Writes that arrive together', () => {
  it('are committed together', async () => {
    const { sizes, kept, commit } = committer(undefined, new Error());
    const writes = new WriteBatcher(commit);
    await Promise.all(range(18).map((index) => writes.submit(insertion(index))));

    expect(kept).toEqual(range(18));
    expect(sizes).toEqual([18]);
  });

  it('each resolve to whether they were committed', async () => {
    const { commit } = committer(undefined, new Error());
    const writes = new WriteBatcher(commit);
    const kept = range(9).map((index) => writes.submit(index % 4 === 1 ? update() : insertion(index)));

    expect(await Promise.all(kept)).toEqual(range(9).map((index) => index % 4 !== 1));
  });

  it('do not fail together with one that fails', async () => {
    const { kept, commit } = committer(7, new Error('duplicate'));
    const writes = new WriteBatcher(commit);
    const ends = await Promise.allSettled(range(18).map((index) => writes.submit(insertion(index))));

    expect(ends.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
    expect(kept.toSorted()).toEqual(
      range(18)
        .filter((index) => index !== 7)
        .toSorted(),
    );
  });

  it('are not retried when it is unknown whether they were committed', async () => {
    const lost = new CommitOutcomeUnknown('COMMIT', [], Object.assign(new Error('lost'), { fatal: true }));
    const { sizes, kept, commit } = committer(7, lost);
    const writes = new WriteBatcher(commit);
    const ends = await Promise.allSettled(range(18).map((index) => writes.submit(insertion(index))));

    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(18);
    expect(kept).toEqual([]);
    expect(sizes).toEqual([18]);
  });

  it('fit into one packet of the server, however large each is', async () => {
    const { sizes, commit } = committer(undefined, new Error());
    const writes = new WriteBatcher(commit);
    const bytes = [300_000, 300_000, 300_000, 300_000, 2_000_000, 10, 10];
    await Promise.all(bytes.map((size) => writes.submit(insertion(Buffer.alloc(size)))));

    expect(sizes).toEqual([3, 1, 1, 2]);
  });
});

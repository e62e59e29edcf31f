import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { forEachTest } from '../support/for-tests.js';
import { makeSqliteInstance } from '../support/instance.js';

const FILES = 200;
const CONNECTIONS = 4;

/** Opens each file as soon as all workers are ready to open it; posts the codes of errors. */
const OPEN_FILES = `
  const { parentPort, workerData: { ready, folder, files, connections } } = require('node:worker_threads');
  const Database = require('better-sqlite3');
  import('./dist/platform/database/sqlite/sqlite-connection.js').then(({ prepareSqlite }) => {
    const errors = [];
    for (let file = 0; file < files; file++) {
      Atomics.add(ready, file, 1);
      while (Atomics.load(ready, file) < connections);
      try {
        prepareSqlite(new Database(folder + '/' + file));
      } catch (error) {
        errors.push(error.code);
      }
    }
    parentPort.postMessage(errors);
  });
`;

describe('Opening a new SQLite file', () => {
  const instance = forEachTest(makeSqliteInstance);

  it('succeeds for several connections at the same time (K5)', async () => {
    const workerData = {
      ready: new Int32Array(new SharedArrayBuffer(4 * FILES)),
      folder: instance.dataDir,
      files: FILES,
      connections: CONNECTIONS,
    };
    const workers = Array.from(
      { length: CONNECTIONS },
      () => new Worker(OPEN_FILES, { eval: true, workerData }),
    );
    const errors = await Promise.all(workers.map(async (worker) => (await once(worker, 'message')).flat(2)));

    expect(errors).toEqual(Array(CONNECTIONS).fill([]));
  });
});

import { tally } from '../support/audit-kinds.js';
import type { Client } from '../support/client.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/for-tests.js';
import { openDatabase } from '../support/open-database.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { startCluster } from './support/galera.js';
import { Load, NO_FAULTS } from './support/load.js';
import { instanceOn, startReplicas } from './support/replicas.js';

describe('Three processes on two nodes of MariaDB with Galera, behind nginx', () => {
  const folder = forAllTests(makeFolder);
  const cluster = forAllTests(() => startCluster(folder.path));
  const replicas = forAllTests(() => startReplicas([cluster.urls[0], cluster.urls[1], cluster.urls[0]]));

  const [first, second] = [0, 1].map((i) => () => (replicas.processes[i] as SpawnedServer).anonymous) as [
    () => Client,
    () => Client,
  ];

  it('find a push through one node immediately after it was created through the other', async () => {
    const payload = 'tulip '.repeat(100_000); // takes the other node a moment to write
    const found = await allAtOnce(60, async (i) => {
      const [maker, finder] = i % 2 === 0 ? [first(), second()] : [second(), first()];
      const { url_token } = await maker.push({ payload });
      return (await finder.retrieve(url_token)).status;
    });

    expect(tally(found)).toEqual({ 200: 60 });
  });

  it('have reads that wait for transactions committed on the other node', async () => {
    const database = await openDatabase(instanceOn(cluster.urls[1]));
    const answer: unknown = await database.dataSource.query('SELECT @@SESSION.wsrep_sync_wait AS sync');
    await database.close();

    expect(answer).toEqual([{ sync: 1 }]);
  });

  it('show a push exactly as often as its limit, through both nodes concurrently (A1)', async () => {
    const { url_token } = await first().push({ payload: 'tulip', expire_after_views: 7 });
    const answers = await allAtOnce(60, (i) => (i % 2 === 0 ? first() : second()).retrieve(url_token));

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 7, expired: 53 });
  });

  it('lose no push and show none too often when a node and a process are killed under load (A1)', async () => {
    const load = await Load.begin(replicas.visitor);
    await Promise.all([cluster.kill(1), replicas.processes[0]?.stop('SIGKILL')]);

    expect(await load.end()).toEqual(NO_FAULTS);
  });
});

import { tally } from '../support/audit-kinds.js';
import type { Client } from '../support/client.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import type { DatabaseProxy } from '../support/database-proxy.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { forAllTests } from '../support/for-tests.js';
import { openDatabase } from '../support/open-database.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';
import { Group } from './support/group-replication.js';
import { Load, NO_FAULTS } from './support/load.js';
import type { Replicas } from './support/replicas.js';
import { instanceOn, startReplicas } from './support/replicas.js';

const SPARE = 3;
const FOLLOW_MS = 200;

describe('Three processes on three nodes of MySQL in Group Replication, behind nginx', () => {
  const group = forAllTests(() => Group.start());

  const consistencyAt = async (url: string) => {
    const database = await openDatabase(instanceOn(url));
    const answer: unknown = await database.dataSource.query(
      'SELECT @@group_replication_consistency AS level',
    );
    await database.close();
    return answer;
  };

  describe('that are all primaries, each with a process', () => {
    const urlOf = (node: number) => group.urlOf(node, 'several');
    let replicas: Replicas;

    beforeAll(async () => {
      await group.query(0, 'CREATE DATABASE several');
      replicas = await startReplicas([urlOf(0), urlOf(1), urlOf(2)]);
    });
    afterAll(() => replicas.stop());

    const clientOf = (i: number): Client => (replicas.processes[i % 3] as SpawnedServer).anonymous;

    it('find a push through one node immediately after it was created through another', async () => {
      const payload = 'tulip '.repeat(10_000); // takes the other nodes a moment to write
      const found = await allAtOnce(60, async (i) => {
        const { url_token } = await clientOf(i).push({ payload });
        return (await clientOf(i + 1).retrieve(url_token)).status;
      });

      expect(tally(found)).toEqual({ 200: 60 });
    });

    it('have reads that wait for transactions committed on other nodes, and keep a stronger level', async () => {
      expect(await consistencyAt(urlOf(1))).toEqual([{ level: 'BEFORE' }]);

      await group.query(1, "SET GLOBAL group_replication_consistency = 'AFTER'");
      expect(await consistencyAt(urlOf(1))).toEqual([{ level: 'BEFORE_AND_AFTER' }]);
      await group.query(1, "SET GLOBAL group_replication_consistency = 'EVENTUAL'");
    });

    it('show a push exactly as often as its limit, through all nodes concurrently (A1)', async () => {
      const { url_token } = await clientOf(0).push({ payload: 'tulip', expire_after_views: 7 });
      const answers = await allAtOnce(60, (i) => clientOf(i).retrieve(url_token));

      expect(outcomes(answers, 'tulip')).toEqual({ shown: 7, expired: 53 });
    });

    it('lose no push and show none too often when a node and a process are killed under load (A1)', async () => {
      const load = await Load.begin(replicas.visitor);
      await Promise.all([group.kill(2), replicas.processes[0]?.stop('SIGKILL')]);

      expect(await load.end()).toEqual(NO_FAULTS);
    });
  });

  it('do not start where several primaries refuse tables with cascading foreign keys', async () => {
    const checks = 'group_replication_enforce_update_everywhere_checks';
    await group.query(SPARE, `SET GLOBAL ${checks} = ON`);
    const starting = spawnServer(instanceOn(group.urlOf(SPARE, 'mysql')));

    await expect(starting).rejects.toThrow(`Use one primary, or set ${checks} = OFF on all nodes.`);
    await group.query(SPARE, `SET GLOBAL ${checks} = OFF`);
  });

  describe('with one primary, at an address that follows it', () => {
    let proxy: DatabaseProxy;
    let following: NodeJS.Timeout;
    let replicas: Replicas;

    beforeAll(async () => {
      await group.join(SPARE); // in place of the node that was killed
      await group.elect(0);
      await group.query(0, 'CREATE DATABASE one');
      proxy = await startDatabaseProxy(instanceOn(group.urlOf(0, 'one')));
      const follow = async () => {
        proxy.move({ port: await group.primary() });
      };
      following = setInterval(() => void follow().catch(() => undefined), FOLLOW_MS);
      replicas = await startReplicas([url(), url(), url()]);
    });
    afterAll(async () => {
      await replicas.stop();
      clearInterval(following);
      proxy.cut();
    });

    const url = () => proxy.instance.env.DATABASE_URL ?? '';

    it('have reads that wait until a new primary has applied what the old one has committed', async () => {
      expect(await consistencyAt(url())).toEqual([{ level: 'BEFORE_ON_PRIMARY_FAILOVER' }]);
    });

    it('lose no push and show none too often when another node is made the primary under load (A1)', async () => {
      const load = await Load.begin(replicas.visitor);
      await group.elect(1);

      expect(await load.end()).toEqual(NO_FAULTS);
    });

    it('lose no push and show none too often when the primary and a process are killed under load (A1)', async () => {
      const load = await Load.begin(replicas.visitor);
      await Promise.all([group.kill(1), replicas.processes[0]?.stop('SIGKILL')]);

      expect(await load.end()).toEqual(NO_FAULTS);
    });
  });
});

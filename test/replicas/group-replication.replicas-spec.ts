import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RowDataPacket } from 'mysql2';
import { tally } from '../support/audit-kinds.js';
import type { Client } from '../support/client.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { forAllTests } from '../support/for-tests.js';
import { openDatabase } from '../support/open-database.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';
import { Load, NO_FAULTS } from './support/load.js';
import { instanceOn, startReplicas } from './support/replicas.js';
import { Daemon, until } from '../support/daemon.js';
import { MYSQL_TREE } from '../support/mysql-server.js';
import { query } from './support/query.js';

const FIRST_PORT = 24_740;
const NODES = [0, 1, 2, 3];
const MEMBERS = 'performance_schema.replication_group_members';

/** Three nodes of MySQL in Group Replication, at first all of them primaries, and a spare one that has not joined. */
class Group {
  private readonly daemons: Daemon[] = [];

  private constructor(private readonly folder: string) {}

  static async start(): Promise<Group> {
    const group = new Group(await mkdtemp(join(MYSQL_TREE, 'tmp', 'sealpush-group-')));
    try {
      await initialise(group.folder);
      await Promise.all(NODES.map((node) => group.run(node)));
      await group.query(0, 'SET GLOBAL group_replication_bootstrap_group = ON');
      await group.join(0);
      await group.query(0, 'SET GLOBAL group_replication_bootstrap_group = OFF');
      await Promise.all([group.join(1), group.join(2)]);
    } catch (error) {
      await group.stop();
      throw error;
    }
    return group;
  }

  urlOf(node: number, database: string): string {
    return `mysql://root@127.0.0.1:${portOf(node)}/${database}`;
  }

  query(node: number, statement: string): Promise<RowDataPacket[]> {
    return query(portOf(node), statement);
  }

  async kill(node: number): Promise<void> {
    await this.daemons[node]?.stop('SIGKILL');
  }

  /** Resolves when the node is part of the group. */
  async join(node: number): Promise<void> {
    await until(async () => Boolean(await this.query(node, "START GROUP_REPLICATION USER = 'root'")));
    await until(async () => {
      const online = `SELECT 1 FROM ${MEMBERS} WHERE member_id = @@server_uuid AND member_state = 'ONLINE'`;
      return (await this.query(node, online)).length === 1;
    });
  }

  /** Makes a node the only primary. */
  async elect(node: number): Promise<void> {
    const [row] = await this.query(
      node,
      'SELECT @@server_uuid AS uuid, @@group_replication_single_primary_mode AS one',
    );
    const change = row?.one
      ? 'group_replication_set_as_primary'
      : 'group_replication_switch_to_single_primary_mode';
    await this.query(node, `SELECT ${change}('${String(row?.uuid)}')`);
  }

  /** The port of the only primary; rejects while there is none. */
  primary(): Promise<number> {
    const statement = `SELECT member_port FROM ${MEMBERS} WHERE member_role = 'PRIMARY' AND member_state = 'ONLINE'`;
    return Promise.any(
      NODES.map(async (node) => {
        const [row] = await this.query(node, statement);
        if (!row) throw new Error('no primary');
        return row.member_port as number;
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.daemons.map((daemon) => daemon.stop('SIGKILL')));
    await rm(this.folder, { recursive: true });
  }

  private async run(node: number): Promise<void> {
    this.daemons[node] = startNode(this.folder, node);
    await until(async () => Boolean(await this.query(node, 'SELECT 1')));
  }
}

const portOf = (node: number) => FIRST_PORT + node;
const addressOf = (node: number) => `127.0.0.1:${FIRST_PORT + 10 + node}`;
const inTree = (path: string) => path.slice(MYSQL_TREE.length);

/** Makes the same data directory for all nodes. */
async function initialise(folder: string): Promise<void> {
  const dataDir = join(folder, 'node-0');
  const args = ['--no-defaults', '--user=root', `--datadir=${inTree(dataDir)}`, '--initialize-insecure'];
  await promisify(execFile)('chroot', [...IN_TREE, 'mysqld', ...args]);
  await rm(join(dataDir, 'auto.cnf')); // its UUID
  await Promise.all(
    NODES.slice(1).map((node) => cp(dataDir, join(folder, `node-${node}`), { recursive: true })),
  );
}

/** As in .ci/mysql. */
const IN_TREE = [MYSQL_TREE, 'env', 'LD_PRELOAD=libeatmydata.so.1'];

function startNode(folder: string, node: number): Daemon {
  const dataDir = inTree(join(folder, `node-${node}`));
  const args = [
    ...['--no-defaults', '--user=root', `--datadir=${dataDir}`, `--port=${portOf(node)}`],
    ...[`--socket=${dataDir}.sock`, `--pid-file=${dataDir}.pid`, '--bind-address=127.0.0.1', '--mysqlx=OFF'],
    ...['--innodb-buffer-pool-size=32M', '--secure-file-priv=NULL', `--server-id=${node + 1}`],
    ...['--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--report-host=127.0.0.1'],
    '--plugin-load-add=group_replication.so',
    '--group-replication-start-on-boot=OFF',
    '--group-replication-single-primary-mode=OFF',
    '--group-replication-consistency=EVENTUAL', // the weakest
    '--group-replication-member-expel-timeout=0',
    '--group-replication-message-cache-size=128M',
    '--group-replication-group-name=8f1d0f6e-3d0c-4b5c-9d3a-5a1e0c42a042',
    `--group-replication-local-address=${addressOf(node)}`,
    `--group-replication-group-seeds=${NODES.map(addressOf).join()}`,
  ];
  return new Daemon('chroot', [...IN_TREE, 'mysqld', ...args], join(folder, `node-${node}.log`));
}

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
    const replicas = forAllTests(async () => {
      await group.query(0, 'CREATE DATABASE several');
      return startReplicas([urlOf(0), urlOf(1), urlOf(2)]);
    });

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
    let following: NodeJS.Timeout;
    const proxy = forAllTests(async () => {
      await group.join(SPARE); // in place of the node that was killed
      await group.elect(0);
      await group.query(0, 'CREATE DATABASE one');
      return startDatabaseProxy(instanceOn(group.urlOf(0, 'one')));
    });
    beforeAll(() => {
      const follow = async () => {
        proxy.move({ port: await group.primary() });
      };
      following = setInterval(() => void follow().catch(() => undefined), FOLLOW_MS);
    });
    const url = () => proxy.instance.env.DATABASE_URL ?? '';
    const replicas = forAllTests(() => startReplicas([url(), url(), url()]));
    afterAll(() => {
      clearInterval(following);
    });

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

import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RowDataPacket } from 'mysql2';
import { Daemon, until } from '../../support/daemon.js';
import { MYSQL_TREE } from '../../support/database-server.js';
import { query } from './query.js';

const FIRST_PORT = 24_740;
const NODES = [0, 1, 2, 3];
const MEMBERS = 'performance_schema.replication_group_members';

/** Three nodes of MySQL in Group Replication, at first all of them primaries, and a spare one that has not joined. */
export class Group {
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

import { execFile } from 'node:child_process';
import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Daemon, until } from '../../support/daemon.js';
import { query } from './query.js';

const FIRST_PORT = 24_710;
const GROUP = 'sealpush';

/** Two database nodes and an arbitrator, so that one node still has a majority when the other one fails. */
export interface Cluster {
  /** URLs of the same database on each node. */
  urls: [string, string];
  kill(node: 0 | 1): Promise<void>;
  stop: () => Promise<void>;
}

export async function startCluster(folder: string): Promise<Cluster> {
  const dataDirs = [0, 1].map((node) => join(folder, `node-${node}`)) as [string, string];
  await chmod(folder, 0o755); // the nodes run as another user
  await promisify(execFile)('mariadb-install-db', [
    ...['--no-defaults', '--user=mysql', '--auth-root-authentication-method=normal', '--skip-test-db'],
    `--datadir=${dataDirs[0]}`,
  ]);
  await cp(dataDirs[0], dataDirs[1], { recursive: true });
  await promisify(execFile)('chown', ['-R', 'mysql', folder]);

  const nodes = [startNode(0, dataDirs[0], ['--wsrep-new-cluster'])];
  const arbitrators: Daemon[] = [];
  const stop = async () => {
    await Promise.all([...nodes, ...arbitrators].map((daemon) => daemon.stop('SIGKILL')));
  };
  try {
    await until(() => isPartOf(0, 1));
    nodes.push(startNode(1, dataDirs[1], []));
    await until(async () => {
      // it gives up if it cannot join while the second node does
      if (arbitrators.every(({ hasExited }) => hasExited)) arbitrators.push(startArbitrator(folder));
      return (await isPartOf(0, 3)) && (await isPartOf(1, 3));
    });
    await query(portOf(0), 'CREATE DATABASE sealpush');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    urls: [`mysql://root@127.0.0.1:${portOf(0)}/sealpush`, `mysql://root@127.0.0.1:${portOf(1)}/sealpush`],
    kill: (node) => (nodes[node] as Daemon).stop('SIGKILL'),
    stop,
  };
}

const portOf = (node: number) => FIRST_PORT + node;
const groupPortOf = (node: number) => FIRST_PORT + 10 + node;
const members = `gcomm://127.0.0.1:${groupPortOf(0)},127.0.0.1:${groupPortOf(1)}`;

function startNode(node: number, dataDir: string, more: string[]): Daemon {
  const args = [
    ...['--no-defaults', '--user=mysql', `--datadir=${dataDir}`, `--port=${portOf(node)}`],
    ...[`--socket=${dataDir}.sock`, `--pid-file=${dataDir}.pid`, '--bind-address=127.0.0.1'],
    ...['--innodb-buffer-pool-size=32M', '--innodb-autoinc-lock-mode=2', '--binlog-format=ROW'],
    ...[
      '--wsrep-on=ON',
      '--wsrep-provider=/usr/lib/galera/libgalera_smm.so',
      `--wsrep-cluster-name=${GROUP}`,
    ],
    ...[`--wsrep-cluster-address=${members}`, `--wsrep-node-address=127.0.0.1:${groupPortOf(node)}`],
    ...['--wsrep-sst-method=rsync', `--wsrep-sst-receive-address=127.0.0.1:${FIRST_PORT + 20 + node}`],
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${groupPortOf(node)};` +
      `ist.recv_addr=127.0.0.1:${FIRST_PORT + 30 + node};gcache.size=16M`,
  ];
  return new Daemon('mariadbd', [...args, ...more], `${dataDir}.log`);
}

function startArbitrator(folder: string): Daemon {
  const options = `gmcast.listen_addr=tcp://127.0.0.1:${groupPortOf(2)}`;
  const args = ['--address', members, '--group', GROUP, '--options', options];
  return new Daemon('garbd', args, join(folder, 'arbitrator.log'));
}

async function isPartOf(node: number, size: number): Promise<boolean> {
  const status = await query(portOf(node), "SHOW STATUS LIKE 'wsrep_%'");
  const value = (name: string) => status.find((row) => row.Variable_name === name)?.Value as unknown;
  return value('wsrep_cluster_size') === String(size) && value('wsrep_local_state_comment') === 'Synced';
}

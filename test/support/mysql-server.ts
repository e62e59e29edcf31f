import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Daemon, until } from './daemon.js';
import { engine } from './engine.js';
import { freePort } from './free-port.js';
import { onDatabase } from './server-database.js';

/** Where .ci/mysql installs MySQL. */
export const MYSQL_TREE = `${process.env.SEALPUSH_MYSQL_ROOT ?? '/var/lib/sealpush-mysql'}/tree`;

/** A server for one test, of MySQL if the specs run on it, otherwise of MariaDB. */
export class MysqlServer {
  private daemon?: Daemon;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly command: string[],
  ) {}

  /** @param options of the server, in addition to ours */
  static async make(...options: string[]): Promise<MysqlServer> {
    const port = await freePort();
    const { folder, command } = await (engine.name === 'mysql' ? prepareMysql() : prepareMariadb());
    const common = [`--port=${port}`, '--bind-address=127.0.0.1', '--innodb-buffer-pool-size=64M'];
    return new MysqlServer(folder, port, [...command, ...common, ...options]);
  }

  get url(): string {
    return `mysql://root@127.0.0.1:${this.port}`;
  }

  /** Resolves when it responds. */
  async start(): Promise<void> {
    const [program = '', ...args] = this.command;
    this.daemon = new Daemon(program, args, join(this.folder, 'log'));
    await until(async () => (await this.query('SELECT 1')).length === 1);
  }

  query(sql: string): Promise<any[]> {
    return onDatabase(this.url, (connection) => connection.query(sql));
  }

  async kill(): Promise<void> {
    await this.daemon?.stop('SIGKILL');
  }

  /** Until it resumes it neither responds nor closes a connection. */
  pause(): void {
    this.daemon?.signal('SIGSTOP');
  }

  resume(): void {
    this.daemon?.signal('SIGCONT');
  }

  async destroy(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }
}

async function prepareMariadb(): Promise<{ folder: string; command: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-mariadb-'));
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : [];
  await chmod(folder, 0o755);
  await promisify(execFile)('mariadb-install-db', [
    ...['--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db'],
    ...[...user, `--datadir=${folder}/data`],
  ]);
  const files = [
    `--datadir=${folder}/data`,
    `--socket=${folder}/data/socket`,
    `--pid-file=${folder}/data/pid`,
  ];
  return { folder, command: ['mariadbd', '--no-defaults', ...user, ...files] };
}

async function prepareMysql(): Promise<{ folder: string; command: string[] }> {
  const folder = await mkdtemp(join(MYSQL_TREE, 'tmp', 'sealpush-'));
  const inside = folder.slice(MYSQL_TREE.length);
  const files = [`--datadir=${inside}/data`, `--socket=${inside}/socket`, `--pid-file=${inside}/pid`];
  const command = ['chroot', MYSQL_TREE, 'mysqld', '--no-defaults', '--user=root', ...files];
  await promisify(execFile)('chroot', [...command.slice(1), '--initialize-insecure']);
  return { folder, command: [...command, '--mysqlx=OFF', '--secure-file-priv=NULL', '--skip-log-bin'] };
}

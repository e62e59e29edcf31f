import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Daemon, until } from './daemon.js';
import { engine } from './engine.js';
import { freePort } from './free-port.js';
import { onDatabase } from './server-database.js';

/** Where .ci/postgresql-newer installs a newer version. */
const TREE = '/var/lib/sealpush-postgresql/tree';
const HERE = '';

/** Where programs are, below a root: this machine or a chroot. */
interface Installation {
  root: string;
  programs: string;
}

function installationsIn(root: string, version: string): Installation[] {
  const found = globSync(`${root}/usr/lib/postgresql/${version}/bin`).sort();
  return found.map((path) => ({ root, programs: path.slice(root.length) }));
}

/** Of the major version that the specs run on, or else the newest of this machine. */
const [{ root: ROOT, programs: PROGRAMS } = { root: HERE, programs: '/usr/bin' }] = [
  ...installationsIn(HERE, String(engine.major)),
  ...installationsIn(TREE, String(engine.major)),
  ...installationsIn(HERE, '*').toReversed(),
];

/** Runs as the user of the servers: PostgreSQL does not run as root. */
function asPostgres(root: string, program: string, args: string[]): [command: string, args: string[]] {
  const [command = '', ...all] = [...asUser(root), program, ...args];
  return [command, all];
}

function asUser(root: string): string[] {
  if (root !== HERE) return ['chroot', '--userspec=postgres:postgres', root];
  if (process.getuid?.() !== 0) return [];
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
}

const run = (program: string, ...args: string[]) =>
  promisify(execFile)(...asPostgres(ROOT, join(PROGRAMS, program), args));

/** A folder in which the user of the servers writes. */
async function makeFolder(root: string): Promise<string> {
  const folder = await mkdtemp(join(root === HERE ? tmpdir() : join(root, 'tmp'), 'sealpush-postgres-'));
  await giveToPostgres(root, folder);
  return folder;
}

async function giveToPostgres(root: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const id = async (flag: string) =>
    Number((await promisify(execFile)(...asPostgres(root, 'id', [flag]))).stdout);
  await chown(path, await id('-u'), await id('-g'));
}

/** A server of PostgreSQL for one test, of the version that the specs run on if its programs are installed. */
export class PostgresServer {
  private daemon?: Daemon;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly options: string[],
  ) {}

  /** @param options of the server, such as `max_connections=5` */
  static async make(...options: string[]): Promise<PostgresServer> {
    const server = new PostgresServer(await makeFolder(ROOT), await freePort(), options);
    const common = [
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ];
    await run('initdb', `--pgdata=${server.ownData}`, ...common);
    return server;
  }

  /** A standby that has what another server has, and is told by it what changes. */
  static async standbyOf(primary: PostgresServer, ...options: string[]): Promise<PostgresServer> {
    const server = new PostgresServer(await makeFolder(ROOT), await freePort(), options);
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
    await run(
      'pg_basebackup',
      `--pgdata=${server.ownData}`,
      '--checkpoint=fast',
      '--no-sync',
      '-R',
      '-d',
      source,
    );
    return server;
  }

  /** The folder of its data, as the server has it. */
  private get ownData(): string {
    return join(this.folder, 'data').slice(ROOT.length);
  }

  /** Writes a file of its data, which only the server reads. */
  async writeFile(name: string, content: string | Buffer): Promise<void> {
    const path = join(this.folder, 'data', name);
    await writeFile(path, content, { mode: 0o600 });
    await giveToPostgres(ROOT, path);
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}`;
  }

  /** Resolves when it responds. */
  async start(): Promise<void> {
    const fixed = ['-h', '127.0.0.1', '-p', String(this.port), '-c', 'unix_socket_directories='];
    const options = this.options.flatMap((option) => ['-c', option]);
    const args = ['-D', this.ownData, ...fixed, ...options];
    const command = asPostgres(ROOT, join(PROGRAMS, 'postgres'), args);
    this.daemon = new Daemon(...command, join(this.folder, 'log'));
    await until(async () => (await this.query('SELECT 1')).length === 1);
  }

  query(sql: string, database = 'postgres'): Promise<any[]> {
    return onDatabase(`${this.url}/${database}`, (connection) => connection.query(sql));
  }

  /** Changes a setting of the running server. */
  async set(setting: string): Promise<void> {
    await this.query(`ALTER SYSTEM SET ${setting}`);
    await this.query('SELECT pg_reload_conf()');
  }

  /** Makes a standby write. Resolves when it does. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
    await until(async () => (await this.query('SELECT pg_is_in_recovery() AS is'))[0].is === false);
  }

  /** Ends all processes of the server at once, as a crash of its machine does. */
  async kill(): Promise<void> {
    const children = this.signal('SIGSTOP');
    for (const child of children) process.kill(child, 'SIGKILL');
    await until(async () => (await Promise.all(children.map(hasEnded))).every(Boolean)); // with the memory that they share
    await this.daemon?.stop('SIGKILL');
  }

  /** Until it resumes it neither responds nor closes a connection. */
  pause(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  async destroy(): Promise<void> {
    await this.daemon?.stop('SIGQUIT');
    await rm(this.folder, { recursive: true });
  }

  /** Signals the process that starts the others, then these; returns their ids. */
  private signal(signal: NodeJS.Signals): number[] {
    if (!this.daemon || this.daemon.hasExited) return [];
    const { pid } = this.daemon;
    this.daemon.signal(signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) process.kill(Number(child), signal);
    return children.map(Number);
  }
}

/** Whether a process has ended, even if nobody has asked for its exit status. */
async function hasEnded(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return !/^State:\s+[^ZX]/m.test(status);
}

/** PgBouncer in front of a server, which gives each transaction another session. */
export class PgBouncer {
  private constructor(
    private readonly folder: string,
    private readonly daemon: Daemon,
    readonly url: string,
  ) {}

  /** @param server the URL of a server, whose user needs no password */
  static async start(server: string, poolSize: number): Promise<PgBouncer> {
    const { hostname, port, username } = new URL(server);
    const folder = await makeFolder(HERE);
    const listenPort = await freePort();
    await writeFile(join(folder, 'users'), `"${username}" ""\n`, { mode: 0o644 });
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: listenPort,
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: join(folder, 'users'),
      pool_mode: 'transaction',
      default_pool_size: poolSize,
      server_reset_query_always: 0,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    const databases = `[databases]\n* = host=${hostname} port=${port}\n`;
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`, { mode: 0o644 });
    const daemon = new Daemon(...asPostgres(HERE, 'pgbouncer', [file]), join(folder, 'log'));
    const url = `postgresql://${username}@127.0.0.1:${listenPort}`;
    await until(async () => (await onDatabase(url, (database) => database.query('SELECT 1'))).length === 1);
    return new PgBouncer(folder, daemon, url);
  }

  async stop(): Promise<void> {
    await this.daemon.stop('SIGQUIT');
    await rm(this.folder, { recursive: true });
  }
}

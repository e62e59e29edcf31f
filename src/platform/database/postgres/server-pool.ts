import type { Socket } from 'node:net';
import type { PoolClient, PoolConfig, QueryResult, Submittable } from 'pg';
import pg from 'pg';
import type { PostgresAddress } from '../../settings/database-address.js';
import { MIB } from '../../settings/units.js';
import {
  ANSWER_WITHIN_MS,
  CHECK_AFTER_MS,
  IDLE_TIMEOUT_MS,
  KEEP_ALIVE_AFTER_MS,
  MAX_WAIT_MS,
} from '../engine/server-connections.js';
import { isRefusedByServer } from '../errors/database-error.js';
import type { Message } from './message.js';
import { marked, markedFatal } from './fatal-errors.js';
import { optionsOf, SESSION, WAITS } from './session.js';
import { withoutNull } from './values.js';

/** More than a server says before the first query. */
const MAX_GREETING_BYTES = MIB;

/** What pg says when no connection of the pool becomes free in time. */
const NONE_FREE = 'timeout exceeded when trying to connect';

type Done = (
  error: Error | undefined,
  client: ServerConnection | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** What TypeORM gives to the pool, and ours. */
export interface ServerPoolOptions extends PoolConfig {
  servers: PostgresAddress['servers'];
  /** Whether a pooler gives each transaction another session, so that none has a state or prepared statements. */
  isPooled: boolean;
}

/** A connection of the pool. */
export class ServerConnection extends pg.Client {
  /** What the server says of itself and of the session, kept up to date by it. */
  readonly parameters: Record<string, string> = {};
  /** Undefined while it is in use. */
  idleSince: number | undefined;
  pool: ServerPool | undefined;
  /** The generation of the pool in which it was opened. */
  generation = 0;

  declare release: (error?: Error | boolean) => void;

  constructor(options: ServerPoolOptions) {
    super(options);
    this.connectionOf.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      this.parameters[parameterName] = parameterValue;
    });
    this.on('error', marked);
    this.readSafely();
    this.closeItself();
  }

  get isPooled(): boolean {
    return this.pool?.isPooled ?? false;
  }

  /** Whether the server accepts writes. Those before PostgreSQL 14 do not say so. */
  get isWritable(): boolean {
    const { in_hot_standby: standby, default_transaction_read_only: readOnly } = this.parameters;
    return standby !== 'on' && readOnly !== 'on';
  }

  /** As of the last answer. */
  get isInTransaction(): boolean {
    return this.getTransactionStatus() !== 'I';
  }

  get stream(): Socket {
    return this.connectionOf.stream;
  }

  send(message: Message): void {
    super.query(message as Submittable as never);
  }

  /**
   * Queries that TypeORM sends. They are sent to pg with a callback: with its promises, results stay in memory until the
   * next full garbage collection, so an export took 390 MB in place of 210.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- as pg has it
  override query(...args: any[]): any {
    if (Array.isArray(args[1])) args[1] = args[1].map(withoutNull);
    const query = super.query.bind(this) as (...all: unknown[]) => unknown;
    const all = args as [Partial<Submittable> | string, ...unknown[]];
    const isSubmittable = typeof all[0] !== 'string' && all[0].submit !== undefined;
    if (isSubmittable || typeof all.at(-1) === 'function') return query(...all);
    return new Promise((resolve, reject) => {
      query(...all, (error: Error | null, result: QueryResult) => {
        if (error) reject(this.noted(error));
        else resolve(result);
      });
    });
  }

  /** An error of a statement; one that is fatal ends the connection, and one that refuses it leaves this server. */
  noted(error: Error): Error {
    const known = marked(error);
    if (known.fatal) this.stream.destroy();
    if (isRefusedByServer(known)) this.pool?.leave(this);
    return known;
  }

  /** Whether the server answers. */
  async answers(): Promise<boolean> {
    let timeout: NodeJS.Timeout | undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      timeout = setTimeout(resolve, ANSWER_WITHIN_MS, false);
    });
    const answered = (this.query('') as Promise<unknown>).then(
      () => true,
      () => false,
    );
    const isAlive = await Promise.race([answered, tooLate]);
    clearTimeout(timeout);
    return isAlive;
  }

  /**
   * What cannot be read ends the connection: pg throws it in a listener, which would end the process. So does an endless
   * greeting.
   */
  private readSafely(): void {
    const connection = this.connectionOf;
    const attachListeners = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      attachListeners(stream);
      const read = stream.listeners('data').at(-1) as (bytes: Buffer) => void;
      stream.off('data', read).on('data', (bytes) => {
        try {
          read(bytes);
          if (!this.hasGreeted && stream.bytesRead > MAX_GREETING_BYTES)
            throw new Error('The server does not finish its greeting');
        } catch (error) {
          stream.destroy(error as Error);
        }
      });
    };
  }

  /** Without waiting for the server to do it, which one that is gone, or that has refused us, may never do. */
  private closeItself(): void {
    const connection = this.connectionOf;
    const end = connection.end.bind(connection);
    connection.end = () => {
      end();
      this.stream.destroySoon();
    };
    for (const refusal of ['error', 'errorMessage'])
      connection.on(refusal, () => {
        if (!this.hasGreeted) this.stream.destroy();
      });
  }

  /** Whether queries can be sent. */
  private get hasGreeted(): boolean {
    return this.getTransactionStatus() !== null;
  }

  private get connectionOf(): WireConnection {
    return (this as unknown as { connection: WireConnection }).connection;
  }
}

/** The part of pg's connection that is used here. */
interface WireConnection extends NodeJS.EventEmitter {
  stream: Socket;
  /** Reads what the server sends on a stream, which is another one once it is encrypted. */
  attachListeners(stream: Socket): void;
  /** Tells the server that nothing follows. */
  end(): void;
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** The pool of pg, with what servers that stop, fail over or are behind firewalls need. */
export class ServerPool extends pg.Pool {
  private generation = 0;
  /** Connections that have been idle for longer than since then are not trusted. */
  private distrustedBefore = -Infinity;
  private readonly idle = new Set<ServerConnection>();
  private readonly watched = new WeakSet<Socket>();
  private areWaitsLimited = false;
  private server = 0;
  private readonly config: ServerPoolOptions;

  constructor(options: ServerPoolOptions) {
    const config: ServerPoolOptions = {
      ...options,
      Client: ServerConnection as never,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      ...(!options.isPooled && { options: optionsOf(SESSION) }),
    };
    super(config);
    this.config = (this as unknown as { options: ServerPoolOptions }).options;
    this.useServer(0);
    this.on('connect', (client) => {
      const connection = client as unknown as ServerConnection;
      connection.pool = this;
      connection.generation = this.generation;
    });
    this.on('remove', (client) => this.idle.delete(client as unknown as ServerConnection));
  }

  get isPooled(): boolean {
    return this.config.isPooled;
  }

  /** From now on, statements wait a limited time. Connections that were opened before are replaced. */
  limitWaits(): void {
    this.areWaitsLimited = true;
    if (!this.isPooled) this.config.options = optionsOf({ ...SESSION, ...WAITS });
    this.replaceAll();
  }

  /**
   * Ends all connections when the server says on one of them that it does not write: after a failover the address leads to
   * another server, which only new connections reach. Those that are in use end when they are released.
   */
  leave(connection: ServerConnection): void {
    if (connection.generation === this.generation) this.replaceAll(); // ones opened since may lead to another server
  }

  override connect(): Promise<PoolClient>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<PoolClient> | void {
    if (done) {
      this.take(done, this.config.servers.length);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.connect((error, client) => {
        if (error) reject(error);
        else resolve(client as unknown as PoolClient);
      });
    });
  }

  /** @param servers how many may still be tried */
  private take(done: Done, servers: number): void {
    const { server } = this;
    super.connect((error, client, release) => {
      const connection = client as unknown as ServerConnection | undefined;
      if (error || !connection) {
        const isOfServer = error?.message !== NONE_FREE;
        if (isOfServer) this.useServerAfter(server);
        if (isOfServer && servers > 1) this.take(done, servers - 1);
        else done(markedFatal(error ?? new Error('No connection')), undefined, () => undefined);
      } else if (!this.isWanted(connection)) {
        release(true);
        this.take(done, servers);
      } else if (!connection.isWritable && this.config.servers.length > 1) {
        release(true);
        this.useServerAfter(server);
        if (servers > 1) this.take(done, servers - 1);
        else done(noneWrites(), undefined, () => undefined);
      } else {
        void this.giveOut(connection, release, done, servers);
      }
    });
  }

  /** One that has been idle is given out once the server answers on it; nothing is executed on it before. */
  private async giveOut(
    connection: ServerConnection,
    release: (error?: Error | boolean) => void,
    done: Done,
    servers: number,
  ): Promise<void> {
    const { idleSince } = connection;
    this.idle.delete(connection);
    connection.idleSince = undefined;
    const wasIdle = idleSince !== undefined && performance.now() - idleSince >= CHECK_AFTER_MS;
    if (wasIdle && !(await connection.answers())) {
      this.distrustedBefore = Math.max(this.distrustedBefore, idleSince);
      connection.stream.destroy();
      release(true);
      this.take(done, servers);
      return;
    }
    if (this.areWaitsLimited) this.limitWait(connection);
    done(undefined, connection, (error) => {
      connection.stream.setTimeout(0);
      const isUsable = !connection.stream.destroyed && !connection.isInTransaction;
      const isReusable = error === undefined && isUsable && this.isWanted(connection);
      if (isReusable) {
        connection.idleSince = performance.now();
        this.idle.add(connection);
      }
      release(isReusable ? undefined : (error ?? true));
    });
  }

  /** Closes a connection that is in use and on which nothing is received. */
  private limitWait(connection: ServerConnection): void {
    const { stream } = connection;
    stream.setTimeout(MAX_WAIT_MS);
    if (this.watched.has(stream)) return;
    this.watched.add(stream);
    stream.on('timeout', () =>
      stream.destroy(Object.assign(new Error('The database does not respond'), { code: 'ETIMEDOUT' })),
    );
  }

  private isWanted({ generation, idleSince = Infinity }: ServerConnection): boolean {
    return generation === this.generation && idleSince > this.distrustedBefore;
  }

  private replaceAll(): void {
    this.generation += 1;
    for (const connection of this.idle) void connection.end();
    this.idle.clear();
  }

  /** The next one, unless another request has chosen one since. */
  private useServerAfter(server: number): void {
    if (this.server === server) this.useServer((server + 1) % this.config.servers.length);
  }

  private useServer(index: number): void {
    this.server = index;
    Object.assign(this.config, this.config.servers[index]);
  }
}

function noneWrites(): Error {
  return Object.assign(new Error('None of the servers accepts writes'), { code: '25006', severity: 'ERROR' });
}

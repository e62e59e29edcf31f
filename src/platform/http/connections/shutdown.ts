import cluster from 'node:cluster';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as Listener, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../../logging/log.js';

/** How long responses in progress may take once the app closes. */
const GRACE_MS = 7000;

/** How long a handler may then take to notice that its client has disconnected, and to clean up. */
const CLEANUP_MS = 1000;

/** The part of the grace time in which new connections may still be accepted. */
const ACCEPT_MS = 2000;

/** One turn of the event loop accepts a waiting connection, and the next one reads what it has sent. */
const QUIET_TURNS = 3;

/** A worker may receive connections from the supervisor, each only after it has accepted the previous one. */
const TURN_MS = cluster.isWorker ? 50 : 1;

interface Connection {
  /** Whether it has sent no request so far; Node.js does not count such a connection as idle. */
  isUnused: boolean;
  /** The response to its latest request, until sent: with pipelining, no earlier one may close the connection. */
  latest?: ServerResponse;
}

/**
 * Closes the server so that every request that has arrived gets a response, the last one of each connection with
 * `Connection: close`. Slow uploads, and downloads that the client does not read, are cut off after the grace time.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  private server?: Server;
  private readonly listeners: Listener[] = [];
  private readonly connections = new Map<Socket, Connection>();
  private accepted = 0;
  private requests = 0;
  private openRequests = 0;
  private isClosing = false;
  private closed?: Promise<unknown>;
  private grace?: NodeJS.Timeout;

  constructor(private readonly log: Log) {}

  watch(server: Server): void {
    this.server = server;
    server.on('connection', (socket) => {
      this.accepted += 1;
      const connection: Connection = { isUnused: true };
      this.connections.set(socket, connection);
      socket.once('close', () => {
        this.forget(socket, connection);
      });
    });
    server.prependListener('request', this.onRequest);
  }

  /** Closes another socket together with that of the server; at once if that is closing already. */
  watchListener(listener: Listener): void {
    if (this.isClosing) listener.close();
    else this.listeners.push(listener);
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    this.grace = globalThis.setTimeout(() => this.server?.closeAllConnections(), GRACE_MS);
    for (const { latest } of this.connections.values()) if (latest) announceClose(latest);
    await this.acceptWaiting();
    if (this.openRequests > 0)
      this.log.event('Stopping; waiting for open requests', { requests: this.openRequests });
    this.closed = Promise.all(this.listeners.map((listener) => once(listener.close(), 'close')));
    this.server?.close(); // also closes idle connections
    for (const [socket, { isUnused }] of this.connections)
      if (isUnused && socket.bytesRead === 0) socket.destroy();
  }

  /** After this Nest waits for the connections that the server has accepted itself. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.closed;
  }

  async onApplicationShutdown(signal?: string): Promise<void> {
    clearTimeout(this.grace);
    const end = Date.now() + CLEANUP_MS;
    while (this.isHandling && Date.now() < end) await setTimeout(TURN_MS);
    if (signal !== undefined) this.log.event(`Stopped by ${signal}`, { requests: this.requests });
  }

  private readonly onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = this.connections.get(socket);
    if (connection) Object.assign(connection, { isUnused: false, latest: response });
    if (this.isClosing) announceClose(response);
    this.requests += 1;
    this.openRequests += 1;
    response.once('close', () => {
      this.openRequests -= 1;
      if (connection?.latest === response && response.headersSent) connection.latest = undefined;
      if (this.isClosing) this.server?.closeIdleConnections();
    });
  };

  /** A closed connection without a response is kept for a while: its handler may still be cleaning up. */
  private forget(socket: Socket, { latest }: Connection): void {
    const forget = () => this.connections.delete(socket);
    if (!latest || latest.headersSent) forget();
    else globalThis.setTimeout(forget, CLEANUP_MS).unref();
  }

  /** A handler ends its response even if the client has disconnected, once it has cleaned up. */
  private get isHandling(): boolean {
    return Array.from(this.connections.values()).some(({ latest }) => latest?.writableEnded === false);
  }

  /** Waits until all connections that were made before the app began to close have been accepted. */
  private async acceptWaiting(): Promise<void> {
    const end = Date.now() + ACCEPT_MS;
    let before;
    do {
      before = this.accepted;
      for (let turn = 0; turn < QUIET_TURNS; turn++) await setTimeout(TURN_MS);
    } while (this.accepted > before && Date.now() < end);
  }
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

import cluster from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

/** How long answers in progress may take once the app closes. */
const GRACE_MS = 7000;

/** How long a handler may then take to notice that its caller has gone, and to clean up. */
const CLEANUP_MS = 1000;

/** How much of the grace time new connections may be waited for. */
const ACCEPT_MS = 2000;

/** A turn of the event loop accepts one of the waiting connections, and the next one reads what it has sent. */
const QUIET_TURNS = 3;

/** A worker is handed each connection by another process, and only once it has taken the one before. */
const TURN_MS = cluster.isWorker ? 50 : 1;

/** What is known of a connection. */
interface Connection {
  /** Without a request so far; Node.js does not count such a connection as idle. */
  isUnused: boolean;
  /** The answer to its latest request, until it is sent: with pipelining those before it must not be the last. */
  latest?: ServerResponse;
}

/**
 * Closes the server so that every request that has arrived is answered, the last answer of each connection with
 * `Connection: close`. Nobody holds up the end beyond the grace time: neither a slow upload nor a download that is
 * not read.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy, OnApplicationShutdown {
  private server?: Server;
  private readonly connections = new Map<Socket, Connection>();
  private accepted = 0;
  private isClosing = false;
  private grace?: NodeJS.Timeout;

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

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    this.grace = globalThis.setTimeout(() => this.server?.closeAllConnections(), GRACE_MS);
    for (const { latest } of this.connections.values()) if (latest) announceEnd(latest);
    await this.acceptWaiting();
    this.server?.close(); // with the connections that are idle
    for (const [socket, { isUnused }] of this.connections)
      if (isUnused && socket.bytesRead === 0) socket.destroy();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.grace);
    const end = Date.now() + CLEANUP_MS;
    while (this.isHandling && Date.now() < end) await setTimeout(TURN_MS);
  }

  private readonly onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = this.connections.get(socket);
    if (connection) Object.assign(connection, { isUnused: false, latest: response });
    if (this.isClosing) announceEnd(response);
    response.once('close', () => {
      if (connection?.latest === response && response.headersSent) connection.latest = undefined;
      if (this.isClosing) this.server?.closeIdleConnections();
    });
  };

  /** One whose caller has gone is kept for a while: its handler may still be cleaning up. */
  private forget(socket: Socket, { latest }: Connection): void {
    const forget = () => this.connections.delete(socket);
    if (!latest || latest.headersSent) forget();
    else globalThis.setTimeout(forget, CLEANUP_MS).unref();
  }

  /** A handler answers also when its caller has gone, once it has cleaned up. */
  private get isHandling(): boolean {
    return Array.from(this.connections.values()).some(({ latest }) => latest?.writableEnded === false);
  }

  /** Goes on until no connection is left that came before the app was told to close. */
  private async acceptWaiting(): Promise<void> {
    const end = Date.now() + ACCEPT_MS;
    let before;
    do {
      before = this.accepted;
      for (let turn = 0; turn < QUIET_TURNS; turn++) await setTimeout(TURN_MS);
    } while (this.accepted > before && Date.now() < end);
  }
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

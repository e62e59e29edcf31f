import cluster from 'node:cluster';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type {
  CallHandler,
  ExecutionContext,
  NestInterceptor,
  OnApplicationShutdown,
  OnModuleDestroy,
} from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { finalize } from 'rxjs';

/** How long those who are being answered may take once the app closes. */
const GRACE_MS = 7000;

/** How long handlers may then take to notice that their caller is gone, and to clear away. */
const CLEARING_MS = 1000;

/** How much of it may go by with listening to those who have come before. */
const LISTENING_MS = 2000;

/** A turn of the event loop accepts one of the waiting connections, and the next one reads what it has sent. */
const QUIET_TURNS = 3;

/** A worker is handed each connection by another process, and only once it has taken the one before. */
const TURN_MS = cluster.isWorker ? 50 : 1;

/**
 * Closes the server so that whoever has been heard is answered, and told that this was the last answer. Nobody holds
 * up the end beyond the grace time: neither by a slow upload nor by a download that is not read.
 */
@Injectable()
export class GracefulClose implements NestInterceptor, OnModuleDestroy, OnApplicationShutdown {
  private server?: Server;
  private readonly silent = new Set<Socket>();
  /** The latest of each connection: those before it must not be the last. */
  private readonly answers = new Map<Socket, ServerResponse>();
  private accepted = 0;
  private handlers = 0;
  private isClosing = false;
  private grace?: NodeJS.Timeout;

  watch(server: Server): void {
    this.server = server;
    server.on('connection', (socket) => {
      this.accepted += 1;
      this.silent.add(socket);
      socket.once('close', () => this.silent.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => {
      this.silent.delete(socket);
      this.answers.set(socket, response);
      if (this.isClosing) announceEnd(response);
      response.once('close', () => {
        if (this.answers.get(socket) === response) this.answers.delete(socket);
        if (this.isClosing) server.closeIdleConnections();
      });
    });
  }

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.handlers += 1;
    return next.handle().pipe(finalize(() => (this.handlers -= 1)));
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    this.grace = globalThis.setTimeout(() => this.server?.closeAllConnections(), GRACE_MS);
    this.answers.forEach(announceEnd);
    await this.hearOut();
    this.server?.close();
    for (const socket of this.silent) if (socket.bytesRead === 0) socket.destroy(); // Node.js takes them for busy
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.grace);
    const patience = Date.now() + CLEARING_MS;
    while (this.handlers > 0 && Date.now() < patience) await setTimeout(TURN_MS);
  }

  /** Goes on until nobody is left who has come before. */
  private async hearOut(): Promise<void> {
    const patience = Date.now() + LISTENING_MS;
    let before;
    do {
      before = this.accepted;
      for (let turn = 0; turn < QUIET_TURNS; turn++) await setTimeout(TURN_MS);
    } while (this.accepted > before && Date.now() < patience);
  }
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

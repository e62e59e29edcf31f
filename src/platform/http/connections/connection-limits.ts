import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { handleClientError } from './client-errors.js';

/** How many requests of one connection are handled at a time. */
const MAX_IN_PROGRESS = 10;

interface WaitingRequest {
  response: ServerResponse;
  handle: () => void;
}

/**
 * The requests of one connection. A client may send many without waiting for the responses (RFC 9112, 9.3.2). Only a
 * few are handled at a time; in the meantime nothing more is read, so that the rest waits in the socket and at the
 * client. The requests of one read, 64 KiB at most, have already been parsed by Node.js and wait here in order. Each
 * turn of the event loop handles one of them: two thousand in one turn would delay all other connections.
 */
export class Pipeline {
  /** Responses that are not complete or not read by the client, in order. Decision 27 says why this is an array. */
  private readonly inProgress: ServerResponse[] = [];
  private waiting: WaitingRequest[] = [];
  private isNextDue = false;
  private hasPaused = false;
  /** Since when its client has not read anything, by `performance.now()` and the last `look`. */
  unreadSince = 0;
  private bytesTaken = 0;

  constructor(private readonly socket: Socket) {
    // Node.js itself resumes the socket, for example for a request body
    socket.on('resume', () => {
      this.pauseWhenBlocked();
    });
    socket.once('close', () => {
      const unanswered = this.waiting;
      this.waiting = [];
      for (const { response } of unanswered) response.emit('close'); // Node.js does this only for those in progress
    });
  }

  /** Whether a response is pending. */
  get isBusy(): boolean {
    return this.inProgress.length > 0 || this.waiting.length > 0;
  }

  /** Bytes of responses in memory that the client has not read yet. */
  get unread(): number {
    let bytes = 0;
    for (const { writableLength } of this.inProgress) bytes += writableLength;
    return bytes;
  }

  /** The first request in progress. */
  get request(): IncomingMessage | undefined {
    return this.inProgress[0]?.req;
  }

  /** Notes whether the client has read anything since the last call. */
  look(now: number): void {
    const taken = this.socket.bytesWritten - this.socket.writableLength;
    if (taken === this.bytesTaken) return;
    this.bytesTaken = taken;
    this.unreadSince = now;
  }

  /** Closes the connection and drops unread responses, in the operating system too. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Handles the request as soon as few enough earlier ones are in progress. */
  add(request: WaitingRequest): void {
    if (this.isBusy) {
      this.waiting.push(request);
    } else {
      this.unreadSince = performance.now();
      this.handle(request);
    }
    this.proceed();
    this.pauseWhenBlocked();
  }

  private get isFull(): boolean {
    return this.inProgress.length >= MAX_IN_PROGRESS;
  }

  private get isBlocked(): boolean {
    return this.isFull || this.waiting.length > 0;
  }

  private pauseWhenBlocked(): void {
    if (!this.isBlocked) return;
    this.hasPaused = true;
    this.socket.pause();
  }

  private handle({ response, handle }: WaitingRequest): void {
    this.inProgress.push(response);
    response.once('close', () => {
      this.onResponseEnd(response);
    });
    handle();
  }

  private onResponseEnd(response: ServerResponse): void {
    this.inProgress.splice(this.inProgress.indexOf(response), 1);
    this.proceed();
  }

  /** Handles the next request in the next turn of the event loop; if none is waiting, resumes reading. */
  private proceed(): void {
    if (this.isFull || this.isNextDue) return;
    if (this.waiting.length > 0) {
      this.isNextDue = true;
      setImmediate(this.handleNext);
    } else if (this.hasPaused) {
      this.hasPaused = false;
      this.socket.resume();
    }
  }

  private readonly handleNext = (): void => {
    this.isNextDue = false;
    const next = this.socket.destroyed ? undefined : this.waiting.shift();
    if (!next) return;
    this.handle(next);
    this.proceed();
  };
}

/** Queues the requests of a server by connection. Call `watch` after all request listeners have been added. */
export class Pipelines {
  private readonly pipelines = new Map<Socket, Pipeline>();

  watch(server: Server): void {
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const handle = () => {
        for (const handler of handlers) handler.call(server, request, response);
      };
      this.of(request.socket).add({ response, handle });
    });
  }

  /** Whether a response is pending on a connection. */
  isBusy(socket: Socket): boolean {
    return this.pipelines.get(socket)?.isBusy ?? false;
  }

  /** The pipelines of all open connections that have sent a request. */
  all(): Iterable<Pipeline> {
    return this.pipelines.values();
  }

  private of(socket: Socket): Pipeline {
    return this.pipelines.get(socket) ?? this.open(socket);
  }

  private open(socket: Socket): Pipeline {
    const pipeline = new Pipeline(socket);
    this.pipelines.set(socket, pipeline);
    socket.once('close', () => this.pipelines.delete(socket));
    return pipeline;
  }
}

/** Bodies of up to this many chunks are accepted, however short the chunks are. */
const CHUNKS = 1000;
const MIN_AVERAGE_BYTES = 12;

/**
 * Responds with 400 to bodies in thousands of chunks of a few bytes each (RFC 9112, 7.1) and ends their connections.
 * Node.js takes 3 µs for each chunk: 30 ms for the 64 KiB of one read, if every chunk has one byte.
 */
export function limitChunks(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (request.headers['transfer-encoding'] !== undefined) countChunks(request);
  });
}

/** Counts chunks when they are parsed, before any of them is read. */
function countChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (chunk: Buffer | null) => {
    if (isRefused) return false;
    chunks += 1;
    bytes += chunk?.length ?? 0;
    isRefused = chunks > CHUNKS && bytes < MIN_AVERAGE_BYTES * chunks;
    if (!isRefused) return push(chunk);
    handleClientError({}, request.socket);
    return false;
  };
}

/**
 * Closes connections on which no bytes have been sent or received for `server.timeout`, or for twice as long while a
 * request is in progress: its handler or body may be slow. Between requests, `server.keepAliveTimeout` applies instead.
 */
export function closeStalledConnections(server: Server, pipelines: Pipelines): void {
  const trafficBefore = new WeakMap<Socket, number>();
  server.on('timeout', (socket: Socket) => {
    const traffic = socket.bytesRead + socket.bytesWritten;
    if (isUnread(socket) || !pipelines.isBusy(socket) || trafficBefore.get(socket) === traffic) {
      destroySocket(socket);
    } else {
      trafficBefore.set(socket, traffic);
      socket.setTimeout(server.timeout);
    }
  });
}

/**
 * If the client does not read its response, the operating system would keep megabytes of it for minutes: a reset
 * discards them immediately (RFC 9293, 3.10.5).
 */
function destroySocket(socket: Socket): void {
  if (isUnread(socket)) socket.resetAndDestroy();
  else socket.destroy();
}

function isUnread(socket: Socket): boolean {
  return socket.writableLength > 0;
}

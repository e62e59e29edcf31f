import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection are handled at a time. */
const MOST_IN_PROGRESS = 10;

interface Waiting {
  response: ServerResponse;
  handle: () => void;
}

/**
 * The requests of one connection. A client may send many without waiting for the answers (RFC 9112, 9.3.2). A few of
 * them are handled at a time; meanwhile nothing more is read, so that the rest waits in the socket and on the client's
 * side. What one read has brought, 64 KiB at most, Node.js has parsed already: it waits here, in the order it came. Each
 * turn of the event loop takes one of them: two thousand in one turn would keep everybody else waiting.
 */
export class Pipeline {
  /** Responses of which something is still to be made or to be read, in their order. Decision 27 has why it is an array. */
  private readonly inProgress: ServerResponse[] = [];
  private waiting: Waiting[] = [];
  private isNextDue = false;
  private hasPaused = false;
  /** Since when there has always been an answer to come, by `performance.now()`. */
  busySince = 0;

  constructor(private readonly socket: Socket) {
    // Node.js resumes the socket by itself, for the body of a request say
    socket.on('resume', () => {
      this.pauseWhenBlocked();
    });
    socket.once('close', () => {
      const unanswered = this.waiting;
      this.waiting = [];
      for (const { response } of unanswered) response.emit('close'); // Node.js does so for those in progress alone
    });
  }

  /** Whether an answer is still to come. */
  get isBusy(): boolean {
    return this.inProgress.length > 0 || this.waiting.length > 0;
  }

  /** Bytes of answers that wait in this process until the client reads. */
  get unread(): number {
    let bytes = 0;
    for (const { writableLength } of this.inProgress) bytes += writableLength;
    return bytes;
  }

  /** The first of the requests that are handled now. */
  get request(): IncomingMessage | undefined {
    return this.inProgress[0]?.req;
  }

  /** Drops what is unread: the system is not left with it either. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Handles the request as soon as few enough of those before it are in progress. */
  add(request: Waiting): void {
    if (this.isBusy) {
      this.waiting.push(request);
    } else {
      this.busySince = performance.now();
      this.handle(request);
    }
    this.goOn();
    this.pauseWhenBlocked();
  }

  private get isFull(): boolean {
    return this.inProgress.length >= MOST_IN_PROGRESS;
  }

  private get isBlocked(): boolean {
    return this.isFull || this.waiting.length > 0;
  }

  private pauseWhenBlocked(): void {
    if (!this.isBlocked) return;
    this.hasPaused = true;
    this.socket.pause();
  }

  private handle({ response, handle }: Waiting): void {
    this.inProgress.push(response);
    response.once('close', () => {
      this.onAnswered(response);
    });
    handle();
  }

  private onAnswered(response: ServerResponse): void {
    this.inProgress.splice(this.inProgress.indexOf(response), 1);
    this.goOn();
  }

  /** Takes the next request, in the next turn of the event loop; where none waits, reads on. */
  private goOn(): void {
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
    this.goOn();
  };
}

/** Has every request of a server wait for its turn on its connection. Called when all who handle requests are known. */
export class Pipelines {
  private readonly pipelines = new Map<Socket, Pipeline>();

  bound(server: Server): void {
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const handle = () => {
        for (const handler of handlers) handler.call(server, request, response);
      };
      this.of(request.socket).add({ response, handle });
    });
  }

  /** Whether an answer is still to come on a connection. */
  isBusy(socket: Socket): boolean {
    return this.pipelines.get(socket)?.isBusy ?? false;
  }

  /** Those of all connections that have sent a request. */
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

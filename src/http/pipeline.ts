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
 * side. What one read has brought, 64 KiB at most, Node.js has parsed already: it waits here, in the order it came.
 */
export class Pipeline {
  /** Responses of which something is still to be made or to be read, in their order. */
  private readonly inProgress = new Set<ServerResponse>();
  private waiting: Waiting[] = [];

  /** @param busy has this pipeline in it while an answer is still to come */
  constructor(
    private readonly socket: Socket,
    private readonly busy: Set<Pipeline>,
  ) {
    // Node.js resumes the socket by itself, for the body of a request say
    socket.on('resume', () => {
      if (this.isFull) socket.pause();
    });
    socket.once('close', () => {
      const unanswered = this.waiting;
      this.waiting = [];
      for (const { response } of unanswered) response.emit('close'); // Node.js does so for those in progress alone
    });
  }

  /** Whether an answer is still to come. */
  get isBusy(): boolean {
    return this.inProgress.size > 0;
  }

  /** Bytes of answers that wait in this process until the client reads. */
  get unread(): number {
    let bytes = 0;
    for (const { writableLength } of this.inProgress) bytes += writableLength;
    return bytes;
  }

  /** The first of the requests that are handled now. */
  get request(): IncomingMessage | undefined {
    const [response] = this.inProgress;
    return response?.req;
  }

  /** Drops what is unread: the system is not left with it either. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Handles the request as soon as few enough of those before it are in progress. */
  add(response: ServerResponse, handle: () => void): void {
    this.waiting.push({ response, handle });
    this.handleNext();
    if (this.isFull) this.socket.pause();
  }

  private get isFull(): boolean {
    return this.inProgress.size >= MOST_IN_PROGRESS;
  }

  private onAnswered(response: ServerResponse): void {
    this.inProgress.delete(response);
    this.handleNext();
    if (this.inProgress.size === MOST_IN_PROGRESS - 1) this.socket.resume(); // it was full until now
    if (!this.isBusy) this.busy.delete(this);
  }

  private handleNext(): void {
    const next = this.isFull || this.socket.destroyed ? undefined : this.waiting.shift();
    if (!next) return;
    const { response, handle } = next;
    this.busy.add(this);
    this.inProgress.add(response);
    response.once('close', () => {
      this.onAnswered(response);
    });
    handle();
  }
}

/** Has every request of a server wait for its turn on its connection. Called when all who handle requests are known. */
export class Pipelines {
  /** Those on which an answer is still to come, those first that have been so longest. */
  readonly busy = new Set<Pipeline>();
  private readonly pipelines = new WeakMap<Socket, Pipeline>();

  bound(server: Server): void {
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.of(request.socket).add(response, () => {
        for (const handle of handlers) handle.call(server, request, response);
      });
    });
  }

  /** Whether an answer is still to come on a connection. */
  isBusy(socket: Socket): boolean {
    return this.pipelines.get(socket)?.isBusy ?? false;
  }

  private of(socket: Socket): Pipeline {
    let pipeline = this.pipelines.get(socket);
    if (!pipeline) this.pipelines.set(socket, (pipeline = new Pipeline(socket, this.busy)));
    return pipeline;
  }
}

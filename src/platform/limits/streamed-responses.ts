import type { Socket } from 'node:net';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable, ServiceUnavailableException, UseInterceptors } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { MemoryBudget } from '../settings/memory-budget.js';
import { SECOND_MS } from '../settings/units.js';
import { clientAddress, clientNetworks } from '../http/visitor.js';
import { closeSignal } from '../http/close-signal.js';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import { Problem } from '../errors/problem.js';

/** After how long a response that its client does not read gives way to another one. */
export const MAX_STALL_MS = 5 * SECOND_MS;
const RETRY_AFTER_MS = 10 * SECOND_MS;

/** A response in progress, and what its client has taken of it. */
interface StreamedResponse {
  network: string;
  socket: Socket;
  taken: number;
  takenAt: number;
}

/**
 * Limits how many responses are read from storage while they are sent: in total, and half of that for one client
 * network, the /48 of an IPv6 address. Beyond that, a new one replaces one that its client does not read, or one of a network that has more than its
 * own; otherwise it is refused.
 */
@Injectable()
export class StreamedResponses {
  /** In the order in which they began. */
  private inProgress: StreamedResponse[] = [];
  private readonly max: number;
  private readonly maxToNetwork: number;

  constructor({ streamedResponses }: MemoryBudget) {
    this.max = streamedResponses;
    this.maxToNetwork = streamedResponses / 2;
  }

  /**
   * Call before anything is read.
   * @param now in milliseconds
   * @throws TooManyRequests when too many responses are sent to the network of the client
   * @throws ServiceUnavailableException when too many are sent in total
   */
  begin(request: Request, response: Response, now = performance.now()): void {
    if (response.destroyed) return;
    const network = clientNetworks(clientAddress(request)).at(-1)?.network ?? '';
    this.makeRoom(network, now);
    const { socket } = request;
    const begun = { network, socket, taken: bytesTaken(socket), takenAt: now };
    this.inProgress.push(begun);
    closeSignal(response).addEventListener('abort', () => {
      this.inProgress = this.inProgress.filter((other) => other !== begun);
    });
  }

  /** Notes which clients have read anything since the last call, or all there was: storage may be slow instead. */
  @Interval(SECOND_MS)
  look(now = performance.now()): void {
    for (const response of this.inProgress) {
      const taken = bytesTaken(response.socket);
      if (taken === response.taken && response.socket.writableLength > 0) continue;
      response.taken = taken;
      response.takenAt = now;
    }
  }

  private makeRoom(network: string, now: number): void {
    const shares = Map.groupBy(this.inProgress, (response) => response.network);
    const own = shares.get(network) ?? [];
    const isNetworkFull = own.length >= this.maxToNetwork;
    if (!isNetworkFull && this.inProgress.length < this.max) return;

    const stalest = stalestOf(isNetworkFull ? own : this.inProgress);
    const largest = [...shares.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (now - stalest.takenAt >= MAX_STALL_MS) this.reset(stalest);
    else if (isNetworkFull)
      throw new TooManyRequests('requests', new Problem('too_many_downloads'), RETRY_AFTER_MS);
    else if (largest.length > own.length + 1) this.reset(stalestOf(largest));
    else throw new ServiceUnavailableException(new Problem('busy'));
  }

  /** A reset also discards what the operating system holds for the client. */
  private reset(response: StreamedResponse): void {
    response.socket.resetAndDestroy();
    this.inProgress = this.inProgress.filter(({ socket }) => socket !== response.socket);
  }
}

function bytesTaken({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}

function stalestOf(responses: StreamedResponse[]): StreamedResponse {
  return responses.reduce((one, other) => (other.takenAt < one.takenAt ? other : one));
}

@Injectable()
class StreamedResponseInterceptor implements NestInterceptor {
  constructor(private readonly responses: StreamedResponses) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    this.responses.begin(http.getRequest<Request>(), http.getResponse<Response>());
    return next.handle();
  }
}

/** A route whose response is read from storage while it is sent. */
export const StreamsResponse = () => UseInterceptors(StreamedResponseInterceptor);

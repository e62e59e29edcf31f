import type { HttpException } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Request, Response } from 'express';
import { clientAddress, clientNetwork } from '../visitor.js';
import { Log } from '../../logging/log.js';
import { MemoryBudget } from '../../settings/memory-budget.js';
import { Settings } from '../../settings/settings.js';
import { SECOND_MS } from '../../settings/units.js';
import { JSON_BODY_LIMIT_WITH_TOKEN } from './body-limits.js';
import { declaredLength } from './media-type.js';
import { bodyTooSlow, networkShareExceeded, bodyMemoryExceeded } from './body-errors.js';

const GRACE_MS = 60_000;
const MIN_BYTES_PER_MS = (16 * 1024) / 1000;
const MAX_WAIT_MS = 30 * SECOND_MS;
/** How long a body keeps its memory that others wait for. */
const TURN_MS = 10 * SECOND_MS;

/** A request body that has not arrived completely, or whose bytes are still in memory. */
export class BodyInProgress {
  /** Bytes that have arrived. */
  received = 0;
  /** Bytes of memory that the body takes. */
  reservedBytes = 0;
  /** When that was last set, in milliseconds. */
  reservedAt = 0;
  /** Whether its response is closed: it takes no memory any more. */
  isClosed = false;
  /** Whether it existed at the previous check of all bodies. */
  isOld = false;
  private isStreamed = false;

  constructor(
    readonly network: NetworkBodies,
    private readonly startedAt: number,
    /** The Content-Length, if the request has one. */
    private readonly length: number | undefined,
    /** Stops reading the body. */
    readonly refuse: (error: HttpException) => void,
  ) {}

  /** Call when the body has files, which are streamed to storage: it may then take as long as any request may. */
  streamFiles(): void {
    this.isStreamed = true;
  }

  /** Whether it should have arrived completely by now: after a minute, plus a second for each 16 KiB. */
  isTooSlow(now: number): boolean {
    const length = this.length ?? this.received;
    return !this.isStreamed && now - this.startedAt > GRACE_MS + length / MIN_BYTES_PER_MS;
  }
}

/** An IPv4 address or IPv6 /64, with the bodies that it is sending. */
class NetworkBodies {
  /** Bytes of memory that its bodies take. */
  reservedBytes = 0;
  /** Its bodies that have not arrived completely, in the order in which they began. */
  readonly unfinished = new Set<BodyInProgress>();

  constructor(readonly address: string) {}

  get isIdle(): boolean {
    return this.reservedBytes === 0 && this.unfinished.size === 0;
  }
}

/** A body that waits until there is memory for it. */
interface WaitingBody {
  body: BodyInProgress;
  bytes: number;
  start: () => void;
}

/** Unfinished bodies of one network. Further ones are rejected unless they arrive within a second or two. */
const UNFINISHED_PER_NETWORK = 20;
const CHECK_INTERVAL_MS = 1000;

/**
 * Limits unfinished request bodies: the memory of all together (MAX_BODY_BYTES_IN_PROGRESS) and of one network (half of
 * it), how many one network may have, and how slowly they may arrive. Bodies that arrive together with their headers,
 * which is nearly all of them, are not counted.
 */
@Injectable()
export class BodiesInProgress {
  private readonly networks = new Map<string, NetworkBodies>();
  /** In the order in which they came. */
  private readonly waiting = new Set<WaitingBody>();
  private readonly maxReserved: number;
  private readonly maxReservedByNetwork: number;
  private reservedBytes = 0;

  constructor(
    settings: Settings,
    budget: MemoryBudget,
    private readonly log: Log,
  ) {
    this.maxReserved = settings.MAX_BODY_BYTES_IN_PROGRESS ?? budget.bodies;
    this.maxReservedByNetwork = Math.max(this.maxReserved / 2, JSON_BODY_LIMIT_WITH_TOKEN);
  }

  /** How many bodies have not arrived completely. */
  get count(): number {
    return Array.from(this.networks.values()).reduce((sum, { unfinished }) => sum + unfinished.size, 0);
  }

  /**
   * Registers a body that begins to arrive. Its memory is counted until the response is closed.
   * @param refuse is called when the body arrives too slowly, or its network has too many
   * @param now in milliseconds
   */
  begin(
    request: Request,
    response: Response,
    refuse: (error: HttpException) => void,
    now = performance.now(),
  ): BodyInProgress {
    const network = this.networkOf(clientNetwork(clientAddress(request)));
    const body = new BodyInProgress(network, now, declaredLength(request), refuse);
    network.unfinished.add(body);
    response.once('close', () => {
      this.end(body);
      body.isClosed = true;
      this.reserve(body, 0);
      if (network.isIdle) this.networks.delete(network.address);
    });
    return body;
  }

  /** Call when a body has arrived completely, or is not read any further. */
  end(body: BodyInProgress): void {
    body.network.unfinished.delete(body);
  }

  /**
   * Sets how many bytes of memory a body takes from now on.
   * @throws ServiceUnavailableException when the limit of the process would be exceeded
   * @throws TooManyRequests when the limit of its network would be exceeded
   */
  reserve(body: BodyInProgress, bytes: number): void {
    const shortage = this.shortageOf(body, bytes);
    if (shortage) throw shortage;
    this.take(body, bytes);
    this.startWaiting();
  }

  /**
   * The same, once there is memory for it: it waits for that, and for those of its network that wait already.
   * @param signal ends the wait, with its reason
   * @throws HttpException as `reserve` when there is none after half a minute
   */
  async reserveInTurn(
    body: BodyInProgress,
    bytes: number,
    signal: AbortSignal,
    maxWaitMs = MAX_WAIT_MS,
  ): Promise<void> {
    if (bytes <= body.reservedBytes) {
      this.reserve(body, bytes);
      return;
    }
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const start = () => {
      resolve(undefined);
    };
    const waiting = { body, bytes, start };
    const giveUp = () => {
      this.waiting.delete(waiting);
      reject(
        signal.aborted ? (signal.reason as Error) : (this.shortageOf(body, bytes) ?? bodyMemoryExceeded()),
      );
    };
    const timer = setTimeout(giveUp, maxWaitMs);
    signal.addEventListener('abort', giveUp);
    this.waiting.add(waiting);
    this.startWaiting();
    await promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  }

  /**
   * Whether others wait for memory that a body has had for a while.
   * @param now in milliseconds
   */
  isWanted(body: BodyInProgress, now = performance.now()): boolean {
    if (this.waiting.size === 0 || now - body.reservedAt < TURN_MS) return false;
    return [...this.waiting].some(
      ({ body: { network }, bytes }) =>
        network === body.network || this.reservedBytes + bytes > this.maxReserved,
    );
  }

  private shortageOf(body: BodyInProgress, bytes: number): HttpException | undefined {
    const more = bytes - body.reservedBytes;
    if (more > 0 && this.reservedBytes + more > this.maxReserved) return bodyMemoryExceeded();
    if (more > 0 && body.network.reservedBytes + more > this.maxReservedByNetwork)
      return networkShareExceeded();
    return undefined;
  }

  private take(body: BodyInProgress, bytes: number): void {
    if (body.isClosed && bytes > 0) return; // nobody would give it back
    const more = bytes - body.reservedBytes;
    body.reservedBytes = bytes;
    body.reservedAt = performance.now();
    body.network.reservedBytes += more;
    this.reservedBytes += more;
  }

  /** Gives memory to those that wait, in their order, but to none before an earlier one of its network. */
  private startWaiting(): void {
    const short = new Set<NetworkBodies>();
    for (const waiting of this.waiting) {
      const { body, bytes, start } = waiting;
      if (body.isClosed) continue;
      if (short.has(body.network) || this.shortageOf(body, bytes)) {
        short.add(body.network);
      } else {
        this.waiting.delete(waiting);
        this.take(body, bytes);
        start();
      }
    }
  }

  /** Rejects bodies that arrive too slowly, and bodies beyond the limit of their network. */
  @Interval(CHECK_INTERVAL_MS)
  refuseOverdue(now = performance.now()): void {
    for (const { unfinished } of this.networks.values()) {
      let place = 0;
      for (const body of unfinished) {
        place += 1;
        if (body.isTooSlow(now)) this.refuse(body, bodyTooSlow());
        else if (body.isOld && place > UNFINISHED_PER_NETWORK) this.refuse(body, networkShareExceeded());
        body.isOld = true;
      }
    }
  }

  /** A body whose reader fails must not keep others from being refused, neither now nor in the next round. */
  private refuse(body: BodyInProgress, error: HttpException): void {
    this.end(body);
    try {
      body.refuse(error);
    } catch (cause) {
      this.log.failure('A request body could not be refused', cause);
    }
  }

  private networkOf(address: string): NetworkBodies {
    const known = this.networks.get(address);
    if (known) return known;
    const network = new NetworkBodies(address);
    this.networks.set(address, network);
    return network;
  }
}

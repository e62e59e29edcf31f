import type { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BodiesInProgress, BodyInProgress } from '../../platform/http/body/bodies-in-progress.js';
import { assertPlainUtf8, declaredLength } from '../../platform/http/body/media-type.js';
import { closeSignal } from '../../platform/http/close-signal.js';
import { SECOND_MS } from '../../platform/settings/units.js';

/** After this time without a byte, what has arrived is stored, and another request may continue. */
const SILENCE_MS = 3 * SECOND_MS;

/**
 * What comes next of a body: bytes, a pause because nothing comes for a while or others wait for its memory, its end, or
 * no end because the connection broke.
 */
export type Next = Buffer | 'pause' | 'end' | 'broken';
type Read = Exclude<Next, 'pause'>;

/** The body of a request that sends a part of an upload. It is read as fast as it is stored. */
export class PartBody {
  private readonly body: BodyInProgress;
  private readonly chunks: AsyncIterator<Buffer>;
  /** Aborts when the body is refused, with the reason. */
  private readonly refused = new AbortController();
  private readonly refusedOrClosed: AbortSignal;
  private isReading = false;
  /** What was read and not returned yet. */
  private arrived?: Read;
  /** Ends the current wait. It is a promise for each: one for all would keep every chunk (nodejs/node#17469). */
  private wake: () => void = () => undefined;

  constructor(
    readonly request: Request,
    response: Response,
    private readonly bodies: BodiesInProgress,
  ) {
    assertPlainUtf8(request);
    this.chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    this.refusedOrClosed = AbortSignal.any([this.refused.signal, closeSignal(response)]);
    this.body = bodies.begin(request, response, (error) => {
      this.refuse(error);
    });
    this.body.streamFiles();
  }

  /** Undefined when its length is not known before its end. */
  get length(): number | undefined {
    return declaredLength(this.request);
  }

  /**
   * Counts what is kept in memory of it, once there is room for more.
   * @throws HttpException when there is none for half a minute, or the connection closes
   */
  reserve(bytes: number): Promise<void> {
    return this.bodies.reserveInTurn(this.body, bytes, this.refusedOrClosed);
  }

  /** @throws HttpException when its client network sends too many bodies */
  async next(): Promise<Next> {
    await this.wait(SILENCE_MS);
    return this.bodies.isWanted(this.body) ? 'pause' : (this.take() ?? 'pause');
  }

  /** The same however long that takes. */
  async nextAfterPause(): Promise<Read> {
    await this.wait();
    return this.take() ?? 'broken';
  }

  /** To be called when it is not read any further. */
  end(): void {
    this.bodies.end(this.body);
  }

  private refuse(error: HttpException): void {
    this.refused.abort(error);
    this.wake();
  }

  /** Until something has arrived, or the body is refused. */
  private async wait(maxMs?: number): Promise<void> {
    this.readAhead();
    const { signal } = this.refused;
    if (this.arrived === undefined && !signal.aborted) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (maxMs !== undefined) timer = setTimeout(resolve, maxMs);
      });
      clearTimeout(timer);
    }
    signal.throwIfAborted();
  }

  private take(): Read | undefined {
    const { arrived } = this;
    this.arrived = undefined;
    return arrived;
  }

  private readAhead(): void {
    if (this.isReading || this.arrived !== undefined) return;
    this.isReading = true;
    void this.read().then((read) => {
      this.isReading = false;
      this.arrived = read;
      this.wake();
    });
  }

  private async read(): Promise<Read> {
    try {
      const next = await this.chunks.next();
      if (next.done) return this.request.complete ? 'end' : 'broken';
      this.body.received += next.value.length;
      return next.value;
    } catch {
      return 'broken';
    }
  }
}

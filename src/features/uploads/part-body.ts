import type { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BodiesInProgress, BodyInProgress } from '../../platform/http/body/bodies-in-progress.js';
import { assertPlainUtf8, declaredLength } from '../../platform/http/body/media-type.js';
import { SECOND_MS } from '../../platform/settings/units.js';

/** After this time without a byte, what has arrived is stored, and another request may continue. */
const SILENCE_MS = 3 * SECOND_MS;

/** What comes next of a body: bytes, nothing for a while, its end, or no end because the connection broke. */
export type Next = Buffer | 'silence' | 'end' | 'broken';

/** The body of a request that sends a part of an upload. It is read as fast as it is stored. */
export class PartBody {
  private readonly body: BodyInProgress;
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly refused: Promise<never>;
  private pending?: Promise<Exclude<Next, 'silence'>>;

  constructor(
    readonly request: Request,
    response: Response,
    private readonly bodies: BodiesInProgress,
  ) {
    assertPlainUtf8(request);
    this.chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    let refuse: (error: HttpException) => void = () => undefined;
    this.refused = new Promise((_, reject) => (refuse = reject));
    this.refused.catch(() => undefined);
    this.body = bodies.begin(request, response, refuse);
    this.body.streamFiles();
  }

  /** Undefined when its length is not known before its end. */
  get length(): number | undefined {
    return declaredLength(this.request);
  }

  /**
   * Counts what is kept in memory of it.
   * @throws HttpException when that is too much, for all requests or those of its client network
   */
  reserve(bytes: number): void {
    this.bodies.reserve(this.body, bytes);
  }

  /** @throws HttpException when its client network sends too many bodies */
  async next(): Promise<Next> {
    this.pending ??= this.read();
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<'silence'>((resolve) => {
      timer = setTimeout(resolve, SILENCE_MS, 'silence');
    });
    try {
      return await this.settled(Promise.race([this.pending, silence, this.refused]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same however long that takes. */
  nextAfterSilence(): Promise<Exclude<Next, 'silence'>> {
    return this.settled(Promise.race([this.pending ?? this.read(), this.refused]));
  }

  /** To be called when it is not read any further. */
  end(): void {
    this.bodies.end(this.body);
  }

  private async settled<Read extends Next>(reading: Promise<Read>): Promise<Read> {
    const next = await reading;
    if (next !== 'silence') this.pending = undefined;
    return next;
  }

  private async read(): Promise<Exclude<Next, 'silence'>> {
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

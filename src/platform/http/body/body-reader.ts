import { BadRequestException, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { closeAfterResponse, hasArrived } from '../requests/prepare-requests.js';
import { BodiesInProgress } from './bodies-in-progress.js';
import type { FileReceiver } from './file-receiver.js';
import { JsonScan, parseJson } from './json.js';
import { assertPlainUtf8, declaredLength, mediaType } from './media-type.js';
import { MultipartForm } from './multipart-form.js';
import { bodyTooLarge, malformedBody } from './body-errors.js';
import type { FormFields } from './field-texts.js';
import { parseUrlencoded } from './urlencoded.js';
import { Problem } from '../../errors/problem.js';

const NOTHING = Buffer.alloc(0);

/**
 * Reads request bodies, for pipes and interceptors of routes that accept one. A body that it rejects is not read any
 * further, and the connection is closed after the response. See docs/decisions/0003.
 */
@Injectable()
export class BodyReader {
  constructor(private readonly bodies: BodiesInProgress) {}

  /**
   * Reads JSON or an urlencoded form, which it also is without a Content-Type.
   * @param jsonLimit in bytes
   * @param formLimit in bytes
   * @param types the media types that the route accepts, for the message about another one
   * @throws BadRequestException for another Content-Type; then nothing is read
   */
  async jsonOrForm(
    request: Request,
    response: Response,
    { jsonLimit, formLimit, types }: { jsonLimit: number; formLimit: number; types: readonly string[] },
  ): Promise<unknown> {
    switch (mediaType(request)) {
      case 'application/json':
        return this.json(request, response, jsonLimit);
      case 'application/x-www-form-urlencoded':
      case '':
        return this.form(request, response, formLimit);
      default:
        closeAfterResponse(request, response);
        throw new BadRequestException(new Problem('content_type_unsupported', { types }));
    }
  }

  /** @param limit in bytes */
  async json(request: Request, response: Response, limit: number): Promise<unknown> {
    const scan = new JsonScan();
    const arrived = this.readBuffered(request, response, limit, scan);
    if (arrived) return parseJson(arrived, scan);
    const bytes = await this.readStream(request, response, limit, scan);
    return parseJson(bytes, scan).finally(() => {
      free(bytes);
    });
  }

  /**
   * Reads an urlencoded form.
   * @param limit in bytes
   */
  async form(request: Request, response: Response, limit: number): Promise<FormFields> {
    const arrived = this.readBuffered(request, response, limit);
    if (arrived) return parseUrlencoded(arrived);
    const bytes = await this.readStream(request, response, limit);
    try {
      return await parseUrlencoded(bytes);
    } finally {
      free(bytes);
    }
  }

  /**
   * Reads a multipart form; its files are passed to `files` as they arrive.
   * @param limit in bytes, for everything except the contents of files
   */
  async multipart(
    request: Request,
    response: Response,
    limit: number,
    files: FileReceiver,
  ): Promise<FormFields> {
    try {
      assertPlainUtf8(request);
      return await new MultipartForm(request, response, this.bodies, limit, files).read();
    } catch (error) {
      closeAfterResponse(request, response);
      throw error;
    }
  }

  /** A body that has arrived together with its headers, as most do; undefined for others. */
  private readBuffered(
    request: Request,
    response: Response,
    limit: number,
    scan?: JsonScan,
  ): Buffer | undefined {
    try {
      assertPlainUtf8(request);
      if ((declaredLength(request) ?? 0) > limit) throw bodyTooLarge();
    } catch (error) {
      closeAfterResponse(request, response);
      throw error;
    }
    if (!hasArrived(request)) return undefined;

    const bytes = (request.read() as Buffer | null) ?? NOTHING;
    if (!request.complete) request.resume(); // so that Node.js emits its end
    if (bytes.length > limit) throw bodyTooLarge();
    scan?.add(bytes);
    return bytes;
  }

  private readStream(request: Request, response: Response, limit: number, scan?: JsonScan): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const buffer = new GrowingBuffer(declaredLength(request) ?? limit);
      const stop = () => {
        request.off('data', take).off('end', finish).off('close', breakOff);
        this.bodies.end(body);
      };
      const refuse = (error: Error) => {
        stop();
        request.pause();
        closeAfterResponse(request, response);
        reject(error);
      };
      const body = this.bodies.begin(request, response, refuse);
      const take = (chunk: Buffer) => {
        try {
          body.received += chunk.length;
          if (body.received > limit) throw bodyTooLarge();
          scan?.add(chunk);
          this.bodies.reserve(body, buffer.capacityWith(chunk.length));
          buffer.add(chunk);
        } catch (error) {
          refuse(error as Error);
        }
      };
      const finish = () => {
        stop();
        resolve(buffer.all);
      };
      const breakOff = () => {
        refuse(malformedBody());
      };
      request.on('data', take).once('end', finish).once('close', breakOff);
    });
  }
}

const FIRST_BYTES = 64 * 1024;

/** Copies pieces that arrive into one buffer: kept apart, thousands of tiny pieces would take many times their size. */
class GrowingBuffer {
  private bytes: Buffer = Buffer.allocUnsafeSlow(0);
  private length = 0;

  /** @param max the maximum number of bytes */
  constructor(private readonly max: number) {}

  /**
   * Bytes of memory that the buffer takes after adding `more` bytes: twice as many, or `max` if that is not much more,
   * so that no more than half of them is ever copied.
   */
  capacityWith(more: number): number {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return this.bytes.length;
    const doubled = Math.max(FIRST_BYTES, 2 * this.bytes.length);
    return Math.max(needed, doubled > this.max / 2 ? this.max : doubled);
  }

  add(piece: Buffer): void {
    const capacity = this.capacityWith(piece.length);
    if (capacity > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(capacity);
      this.bytes.copy(larger, 0, 0, this.length);
      free(this.bytes);
      this.bytes = larger;
    }
    this.length += piece.copy(this.bytes, this.length);
  }

  /** All bytes, not copied. */
  get all(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** Gives its memory back at once, not when it is collected. Nothing else may use the same memory. */
export function free({ buffer }: Buffer): void {
  (buffer as ArrayBuffer).transfer(0);
}

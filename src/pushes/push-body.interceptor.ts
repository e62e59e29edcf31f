import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, RequestHandler, Response } from 'express';
import type { Observable } from 'rxjs';
import { catchError, from } from 'rxjs';
import {
  BODY_LIMIT,
  formReader,
  jsonReader,
  longJsonReader,
  mediaType,
  readBody,
} from '../common/read-body.js';
import { FileRules } from '../files/file-rules.js';
import { FilesService } from '../files/files.service.js';
import { multipartReader } from '../files/multipart.js';
import type { Upload } from '../files/upload.js';
import type { PushFields } from './push-in-body.js';
import { pushInBody } from './push-in-body.js';
import type { PushKeyOptions } from './push-key.js';
import { PUSH_KEY } from './push-key.js';

/** After how many milliseconds without a byte a request is given up. */
export const LONGEST_SILENCE = Symbol('longest silence');

/**
 * Reads the fields of the push that a request wants created, in any of the encodings, into `request.body`. It runs
 * after the guards, so that nobody who is not allowed to makes us read a byte, and only on routes that take a body:
 * others ignore whatever is sent.
 */
@Injectable()
export class PushBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly files: FilesService,
    private readonly fileRules: FileRules,
    @Inject(LONGEST_SILENCE) private readonly longestSilence: number,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const upload = mediaType(request) === 'multipart/form-data' ? this.files.beginUpload() : undefined;

    const discard = async (error: unknown): Promise<never> => {
      await upload?.discard(error);
      throw error;
    };
    try {
      await this.read(request, http.getResponse(), upload);
      request.body = this.fieldsOf(request, upload, this.pushKeyOf(context));
    } catch (error) {
      await discard(error);
    }
    return next.handle().pipe(catchError((error: unknown) => from(discard(error))));
  }

  private async read(request: Request, response: Response, upload: Upload | undefined): Promise<void> {
    request.setTimeout(this.longestSilence, () => request.destroy());
    await readBody(this.readerFor(request, upload), request, response);
    request.setTimeout(0);
  }

  private readerFor(request: Request, upload: Upload | undefined): RequestHandler {
    if (upload) return multipartReader(this.fileRules, upload, BODY_LIMIT);
    switch (mediaType(request)) {
      case 'application/json':
        return request.user ? longJsonReader : jsonReader;
      case 'application/x-www-form-urlencoded':
      case '':
        return formReader;
      default:
        throw new BadRequestException(
          'The Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
        );
    }
  }

  private fieldsOf(request: Request, upload: Upload | undefined, pushKey: PushKeyOptions): PushFields {
    if (upload?.files.length) request.body = withFiles(upload, request.body as Form, pushKey.key);
    const fields = pushInBody(request, pushKey);
    if (this.fileRules.isEnabled && asksForFiles(fields))
      this.fileRules.assertAllowed(request.user !== undefined);
    return fields;
  }

  private pushKeyOf(context: ExecutionContext): PushKeyOptions {
    return this.reflector.get<PushKeyOptions | undefined>(PUSH_KEY, context.getHandler()) ?? { key: 'push' };
  }
}

function asksForFiles({ files, kind }: PushFields): boolean {
  return (files ?? undefined) !== undefined || kind === 'file';
}

type Form = Record<string, PushFields | string | undefined>;

/** The form with its files in the push, which is made when the form had nothing else. What is no push is refused later. */
function withFiles(upload: Upload, form: Form, key: string): Form {
  const push = form[key] ?? {};
  return typeof push === 'object' ? { ...form, [key]: { ...push, files: upload } } : form;
}

import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
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

/** After how many milliseconds without a byte a request is given up. */
export const LONGEST_SILENCE = Symbol('longest silence');

/**
 * Reads the body of a request that creates a push, in any of the encodings. It runs after the guards, so that nobody
 * who is not allowed to makes us read a byte, and only on routes that take a body: others ignore whatever is sent.
 */
@Injectable()
export class PushBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly files: FilesService,
    private readonly fileRules: FileRules,
    @Inject(LONGEST_SILENCE) private readonly longestSilence: number,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const upload = mediaType(request) === 'multipart/form-data' ? this.files.beginUpload() : undefined;

    const discard = async (error: unknown): Promise<never> => {
      await upload?.discard();
      throw error;
    };
    await this.read(request, http.getResponse(), upload).catch(discard);
    return next.handle().pipe(catchError((error: unknown) => from(discard(error))));
  }

  private async read(request: Request, response: Response, upload: Upload | undefined): Promise<void> {
    request.setTimeout(this.longestSilence, () => request.destroy());
    await readBody(this.readerFor(request, upload), request, response);
    request.setTimeout(0);

    if (upload?.files.length) {
      attach(upload, request.body as Body);
    } else if (this.fileRules.isEnabled && asksForFiles(request.body)) {
      this.fileRules.assertAllowed(request.user !== undefined);
    }
  }

  private readerFor(request: Request, upload: Upload | undefined) {
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
}

interface Body {
  push?: { files?: unknown; kind?: unknown };
}

/** Puts the files into the push; it is made when the form had nothing else. What is no push is refused later. */
function attach(upload: Upload, body: Body): void {
  body.push ??= {};
  if (typeof body.push === 'object') body.push.files = upload;
}

function asksForFiles(body: unknown): boolean {
  const push = (body as Body | null | undefined)?.push;
  return (push?.files ?? undefined) !== undefined || push?.kind === 'file';
}

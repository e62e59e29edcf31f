import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { BadRequestException, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { parse } from 'qs';
import { catchError, from } from 'rxjs';
import type { User } from '../../auth/user.entity.js';
import { FileRules } from '../../files/file-rules.js';
import { FilesService } from '../../files/files.service.js';
import type { Upload } from '../../files/upload.js';
import { UploadQuota } from '../../files/upload-quota.js';
import { UploadedFiles } from '../../files/uploaded-files.js';
import { BODY_LIMIT, JSON_BODY_LIMIT_WITH_TOKEN } from '../../http/body/body-limits.js';
import { BodyReader } from '../../http/body/body-reader.js';
import { mediaType } from '../../http/body/media-type.js';
import { closeAfterAnswer } from '../../http/close-after-answer.js';
import { StoredFiles } from './attached-files.js';
import type { BodyRootOptions } from './body-root.js';
import { BODY_ROOT } from './body-root.js';
import type { UploadRequest } from './current-upload.js';

export type PushFields = Record<string, unknown>;

const FILES_FIELD = /^[a-z_]+\[files\](\[\d*\])?$/;

/**
 * Reads the fields of the push that a request wants created, in any of the encodings, into `request.body`. It runs
 * after the guards, so that nobody who is not allowed to makes us read a byte, and only on routes that take a body:
 * others ignore whatever is sent.
 */
@Injectable()
export class PushBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly reader: BodyReader,
    private readonly files: FilesService,
    private readonly fileRules: FileRules,
    private readonly quota: UploadQuota,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<UploadRequest>();
    const response = http.getResponse<Response>();
    const root = this.rootOf(context);
    if (mediaType(request) === 'multipart/form-data') {
      return this.interceptUpload(request, response, root, next);
    }
    request.body = this.fieldsOf(request, await this.read(request, response), root);
    return next.handle();
  }

  /** What has been uploaded is discarded when no push is made of it. */
  private async interceptUpload(
    request: UploadRequest,
    response: Response,
    root: BodyRootOptions,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const left = await this.quota.left((request.user as User | undefined)?.id);
    const upload = this.files.beginUpload();
    const discard = async (error: unknown): Promise<never> => {
      await upload.discard(error);
      throw error;
    };
    try {
      const isAuthenticated = request.user !== undefined;
      const files = new UploadedFiles(upload, this.fileRules, isAuthenticated, FILES_FIELD, left, this.quota);
      const form = await this.reader.multipart(request, response, BODY_LIMIT, files);
      const body = upload.files.length > 0 ? withFiles(upload, form as Form, root.key) : form;
      request.body = this.fieldsOf(request, body, root);
      if (upload.files.length > 0) request.upload = upload;
    } catch (error) {
      await discard(error);
    }
    return next.handle().pipe(catchError((error: unknown) => from(discard(error))));
  }

  private read(request: Request, response: Response): Promise<unknown> {
    switch (mediaType(request)) {
      case 'application/json':
        return this.reader.json(request, response, request.user ? JSON_BODY_LIMIT_WITH_TOKEN : BODY_LIMIT);
      case 'application/x-www-form-urlencoded':
      case '':
        return this.reader.form(request, response, BODY_LIMIT);
      default:
        closeAfterAnswer(request, response);
        throw new BadRequestException(
          'The Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
        );
    }
  }

  private fieldsOf(request: Request, body: unknown, root: BodyRootOptions): PushFields {
    const fields = pushInBody(body, request.url, root);
    if (this.fileRules.isEnabled && asksForFiles(fields)) {
      this.fileRules.assertAllowed(request.user !== undefined);
    }
    return fields;
  }

  private rootOf(context: ExecutionContext): BodyRootOptions {
    return (
      this.reflector.get<BodyRootOptions | undefined>(BODY_ROOT, context.getHandler()) ?? { key: 'push' }
    );
  }
}

function asksForFiles({ files, kind }: PushFields): boolean {
  return (files ?? undefined) !== undefined || kind === 'file';
}

type Form = Record<string, PushFields | string | undefined>;

/** The form with its files in the push, which is made when the form had nothing else. What is no push is refused later. */
function withFiles(upload: Upload, form: Form, key: string): Form {
  const push = form[key] ?? {};
  return typeof push === 'object'
    ? { ...form, [key]: { ...push, files: new StoredFiles(upload.files.map(({ size }) => size)) } }
    : form;
}

/**
 * The fields of the push that a request brings: those of its body, and those of its query where the body is silent.
 * @param url path and query
 * @throws BadRequestException when there are none, or those of the query cannot be decoded
 */
function pushInBody(body: unknown, url: string, { key, kind }: BodyRootOptions): PushFields {
  const inBody = fieldsUnder(key, body);
  const inQuery = pushInQuery(key, url);
  if (inBody === undefined && inQuery === undefined) {
    throw new BadRequestException(`The body must have an object "${key}" with the fields of the push.`);
  }
  return { ...inQuery, ...inBody, ...(kind && { kind }) };
}

/** Taken from the address, because the router's own parser does not read brackets as nesting. */
function pushInQuery(key: string, url: string): PushFields | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const query = url.slice(start + 1);
  const fields = fieldsUnder(key, parse(query, { parameterLimit: Infinity })); // an address is short anyway
  if (fields) assertDecodable(query);
  return fields;
}

function fieldsUnder(key: string, value: unknown): PushFields | undefined {
  const fields = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(fields) && Object.keys(fields).length > 0 ? fields : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What cannot be decoded would be left as it is in silence, `%E9` and all. */
function assertDecodable(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw new BadRequestException('The address is not well-formed.');
  }
}

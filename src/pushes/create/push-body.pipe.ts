import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable, UnprocessableEntityException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { User } from '../../auth/entities/user.entity.js';
import { FileRules } from '../../files/file-rules.js';
import { FilesService } from '../../files/files.service.js';
import type { Upload } from '../../files/upload.js';
import { UploadQuota } from '../../files/upload-quota.js';
import { UploadReceiver } from '../../files/upload-receiver.js';
import { BODY_LIMIT, JSON_BODY_LIMIT_WITH_TOKEN } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import { mediaType } from '../../platform/http/body/media-type.js';
import { validationPipe } from '../../platform/http/validation/validation.pipe.js';
import { CreatePushDto } from './create-push.dto.js';
import { PushRules } from './push-rules.js';
import { MailRules } from './mail-rules.js';
import type { BodyRoot, PushFields } from '../fields/push-fields.js';
import { fieldsUnder, pushFields } from '../fields/push-fields.js';
import { toBoolean } from '../fields/field-decorators.js';

const FILES_FIELD = /^[a-z_]+\[files\](\[\d*\])?$/;

interface PushBodyOptions extends BodyRoot {
  /** Changes the fields before they are validated, or rejects them. */
  prepare?: (fields: PushFields, request: Request) => void;
  /** Whether a body that is too long is rejected only at its first file: for a form that is shown again. */
  rejectsAtFirstFile?: boolean;
}

interface PushBody extends PushBodyOptions {
  request: Request;
  response: Response;
}

/**
 * Reads and validates the push that a request asks to create, in any of the encodings. It runs after the guards, so
 * that no byte of an unauthorized request's body is read, and only on routes that accept a body: others ignore it.
 * It is not an interceptor, because those cost each create request 12 KB and 5 % of its CPU time.
 */
@Injectable()
export class PushBodyPipe implements PipeTransform<PushBody, Promise<CreatePushDto>> {
  constructor(
    private readonly reader: BodyReader,
    private readonly files: FilesService,
    private readonly fileRules: FileRules,
    private readonly rules: PushRules,
    private readonly mailRules: MailRules,
    private readonly quota: UploadQuota,
  ) {}

  async transform(body: PushBody): Promise<CreatePushDto> {
    if (mediaType(body.request) === 'multipart/form-data') return this.readUpload(body);
    return this.validated(body, await this.read(body));
  }

  private read({ request, response }: PushBody): Promise<unknown> {
    return this.reader.jsonOrForm(request, response, {
      jsonLimit: request.user ? JSON_BODY_LIMIT_WITH_TOKEN : BODY_LIMIT,
      formLimit: BODY_LIMIT,
      types: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    });
  }

  /** Discards the uploaded files when the push is rejected. */
  private async readUpload(body: PushBody): Promise<CreatePushDto> {
    const { request, response, key, rejectsAtFirstFile = false } = body;
    const { user } = request as { user?: User };
    const remaining = await this.quota.remaining(user?.id);
    const upload = this.files.beginUpload();
    try {
      const receiver = new UploadReceiver(
        upload,
        this.fileRules,
        user !== undefined,
        FILES_FIELD,
        remaining,
        this.quota,
        rejectsAtFirstFile,
        () => saysClientEncrypted(fieldsUnder(key, request.body)), // multer adds fields to it as they arrive
      );
      const form = await this.reader.multipart(request, response, BODY_LIMIT, receiver);
      const push = await this.validated(body, upload.files.length > 0 ? withFiles(upload, form, key) : form);
      if (response.headersSent)
        throw new Error('Another parameter of the route was rejected in the meantime.');
      return push;
    } catch (error) {
      await upload.discard(error);
      throw error;
    }
  }

  /** Sets `request.body` to the fields before validation, for pages that show the form again. */
  private async validated(options: PushBody, body: unknown): Promise<CreatePushDto> {
    const { request, prepare } = options;
    const user = request.user as User | undefined;
    const fields = pushFields(body, request.url, options);
    request.body = fields;
    if (this.fileRules.isEnabled && hasFiles(fields)) {
      this.fileRules.assertAllowed(request.user !== undefined);
    }
    this.mailRules.assertAllowed(fields, user);
    prepare?.(fields, request);
    const push = (await validationPipe.transform(fields, {
      type: 'body',
      metatype: CreatePushDto,
    })) as CreatePushDto;
    const problems = this.rules.problemsOf(push);
    if (Object.keys(problems).length > 0) throw new UnprocessableEntityException(problems);
    push.notify_on ??= this.mailRules.defaultNotices(user);
    return push;
  }
}

const Body = createParamDecorator((options: PushBodyOptions, context): PushBody => {
  const http = context.switchToHttp();
  return { ...options, request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

/** Parameter decorator: the push that a request asks to create. */
export const RequestedPush = (options: PushBodyOptions = { key: 'push' }) => Body(options, PushBodyPipe);

function hasFiles({ files, kind }: PushFields): boolean {
  return (files ?? undefined) !== undefined || kind === 'file';
}

/**
 * Whether fields that have not been validated contain `client_encrypted`. If a client sends that after its files, the
 * push is rejected later.
 */
function saysClientEncrypted(fields: PushFields | undefined): boolean {
  return toBoolean(fields?.client_encrypted) === true;
}

/** The form with its files added to the push, which is created if missing. Validation rejects a non-object later. */
function withFiles(upload: Upload, form: PushFields, key: string): PushFields {
  const push = form[key] ?? {};
  return typeof push === 'object' ? { ...form, [key]: { ...push, files: upload } } : form;
}

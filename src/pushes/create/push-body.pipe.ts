import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable, UnprocessableEntityException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FileRules } from '../../files/file-rules.js';
import { FilesService } from '../../files/files.service.js';
import { Upload } from '../../files/upload.js';
import { UploadQuota } from '../../files/upload-quota.js';
import type { UploadAllowance } from '../../files/upload-receiver.js';
import { UploadReceiver } from '../../files/upload-receiver.js';
import { BODY_LIMIT, JSON_BODY_LIMIT_WITH_TOKEN } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import type { Problem } from '../../platform/errors/problem.js';
import { mediaType } from '../../platform/http/body/media-type.js';
import { validationPipe } from '../../platform/http/validation/validation.pipe.js';
import { CreatePushDto } from './create-push.dto.js';
import type { CreationWay } from './creation-policy.js';
import { CreationPolicies } from './creation-policy.js';
import { PushRules } from './push-rules.js';
import type { BodyRoot, PushFields } from '../fields/push-fields.js';
import { fieldsUnder, pushFields, toBoolean, isAbsent } from '../fields/push-fields.js';

const FILES_FIELD = /^[a-z_]+\[files\](\[\d*\])?$/;

/** An answer, which becomes a push of the account that asked. */
export interface AnswerBody {
  files: UploadAllowance;
  /** Whether its client must encrypt it to the age recipient of the request. */
  isEncrypted: boolean;
}

/** The fields of an answer that count; the request decides all others. */
const OF_ANSWER = ['payload', 'files'];

export interface PushBodyOptions extends BodyRoot {
  /** Changes the fields before they are validated, or rejects them. */
  prepare?: (fields: PushFields, request: Request) => void;
  /** How an answer to a request of another account is read, in place of a push of the visitor's own. */
  answer?: (request: Request) => AnswerBody;
  /** By which way it comes; by default the API. */
  way?: CreationWay;
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
    private readonly quota: UploadQuota,
    private readonly policies: CreationPolicies,
  ) {}

  async transform(body: PushBody): Promise<CreatePushDto> {
    if (!body.answer) (await this.policies.of(body.request)).assertMayCreate();
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
    const answer = body.answer?.(request);
    const upload = this.files.beginUpload();
    try {
      const receiver = new UploadReceiver(
        upload,
        this.fileRules,
        await this.allowance(body),
        FILES_FIELD,
        rejectsAtFirstFile,
        () => answer?.isEncrypted ?? saysClientEncrypted(fieldsUnder(key, request.body)), // multer adds fields to it as they arrive
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
    const { request, prepare, way = 'api' } = options;
    const { user } = request;
    const answer = options.answer?.(request);
    const given = pushFields(body, request.url, options);
    const fields = answer ? fieldsOfAnswer(given, answer) : given;
    request.body = fields;
    if (this.fileRules.isEnabled && hasFiles(fields)) this.assertMayAttach(options);
    this.rules.assertMayHaveMails(fields, user);
    prepare?.(fields, request);
    const push = await validate(fields);
    const policy = answer ? undefined : await this.policies.of(request);
    policy?.fillIn(push, this.rules, way);
    const problems = {
      ...policy?.problemsOf(push, this.rules, way),
      ...this.rules.problemsOf(push, answer && 'recipient'),
    };
    if (Object.keys(problems).length > 0)
      throw new UnprocessableEntityException(
        answer && 'response' in given ? problemsOfAnswer(problems) : problems,
      );
    push.notify_on ??= this.rules.defaultNotices(user);
    return push;
  }

  /** Before files are read or checked: whether this visitor may attach any. */
  private assertMayAttach({ answer, request }: PushBody): void {
    if (answer) answer(request).files.assertAllowed();
    else this.fileRules.assertAllowed(request.user !== undefined);
  }

  private async allowance(body: PushBody): Promise<UploadAllowance> {
    if (body.answer) return body.answer(body.request).files;
    const remaining = await this.quota.remaining(body.request.user?.id);
    return {
      assertAllowed: () => {
        this.assertMayAttach(body);
      },
      remaining,
      exceededError: () => this.quota.exceededError(),
    };
  }
}

const Body = createParamDecorator((options: PushBodyOptions, context): PushBody => {
  const http = context.switchToHttp();
  return { ...options, request: http.getRequest<Request>(), response: http.getResponse<Response>() };
});

/** Parameter decorator: the push that a request asks to create. */
export const RequestedPush = (options: PushBodyOptions = { key: 'push' }) => Body(options, PushBodyPipe);

/**
 * Validates the fields, without an `Upload` among them: the pipe closes the gaps of all arrays that it can reach, and
 * from an upload it would reach the services of the app.
 */
async function validate(fields: PushFields): Promise<CreatePushDto> {
  const { files, ...others } = fields;
  const isUpload = files instanceof Upload;
  const push = (await validationPipe.transform(isUpload ? others : fields, {
    type: 'body',
    metatype: CreatePushDto,
  })) as CreatePushDto;
  return isUpload ? Object.assign(push, { files }) : push;
}

/** Clients call the secret of an answer `response`; pages call it `payload`. */
function fieldsOfAnswer(given: PushFields, { isEncrypted }: AnswerBody): PushFields {
  const fields = { ...given, payload: given.response ?? given.payload };
  const counting = Object.entries(fields).filter(([name]) => OF_ANSWER.includes(name));
  return { ...Object.fromEntries(counting), client_encrypted: isEncrypted };
}

function problemsOfAnswer({ payload, ...others }: Record<string, Problem[]>): Record<string, Problem[]> {
  return payload ? { response: payload, ...others } : others;
}

function hasFiles({ files, kind }: PushFields): boolean {
  return !isAbsent(files) || kind === 'file';
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

import type { HttpException, PipeTransform, Type } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ArrivedFilesFinder } from '../../files/arrived-files.js';
import { FilesService } from '../../files/files.service.js';
import { Upload } from '../../files/upload.js';
import type { UploadAllowance } from '../../files/upload-receiver.js';
import { UploadReceiver, UploadQuota } from '../../files/upload-receiver.js';
import { contributedProvider, Contributions } from '../../platform/contributions/contributions.js';
import { BODY_LIMIT, JSON_BODY_LIMIT_WITH_TOKEN } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import { mediaType } from '../../platform/http/body/media-type.js';
import type { Problem } from '../../platform/errors/problem.js';
import { assertValid, dtoFrom, isAbsent, toBoolean } from '../../platform/http/validation/validation.pipe.js';
import type { NewPush } from './create-push.dto.js';
import { CreatePushDto, isNoList } from './create-push.dto.js';
import type { CreationPolicy, CreationWay } from './creation-policy.js';
import { CreationPolicies } from './creation-policy.js';
import { PushRules } from './push-rules.js';
import type { BodyRoot, PushFields } from '../fields/push-fields.js';
import { fieldsRead, fieldsUnder, pushFields } from '../fields/push-fields.js';

/** Characters of the URL of an upload. */
const MAX_UPLOAD_NAME = 2048;

const FILES_FIELD = /^[a-z_]+\[files\](\[\d*\])?$/;

/** How a route reads a push. */
interface PushBodyOptions extends BodyRoot {
  /**
   * Changes the fields of a form before they are validated, or rejects them. The form is shown again when it is
   * rejected, so a body that is too long is rejected only at its first file.
   */
  prepareForm?: (fields: PushFields) => void;
}

/** A request that creates a push: what is known of it so far, also for pages that show its form again. */
export interface CreationRequest {
  readonly request: Request;
  readonly response: Response;
  readonly options: PushBodyOptions;
  /** Unless nothing may be created. */
  source?: PushSource;
  /** The fields of the push that could be read, not validated. */
  fields?: PushFields;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by `@RequestedPush()`. */
    creation?: CreationRequest;
  }
}

export type Sourced<Source extends PushSource = PushSource> = CreationRequest & { source: Source };

/** A request that creates a push, and that push. */
export interface Creation<Source extends PushSource> extends CreationRequest {
  source: Source;
  fields: PushFields;
  push: NewPush;
}

/** Who creates a push, and what applies to it beside the rules for every push. One for each request. */
export interface PushSource {
  /** The account that the push will belong to; undefined without one. */
  readonly ownerId: string | undefined;
  /** What the visitor may create; undefined if that does not depend on the visitor. */
  readonly policy?: CreationPolicy;
  /**
   * A limit of all files together, beside those of the instance and of the account. `of` names what has it: uploads that
   * were begun for the same, and that no push has taken yet, count too.
   */
  readonly filesLimit?: { of: string; bytes: number; exceededError: () => HttpException };
  /** Throws when no files may be attached: called before the first byte of a file is read. */
  assertMayAttach(): void;
  /** Throws when the fields ask for mails that may not be sent. */
  assertMayHaveMails?(fields: PushFields): void;
  /** Whether the files must be those of a client that has encrypted them, by the fields that came before them. */
  mustBeEncrypted(fields: PushFields | undefined): boolean;
  /** The fields that count, of those that were sent; by default all. */
  fieldsOf?(sent: PushFields): PushFields;
  /** Fills in what the push does not say, before it is checked. */
  fillIn?(push: CreatePushDto): void;
  /** What is wrong with the push, by the names of its fields in `sent`. */
  problemsOf(push: CreatePushDto, sent: PushFields): Record<string, Problem[]>;
}

/** Finds the source of a request. It throws when nothing may be created: nothing of the body has been read yet. */
export type SourcePipe<Source extends PushSource> = PipeTransform<CreationRequest, Promise<Sourced<Source>>>;

/** Finds the source of the push that a file is uploaded for, before there is the push, by what names that. */
export interface UploadSource {
  sourceFor(name: string, request: Request): Promise<PushSource>;
}

/** For such a provider. Its argument is the key under which the metadata of uploads have the name. */
export const UploadSource = contributedProvider<UploadSource, string>();

/** A visitor who creates a push of their own. */
export class VisitorSource implements PushSource {
  constructor(
    readonly policy: CreationPolicy,
    private readonly way: CreationWay,
    protected readonly rules: PushRules,
    protected readonly request: Request,
  ) {}

  get ownerId(): string | undefined {
    return this.request.user?.id;
  }

  assertMayAttach(): void {
    this.rules.files.assertAllowed(this.request.user !== undefined);
  }

  assertMayHaveMails(fields: PushFields): void {
    this.rules.assertMayHaveMails(fields, this.request.user);
  }

  /** If a client sends `client_encrypted` after its files, the push is rejected later. */
  mustBeEncrypted(fields: PushFields | undefined): boolean {
    return toBoolean(fields?.client_encrypted) === true;
  }

  fillIn(push: CreatePushDto): void {
    this.policy.fillIn(push, this.rules, this.way);
    push.notify_on ??= this.rules.defaultNotices(this.request.user);
  }

  problemsOf(push: CreatePushDto): Record<string, Problem[]> {
    return { ...this.policy.problemsOf(push, this.rules, this.way), ...this.rules.problemsOf(push) };
  }
}

/** For routes of the API. */
@Injectable()
export class ApiSourcePipe implements SourcePipe<VisitorSource> {
  constructor(
    private readonly policies: CreationPolicies,
    private readonly rules: PushRules,
  ) {}

  async transform(creation: CreationRequest): Promise<Sourced<VisitorSource>> {
    const policy = await this.policies.of(creation.request);
    policy.assertMayCreate();
    return Object.assign(creation, {
      source: new VisitorSource(policy, 'api', this.rules, creation.request),
    });
  }
}

/**
 * Reads and validates the push that a request asks to create, in any of the encodings. It runs after the guards, so
 * that no byte of an unauthorized request's body is read, and only on routes that accept a body: others ignore it.
 * It is not an interceptor, because those cost each create request 12 KB and 5 % of its CPU time.
 */
@Injectable()
class PushBodyPipe implements PipeTransform {
  constructor(
    private readonly reader: BodyReader,
    private readonly files: FilesService,
    private readonly rules: PushRules,
    private readonly quota: UploadQuota,
    private readonly contributions: Contributions,
  ) {}

  async transform<Source extends PushSource>(creation: Sourced<Source>): Promise<Creation<Source>> {
    const push =
      mediaType(creation.request) === 'multipart/form-data'
        ? await this.readUpload(creation)
        : await this.validated(creation, await this.read(creation));
    return Object.assign(creation, { push: this.rules.newPushFrom(push), fields: creation.fields ?? {} });
  }

  private read({ request, response }: CreationRequest): Promise<unknown> {
    return this.reader.jsonOrForm(request, response, {
      jsonLimit: request.user ? JSON_BODY_LIMIT_WITH_TOKEN : BODY_LIMIT,
      formLimit: BODY_LIMIT,
      types: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    });
  }

  /** Discards the uploaded files when the push is rejected. */
  private async readUpload(creation: Sourced): Promise<CreatePushDto> {
    const { request, response, source } = creation;
    const { key, prepareForm } = creation.options;
    const upload = this.files.beginUpload();
    try {
      const receiver = new UploadReceiver(
        upload,
        this.rules.files,
        await this.allowance(source),
        FILES_FIELD,
        prepareForm !== undefined,
        () => source.mustBeEncrypted(fieldsUnder(key, request.body)), // multer adds fields to it as they arrive
      );
      const form = await this.reader.multipart(request, response, BODY_LIMIT, receiver);
      const push = await this.validated(
        creation,
        upload.files.length > 0 ? withFiles(upload, form, key) : form,
      );
      if (response.headersSent)
        throw new Error('Another parameter of the route was rejected in the meantime.');
      return push;
    } catch (error) {
      creation.fields ??= fieldsRead(key, request.body);
      await upload.discard(error);
      throw error;
    }
  }

  private async validated(creation: Sourced, body: unknown): Promise<CreatePushDto> {
    const { request, source, options } = creation;
    const sent = pushFields(body, request.url, options);
    const fields = source.fieldsOf?.(sent) ?? sent;
    creation.fields = fields;
    if (this.rules.files.isEnabled && hasFiles(fields)) source.assertMayAttach();
    source.assertMayHaveMails?.(fields);
    options.prepareForm?.(fields);
    const push = dtoFrom(CreatePushDto, fields);
    source.fillIn?.(push);
    if (isNoList(push.uploads)) push.uploads = undefined;
    else if (this.rules.files.isEnabled) push.uploads = await this.arrived(push.uploads, request);
    assertValid(source.problemsOf(push, sent));
    return push;
  }

  /** The files that these name; what is named if nothing here receives files before their push, or nothing can be a name. */
  private async arrived(names: unknown, request: Request): Promise<unknown> {
    const [finder] = this.contributions.all(ArrivedFilesFinder);
    const list: unknown[] = Array.isArray(names) ? names : [names];
    const areNames = list.length <= this.rules.files.maxFiles && list.every(isName);
    return finder && areNames ? await finder.find(list, request.user?.id, new Date()) : names;
  }

  private async allowance(source: PushSource): Promise<UploadAllowance> {
    const ofAccount = await this.quota.remaining(source.ownerId);
    const limit = source.filesLimit ?? { bytes: Infinity, exceededError: () => this.quota.exceededError() };
    return {
      assertAllowed: () => {
        source.assertMayAttach();
      },
      remaining: Math.min(ofAccount, limit.bytes),
      exceededError: () => (ofAccount < limit.bytes ? this.quota.exceededError() : limit.exceededError()),
    };
  }
}

const Begin = createParamDecorator((options: PushBodyOptions, context): CreationRequest => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  request.creation = { request, response: http.getResponse<Response>(), options };
  return request.creation;
});

/** Parameter decorator: the push that a request asks to create, by the rules of its source. */
export const RequestedPush = (
  source: Type<SourcePipe<PushSource>>,
  options: PushBodyOptions = { key: 'push' },
) => Begin(options, source, PushBodyPipe);

function hasFiles({ files, uploads, kind }: PushFields): boolean {
  return !isAbsent(files) || !isNoList(uploads) || kind === 'file';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_UPLOAD_NAME;
}

/** The form with its files added to the push, which is created if missing. Validation rejects a non-object later. */
function withFiles(upload: Upload, form: PushFields, key: string): PushFields {
  const push = form[key] ?? {};
  return typeof push === 'object' ? { ...form, [key]: { ...push, files: upload } } : form;
}

import type { HttpException, PipeTransform } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Problem } from '../../platform/errors/problem.js';
import type { BodyRoot, PushFields } from '../fields/push-fields.js';
import { toBoolean } from '../fields/push-fields.js';
import type { CreatePushDto, NewPush } from './create-push.dto.js';
import type { CreationPolicy } from './creation-policy.js';
import { CreationPolicies } from './creation-policy.js';
import type { CreationWay } from './requirements.js';
import { PushRules } from './push-rules.js';

/** How a route reads a push. */
export interface PushBodyOptions extends BodyRoot {
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
  /** A limit of all files together, beside those of the instance and of the account. */
  readonly filesLimit?: { bytes: number; exceededError: () => HttpException };
  /** Throws when no files may be attached: called before the first byte of a file is read. */
  assertMayAttach(): void;
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

/** A visitor who creates a push of their own. */
export class VisitorSource implements PushSource {
  constructor(
    readonly policy: CreationPolicy,
    private readonly way: CreationWay,
    private readonly rules: PushRules,
    protected readonly request: Request,
  ) {}

  get ownerId(): string | undefined {
    return this.request.user?.id;
  }

  assertMayAttach(): void {
    this.rules.files.assertAllowed(this.request.user !== undefined);
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

import { Injectable, ConflictException, HttpException, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import type { User } from '../../auth/entities/user.entity.js';
import { newToken, digestOf } from '../../platform/random/random.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { NOT_FOR_UNKNOWN_USERS, partsOf } from '../../pushes/fields/list-fields.js';
import { emailToName } from '../../auth/entities/emails.js';
import { PushRules, MailsNeedAccount } from '../../pushes/create/push-rules.js';
import type { CreationPolicy } from '../../pushes/create/creation-policy.js';
import { CreationPolicies } from '../../pushes/create/creation-policy.js';
import { Problem, problemOf } from '../../platform/errors/problem.js';
import { Settings } from '../../platform/settings/settings.js';
import type { EnteredFields, VisitorRules } from './form-options.js';
import { optionsInQuery, pathWithOptions } from './form-options.js';
import { typedIn, withMissing, isKnown, isNamed, prepareHomeFields } from './form-fields.js';
import type { FieldErrors } from '../components/fields.js';
import { Home } from './home.js';
import type { Resend } from './resend.js';
import type { FormOwner, CreatedResponse } from '../../shared/form-responses.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import type { FormRejection } from '../forms/form.js';
import { rejectionFor, ShowsAgain } from '../forms/form.js';
import { AnonymousPage, PublicPage } from '../../auth/access.decorators.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import type { NewPush } from '../../pushes/create/create-push.dto.js';
import { RequestedPush } from '../../pushes/create/push-body.pipe.js';
import type { Creation, CreationRequest, Sourced, SourcePipe } from '../../pushes/create/push-source.js';
import { VisitorSource } from '../../pushes/create/push-source.js';
import { IdempotentCreationsService } from '../../pushes/create/idempotent-creations.service.js';
import { MayNotCreate } from '../components/message.js';
import { asksForJson, PageResponse, PageController, ReturnAfterSignIn } from '../pages/page-controller.js';
import { OptionsReader } from './sign-in-first.page.js';
import { CurrentUser, idempotencyKeyOf } from '../pages/parameters.js';
import { Created } from './created.page.js';
import { Upload } from '../../files/upload.js';
import { mailedQuery } from '../pages/paths.js';

/** The form that creates pushes, either empty or with the errors of a rejected submission. */
@Injectable()
export class HomeForm {
  constructor(
    private readonly rules: PushRules,
    private readonly policies: CreationPolicies,
    private readonly settings: Settings,
  ) {}

  /** The empty form, with the options that its address proposes. */
  viewWith(request: Request, policy: CreationPolicy): VNode {
    return this.view(request, policy, optionsInQuery(request.query, this.rulesWithin(policy)));
  }

  /** The form as it was sent, without what must not be sent back. */
  viewAgain(request: Request, fields: PushFields, errors: FieldErrors, resend?: Resend): VNode {
    const { user, creation } = request;
    const policy = creation?.source?.policy ?? this.policies.withoutGroup(request);
    const before = hasOtherOwner(fields, user) ? { account_before: sentMark(fields) } : undefined;
    const shown = withMissing(this.withReason(errors, user), fields);
    return this.view(request, policy, { ...typedIn(fields), ...before }, shown, resend);
  }

  private view(
    { user }: Request,
    policy: CreationPolicy,
    typed: EnteredFields,
    errors?: FieldErrors,
    resend?: Resend,
  ): VNode {
    const rules = this.rulesWithin(policy);
    const hiddenFields = {
      account: formOwnerFor(user).mark,
      idempotency_key: typed.idempotency_key ?? newToken(),
    };
    return (
      <Home
        rules={rules}
        filesNeedSignIn={this.filesNeedSignIn(user)}
        endToEnd={policy.requires('encryption', 'pages') ? 'required' : this.settings.END_TO_END}
        notices={this.rules.defaultNotices(user)}
        sender={user && emailToName(user)}
        form={pathWithOptions(typed, rules)}
        hiddenFields={hiddenFields}
        typed={typed}
        errors={errors}
        resend={resend}
      />
    );
  }

  private rulesWithin(policy: CreationPolicy): VisitorRules {
    return { ...this.rules, ...policy.within(this.rules), required: policy.requiredFields('pages') };
  }

  /** Who has to sign in for files learns that, whatever else is wrong with them. */
  private withReason(errors: FieldErrors, user: User | undefined): FieldErrors {
    if (!errors.files || !this.filesNeedSignIn(user)) return errors;
    return { ...errors, files: [new Problem('files_need_token')] };
  }

  private filesNeedSignIn(user: User | undefined): boolean {
    return this.rules.files.needSignIn(user !== undefined);
  }
}

/** A visitor who creates a push by the form. */
class FormSource extends VisitorSource {
  readonly idempotencyKey = idempotencyKeyOf(this.request);
}

/** For the form. Where only accounts may create pushes, its options are read, to show them again. */
@Injectable()
class FormSourcePipe implements SourcePipe<FormSource> {
  constructor(
    private readonly policies: CreationPolicies,
    private readonly rules: PushRules,
    private readonly options: OptionsReader,
  ) {}

  async transform(creation: CreationRequest): Promise<Sourced<FormSource>> {
    const { request, response } = creation;
    const policy = await this.policies.of(request);
    if (policy.refusal === 'sign in') {
      if (!asksForJson(request)) creation.fields = await this.options.read(request, response);
      throw new SignInNeeded();
    }
    const source = new FormSource(policy, 'pages', this.rules, request);
    policy.assertMayCreate();
    return Object.assign(creation, { source });
  }
}

/** The page where pushes are created. */
@PageController()
export class HomeController {
  constructor(
    private readonly form: HomeForm,
    private readonly creations: IdempotentCreationsService,
    private readonly policies: CreationPolicies,
  ) {}

  @Get()
  @ReturnAfterSignIn()
  @AnonymousPage()
  async show(@Req() request: Request): Promise<PageResponse> {
    const policy = await this.policies.of(request);
    const { refusal } = policy;
    if (refusal === 'sign in') throw new SignInNeeded();
    if (refusal) return new PageResponse(<MayNotCreate problem={refusal} />, 403);
    return new PageResponse(this.form.viewWith(request, policy));
  }

  @Post()
  @PublicPage()
  @ShowsAgain({
    again: ({ form }: HomeController, { request, errors }) =>
      form.viewAgain(request, request.creation?.fields ?? {}, errors),
    rejectionFor: rejectionOfPush,
  })
  async create(
    @RequestedPush(FormSourcePipe, { key: 'push', prepareForm: prepareHomeFields })
    { source, fields, push }: Creation<FormSource>,
    @CurrentVisitor() visitor: Visitor,
    @CurrentUser() user: User | undefined,
  ): Promise<PageResponse> {
    const newPush = { ...push, namesSender: isNamed(fields) };
    const key = source.idempotencyKey ?? formKey(fields, newPush);
    const mailed = newPush.mailedTo ? partsOf(newPush.mailedTo).length : 0;
    const created = await this.creations.create(key, newPush, visitor, () => {
      assertSameOwner(fields, user);
    });
    return new PageResponse(<Created {...created} mailed={mailed} />, 201, () =>
      createdResponse(created, mailed),
    );
  }
}

const MARK_LENGTH = 16;

/** The visitor's account is not the one to which the form was shown. */
class OwnerChanged extends ConflictException {
  constructor() {
    super(new Problem('owner_changed'));
  }
}

/** @throws OwnerChanged */
function assertSameOwner(fields: PushFields, user: User | undefined): void {
  if (hasOtherOwner(fields, user)) throw new OwnerChanged();
}

/** The mark in the form, which is compared when the form is sent. */
function formOwnerFor(user: User | undefined): FormOwner {
  const mark = user ? digestOf(`The form of ${user.id}`).slice(0, MARK_LENGTH) : '';
  return { mark, email: user?.email };
}

/** The mark that a form was sent with, of the length of any mark. */
function sentMark({ account }: PushFields): string {
  return String(account).slice(0, MARK_LENGTH);
}

/**
 * Whether a form was shown to another visitor. One without a mark was shown to nobody: it comes from a program. A form
 * that was rejected because of this has two marks: after that, either account is the visitor's choice.
 */
function hasOtherOwner({ account, account_before }: PushFields, user: User | undefined): boolean {
  return account !== undefined && ![account, account_before].includes(formOwnerFor(user).mark);
}

/** What is wrong with the form where the API would reject the push. */
function rejectionOfPush(error: unknown, request: Request): FormRejection | undefined {
  if (!(error instanceof HttpException)) return undefined;
  const { user, creation } = request;
  const fields = creation?.fields ?? {};
  switch (error.getStatus()) {
    case 401:
      if (error instanceof SignInNeeded) return undefined;
      if (hasOtherOwner(fields, user)) return ownerChanged(user);
      return { errors: { files: [problemOf(error)] } };
    case 409:
      if (error instanceof OwnerChanged) return ownerChanged(user);
      return { errors: { form: [problemOf(error)] }, status: 409 };
    case 400:
    case 413:
      if (!isKnown(fields)) return undefined;
      return { errors: { form: [problemOf(error)] }, status: error.getStatus() };
    default:
      if (!(error instanceof MailsNeedAccount)) return rejectionFor(error, request);
      if (hasOtherOwner(fields, user)) return ownerChanged(user);
      return { errors: { form: [NOT_FOR_UNKNOWN_USERS.emails] } };
  }
}

function ownerChanged(user: User | undefined): FormRejection {
  return { errors: { form: [new Problem('owner_changed')] }, status: 409, owner: formOwnerFor(user) };
}

const KEY = /^[\w-]{22,64}$/;

/**
 * The idempotency key of a form that was sent without a script. It includes the content: a form that was changed after
 * the Back button creates another push, and one that is only sent again does not.
 */
function formKey({ idempotency_key: key }: PushFields, { files, ...options }: NewPush): string | undefined {
  if (typeof key !== 'string' || !KEY.test(key)) return undefined;
  const sent = files instanceof Upload ? files.files : files;
  return digestOf(JSON.stringify([key, options, sent?.map(({ name, size }) => [name, size])]));
}

interface CreatedPush {
  push: { url_token: string; client_encrypted?: true };
  deleteKey: string | undefined;
}

/** @param mailed how many recipients get the link by mail */
function createdResponse({ push, deleteKey }: CreatedPush, mailed: number): CreatedResponse {
  const page = `p/${push.url_token}/preview${mailedQuery(mailed)}`;
  return {
    path: deleteKey === undefined ? page : `${page}#delete=${deleteKey}`,
    client_encrypted: push.client_encrypted,
  };
}

import { InMenu } from '../pages/menus.js';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import {
  applyDecorators,
  Injectable,
  ConflictException,
  Get,
  Post,
  Req,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { catchError } from 'rxjs';
import type { VNode } from 'preact';
import type { User } from '../../auth/entities/user.entity.js';
import { newToken, digestOf } from '../../platform/random/random.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { fieldsRead } from '../../pushes/fields/push-fields.js';
import { NOT_FOR_UNKNOWN_USERS, partsOf, readMailedTo } from '../../pushes/fields/list-fields.js';
import { emailToName } from '../../auth/entities/emails.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import type { CreationPolicy } from '../../pushes/create/creation-policy.js';
import { CreationPolicies } from '../../pushes/create/creation-policy.js';
import { Problem } from '../../platform/errors/problem.js';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { Settings } from '../../platform/settings/settings.js';
import type { VisitorRules } from './form-options.js';
import { optionsInQuery, pathWithOptions } from './form-options.js';
import { typedIn, withMissing, isNamed, prepareHomeFields } from './form-fields.js';
import type { FieldErrors, FormFields } from '../components/filled-form.js';
import { withForm } from '../components/filled-form.js';
import { Home } from './home.js';
import type { Resend } from './resend.js';
import type { FormOwner, CreatedResponse } from '../../shared/form-responses.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import type { ShownAgain } from '../forms/form.js';
import { ShowsAgain } from '../forms/form.js';
import { AnonymousPage, PublicPage } from '../../auth/access.decorators.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor, VisitorPipe } from '../../platform/http/visitor.js';
import type { MailedTo } from '../../pushes/fields/list-fields.js';
import type { NewPush } from '../../pushes/create/create-push.dto.js';
import { isNoList } from '../../pushes/create/create-push.dto.js';
import { RequestedPush } from '../../pushes/create/push-body.pipe.js';
import type { Creation, CreationRequest, Sourced, SourcePipe } from '../../pushes/create/push-body.pipe.js';
import { VisitorSource } from '../../pushes/create/push-body.pipe.js';
import type { CreationResult } from '../../pushes/push/pushes.service.js';
import { IdempotentCreationsService } from '../../pushes/create/idempotent-creations.service.js';
import { MayNotCreate } from '../components/message.js';
import { asksForJson, PageResponse, PageController, ReturnAfterSignIn } from '../pages/page-controller.js';
import { OptionsReader } from './sign-in-first.page.js';
import { CurrentUser, idempotencyKeyOf } from '../pages/parameters.js';
import { Created } from './created.page.js';
import { Upload } from '../../files/upload.js';
import { withDone } from '../pages/paths.js';

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
    typed: FormFields,
    errors?: FieldErrors,
    resend?: Resend,
  ): VNode {
    const rules = this.rulesWithin(policy);
    const hiddenFields = {
      account: formOwnerFor(user).mark,
      idempotency_key: typed.idempotency_key ?? newToken(),
    };
    return withForm(
      { typed, errors },
      <Home
        rules={rules}
        filesNeedSignIn={this.filesNeedSignIn(user)}
        endToEnd={policy.requires('encryption', 'pages') ? 'required' : this.settings.END_TO_END}
        notices={this.rules.defaultNotices(user)}
        sender={user && emailToName(user)}
        form={pathWithOptions(typed, rules)}
        hiddenFields={hiddenFields}
        resend={resend}
      />,
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

/**
 * A visitor who creates a push by the form. Where an account is missing that the form was shown to, that is what is wrong.
 */
class FormSource extends VisitorSource {
  readonly idempotencyKey = idempotencyKeyOf(this.request);

  override assertMayAttach(): void {
    const { user, creation } = this.request;
    if (!user && this.rules.files.needSignIn(false)) {
      // while files arrive, the fields before them are in the body
      assertSameOwner(creation?.fields ?? fieldsRead('push', this.request.body), user);
    }
    super.assertMayAttach();
  }

  /** The form has no fields for mails without an account, so the error is about all of it. */
  override assertMayHaveMails(fields: PushFields): void {
    const { user } = this.request;
    if (!user && this.rules.mailFieldsOf(fields).length > 0) {
      assertSameOwner(fields, user);
      throw new InvalidFields({ form: NOT_FOR_UNKNOWN_USERS.emails });
    }
    super.assertMayHaveMails(fields);
  }
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

/** A form that is sent again with the same key may name uploads that its push has taken, because the response was lost. */
@Injectable()
class RepeatedFormInterceptor implements NestInterceptor {
  constructor(
    private readonly creations: IdempotentCreationsService,
    private readonly visitors: VisitorPipe,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const { fields = {} } = request.creation ?? {};
        const key = idempotencyKeyOf(request);
        if (!(error instanceof InvalidFields) || isNoList(fields.uploads) || key === undefined) throw error;
        const created = await this.creations.find(key, this.visitors.transform(request));
        if (!created) throw error;
        return pageOf(created, readMailedTo(fields));
      }),
    );
  }
}

/** The route of the form, which is shown again when it is rejected, unless it was sent before. */
const PostNewPush = (options: ShownAgain<HomeController>) =>
  applyDecorators(Post(), ShowsAgain(options), UseInterceptors(RepeatedFormInterceptor));

/** The page where pushes are created. */
@PageController()
export class HomeController {
  constructor(
    private readonly form: HomeForm,
    private readonly creations: IdempotentCreationsService,
    private readonly policies: CreationPolicies,
  ) {}

  @Get()
  @InMenu({ main: { text: 'site.share', position: 5, icon: 'plus' } })
  @ReturnAfterSignIn()
  @AnonymousPage()
  async show(@Req() request: Request): Promise<PageResponse> {
    const policy = await this.policies.of(request);
    const { refusal } = policy;
    if (refusal === 'sign in') throw new SignInNeeded();
    if (refusal) return new PageResponse(<MayNotCreate problem={refusal} />, 403);
    return new PageResponse(this.form.viewWith(request, policy));
  }

  @PostNewPush({
    again: ({ form }, { request, errors }) => form.viewAgain(request, request.creation?.fields ?? {}, errors),
    statuses: { 401: 422, 409: 409 },
  })
  @PublicPage()
  async create(
    @RequestedPush(FormSourcePipe, { key: 'push', prepareForm: prepareHomeFields })
    { source, fields, push }: Creation<FormSource>,
    @CurrentVisitor() visitor: Visitor,
    @CurrentUser() user: User | undefined,
  ): Promise<PageResponse> {
    const newPush = { ...push, namesSender: isNamed(fields) };
    const key = source.idempotencyKey ?? formKey(fields, newPush);
    const created = await this.creations.create(key, newPush, visitor, () => {
      assertSameOwner(fields, user);
    });
    return pageOf(created, newPush.mailedTo);
  }
}

/** @param mailedTo recipients who get the link by mail */
function pageOf(created: CreationResult, mailedTo: MailedTo | undefined): PageResponse {
  const mailed = mailedTo ? partsOf(mailedTo).length : 0;
  return new PageResponse(<Created {...created} mailed={mailed} />, 201, () =>
    createdResponse(created, mailed),
  );
}

const MARK_LENGTH = 16;

/** The visitor's account is not the one to which the form was shown. */
class OwnerChanged extends ConflictException {
  constructor(readonly owner: FormOwner) {
    super(new Problem('owner_changed'));
  }
}

/** @throws OwnerChanged */
function assertSameOwner(fields: PushFields, user: User | undefined): void {
  if (hasOtherOwner(fields, user)) throw new OwnerChanged(formOwnerFor(user));
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
  const preview = `p/${push.url_token}/preview`;
  const page = mailed === 0 ? preview : withDone(preview, 'mailed', { count: mailed });
  return {
    path: deleteKey === undefined ? page : `${page}#delete=${deleteKey}`,
    client_encrypted: push.client_encrypted,
  };
}

import { HttpException, Get, Post, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import type { User } from '../../auth/entities/user.entity.js';
import { MailsNeedAccount } from '../../pushes/create/mail-rules.js';
import { NOT_FOR_UNKNOWN_USERS, partsOf } from '../../pushes/link-mails/recipients.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import type { FormRejection } from '../forms/form.js';
import { rejectionFor, ShowsAgain } from '../forms/form.js';
import { Problem, problemOf } from '../../platform/errors/problem.js';
import { hasOtherOwner, OwnerChanged, formOwnerFor, assertSameOwner } from './form-owner.js';
import { HomeForm } from './home-form.js';
import { fieldsIn, isKnown, isNamed, prepareHomeFields } from './form-fields.js';
import { AnonymousPage, PublicPage } from '../../auth/access.decorators.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import type { CreatePushDto } from '../../pushes/create/create-push.dto.js';
import { RequestedPush } from '../../pushes/create/push-body.pipe.js';
import { CreationPolicies } from '../../pushes/create/creation-policies.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { IdempotentCreationsService } from '../../pushes/create/idempotent-creations.service.js';
import { MayNotCreate } from '../components/message.js';
import { PageResponse } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { SignInFirstInterceptor } from './sign-in-first.page.js';
import { CurrentIdempotencyKey, CurrentUser } from '../pages/parameters.js';
import { Created } from './created.page.js';
import { digestOf } from '../../platform/random/tokens.js';
import { Upload } from '../../files/upload.js';
import { readFiles } from '../../pushes/create/attached-files.js';
import { readNotices } from '../../pushes/push/notice-events.js';
import { mailedQuery } from '../pages/paths.js';
import type { CreatedResponse } from '../../shared/form-responses.js';

/** The page where pushes are created. */
@PageController()
export class HomeController {
  constructor(
    private readonly form: HomeForm,
    private readonly creations: IdempotentCreationsService,
    private readonly rules: PushRules,
    private readonly policies: CreationPolicies,
  ) {}

  @Get()
  @AnonymousPage()
  async show(@Req() request: Request): Promise<PageResponse> {
    const { refusal } = await this.policies.of(request);
    if (refusal === 'sign in') throw new SignInNeeded();
    if (refusal) return new PageResponse(<MayNotCreate problem={refusal} />, 403);
    return new PageResponse(this.form.viewWith(request));
  }

  @Post()
  @PublicPage()
  @UseInterceptors(SignInFirstInterceptor)
  @ShowsAgain({
    again: ({ form }: HomeController, { request, typed, errors }) =>
      form.viewAgain(request, fieldsIn(typed), errors),
    rejectionFor: rejectionOfPush,
  })
  async create(
    @RequestedPush({ key: 'push', way: 'pages', prepare: prepareHomeFields, rejectsAtFirstFile: true })
    form: CreatePushDto,
    @CurrentIdempotencyKey() scriptKey: string | undefined,
    @CurrentVisitor() visitor: Visitor,
    @CurrentUser() user: User | undefined,
    @Req() { body }: Request,
  ): Promise<PageResponse> {
    const fields = body as PushFields;
    const key = scriptKey ?? formKey(fields, form);
    const newPush = { ...this.rules.newPushFrom(form), namesSender: isNamed(fields) };
    const mailed = newPush.mailedTo ? partsOf(newPush.mailedTo).length : 0;
    const created = await this.creations.create(key, newPush, visitor, () => {
      assertSameOwner(fields, user);
    });
    return new PageResponse(<Created {...created} mailed={mailed} />, 201, () =>
      createdResponse(created, mailed),
    );
  }
}

/** What is wrong with the form where the API would reject the push. */
function rejectionOfPush(error: unknown, request: Request): FormRejection | undefined {
  if (!(error instanceof HttpException)) return undefined;
  const user = request.user as User | undefined;
  const fields: PushFields = fieldsIn(request.body);
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
function formKey(fields: PushFields, form: CreatePushDto): string | undefined {
  const { idempotency_key: key } = fields;
  if (typeof key !== 'string' || !KEY.test(key)) return undefined;
  const { files, notify_on, ...options } = form;
  const notices = readNotices(notify_on) ?? []; // the same for no boxes and for none of them
  const sent = readFiles(files);
  const attached = (sent instanceof Upload ? sent.files : sent)?.map(({ name, size }) => [name, size]);
  return digestOf(JSON.stringify([key, options, notices, attached, isNamed(fields)]));
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

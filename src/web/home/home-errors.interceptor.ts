import { HttpException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import type { User } from '../../auth/entities/user.entity.js';
import { MailsNeedAccount } from '../../pushes/create/mail-rules.js';
import { NOT_FOR_UNKNOWN_USERS } from '../../pushes/link-mails/recipients.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import type { FormErrorPage } from '../forms/form-errors.interceptor.js';
import { Problem } from '../../errors/problem.js';
import { problemOf } from '../../errors/problem-texts.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { hasOtherOwner, OwnerChanged, formOwnerFor } from './form-owner.js';
import { HomeForm } from './home-form.js';
import { fieldsIn, isKnown } from './returned-fields.js';
import type { FieldErrors } from '../views/fields.js';

/** Shows the form again with its errors where the API would reject the push. */
@Injectable()
export class HomeErrorsInterceptor extends FormErrorsInterceptor {
  constructor(private readonly form: HomeForm) {
    super();
  }

  protected view(errors: FieldErrors, body: unknown, user: User | undefined) {
    return this.form.viewAgain(user, fieldsIn(body), errors);
  }

  protected override errorPageFor(error: unknown, request: Request): FormErrorPage | undefined {
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
        if (!(error instanceof MailsNeedAccount)) return super.errorPageFor(error, request);
        if (hasOtherOwner(fields, user)) return ownerChanged(user);
        return { errors: { form: [NOT_FOR_UNKNOWN_USERS.emails] } };
    }
  }
}

function ownerChanged(user: User | undefined): FormErrorPage {
  return { errors: { form: [new Problem('owner_changed')] }, status: 409, owner: formOwnerFor(user) };
}

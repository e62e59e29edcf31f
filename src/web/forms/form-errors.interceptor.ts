import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { UnprocessableEntityException } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import type { Observable } from 'rxjs';
import { catchError } from 'rxjs';
import { AccountError } from '../../auth/errors/account-error.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { ScriptResponse } from '../pages/page-response.js';
import { PageResponse } from '../pages/page-response.js';
import type { FormOwner, FormErrorResponse } from './form-error-response.js';
import { errorText } from '../language/error-texts.js';
import type { Translator } from '../../texts/translator.js';
import type { FieldErrors } from '../views/fields.js';
import type { Form } from './form.js';
import { MAX_SHOWN_AGAIN } from './form.js';

/** What is shown with a form that is rejected. The status is 422 by default. */
export interface FormErrorPage {
  errors: FieldErrors;
  status?: number;
  /** Whose form it is now, if that has changed since it was shown. */
  owner?: FormOwner;
}

/** Shows a rejected form again, with the errors beside each field. */
export abstract class FormErrorsInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const errorPage = this.errorPageFor(error, request);
        if (!errorPage) throw error;
        const { errors, status = 422 } = errorPage;
        const view = this.view(errors, shownAgain(request.body), request.user as User | undefined, request);
        return new PageResponse(await view, status, scriptResponse(errorPage));
      }),
    );
  }

  /** The page with its form. It shows what was typed again, but never a secret. */
  protected abstract view(
    errors: FieldErrors,
    typed: Form,
    user: User | undefined,
    request: Request,
  ): VNode | Promise<VNode>;

  /** Undefined for an error that is not about the form. */
  protected errorPageFor(error: unknown, request: Request): FormErrorPage | undefined {
    if (error instanceof AccountError) return { errors: { [this.fieldOf(error, request)]: [error.problem] } };
    if (!(error instanceof UnprocessableEntityException)) return undefined;
    const { base: form, ...errors } = error.getResponse() as FieldErrors;
    return { errors: { ...errors, ...(form && { form }) } };
  }

  /** The field that the error of an account is shown next to; `form` is above the form. */
  // oxlint-disable-next-line no-unused-vars -- for those that override it
  protected fieldOf(_error: AccountError, _request: Request): string {
    return 'form';
  }
}

/** The fields of a push stay as they are: its form takes from them what it shows. */
function shownAgain(body: unknown): Form {
  const fields = Object.entries((body ?? {}) as Form);
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_SHOWN_AGAIN) : value,
    ]),
  );
}

function scriptResponse({ errors, owner }: FormErrorPage): ScriptResponse {
  return (texts): FormErrorResponse => ({ errors: translated(errors, texts), owner });
}

function translated(errors: FieldErrors, texts: Translator): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([name, problems = []]) => [
      name,
      problems.map((problem) => errorText(problem, texts)).join(' '),
    ]),
  );
}

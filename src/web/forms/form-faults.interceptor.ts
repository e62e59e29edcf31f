import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { UnprocessableEntityException } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import type { Observable } from 'rxjs';
import { catchError } from 'rxjs';
import type { User } from '../../auth/user.entity.js';
import type { ScriptAnswer } from '../page-answer.js';
import { PageAnswer } from '../page-answer.js';
import type { FormOwner, RefusedForm } from '../refused-form.js';
import { faultText } from '../texts/fault-texts.js';
import type { Translator } from '../texts/translator.js';
import type { Faults } from '../views/fields.js';
import type { Form } from './form.js';

/** What is shown with a form that is refused. The status is 422 by default. */
export interface FormRefusal {
  faults: Faults;
  status?: number;
  /** Whose form it is now, if that has changed since it was shown. */
  owner?: FormOwner;
}

/** Shows a refused form again, with the errors beside each field. */
export abstract class FormFaultsInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const refusal = this.refusalFor(error, request);
        if (!refusal) throw error;
        const { faults, status = 422 } = refusal;
        const view = this.view(faults, request.body as Form, request.user as User | undefined);
        return new PageAnswer(await view, status, refusedFor(refusal));
      }),
    );
  }

  /** The page with its form. It shows what was typed again, but never a secret. */
  protected abstract view(faults: Faults, typed: Form, user: User | undefined): VNode | Promise<VNode>;

  /** Undefined for an error that is not about the form. */
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- for those that override it
  protected refusalFor(error: unknown, _request?: Request): FormRefusal | undefined {
    if (!(error instanceof UnprocessableEntityException)) return undefined;
    return { faults: error.getResponse() as Faults };
  }
}

function refusedFor({ faults, owner }: FormRefusal): ScriptAnswer {
  return (texts): RefusedForm => ({ faults: translated(faults, texts), owner });
}

function translated(faults: Faults, texts: Translator): Record<string, string> {
  return Object.fromEntries(
    Object.entries(faults).map(([name, messages = []]) => [
      name,
      messages.map((message) => faultText(message, texts)).join(' '),
    ]),
  );
}

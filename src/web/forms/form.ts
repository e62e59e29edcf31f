import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import {
  applyDecorators,
  HttpException,
  Injectable,
  Post,
  UnprocessableEntityException,
  UseInterceptors,
} from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import type { Observable } from 'rxjs';
import { catchError } from 'rxjs';
import { IsOptional, isUUID } from 'class-validator';
import { AccountError } from '../../auth/errors/account-error.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { Session } from '../../auth/entities/session.entity.js';
import { ReauthenticationService } from '../../auth/second-factor/reauthentication.service.js';
import { WriteTooLarge } from '../../platform/database/errors/database-error.js';
import { fieldOf, Problem, problemOf } from '../../platform/errors/problem.js';
import { AccountQueues } from '../../platform/limits/account-queues.js';
import { closeSignal } from '../../platform/http/close-signal.js';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { CheckedBy } from '../../platform/http/validation/validation.pipe.js';
import { clientAddress } from '../../platform/http/visitor.js';
import type { FormErrorResponse, FormOwner } from '../../shared/form-responses.js';
import type { Translator } from '../../texts/translator.js';
import type { FieldErrors, FormFields } from '../components/filled-form.js';
import { withForm } from '../components/filled-form.js';
import { errorText } from '../language/error-texts.js';
import { PageResponse } from '../pages/page-controller.js';

/** Code units of a text that are shown again with a rejected form. None that is accepted has more. */
export const MAX_SHOWN_AGAIN = 10_000;

/** What is wrong with a form that is rejected. */
interface FormRejection {
  errors: FieldErrors;
  status: number;
  /** Some errors tell whose form it is now, because that has changed since it was shown. */
  error?: HttpException & { readonly owner?: FormOwner };
}

/** A form that was rejected, for the page that shows it again: in that form, `useForm` has its errors, and what was typed. */
export interface RejectedForm {
  errors: FieldErrors;
  /** What was typed, of which no secret may be shown again. */
  typed: FormFields;
  user?: User;
  request: Request;
}

/** One on a page that only signed-in users see. */
export type OwnRejectedForm = RejectedForm & { user: User };

/** How a form is shown again by `Page`, the controller of its route. */
export interface ShownAgain<Page> {
  /** The page with its form. */
  again(page: Page, form: RejectedForm): VNode | Promise<VNode>;
  /** The field that an error is shown next to if it names none; `form`, above the form, by default. */
  field?: string;
  /** With which other statuses of errors than 422 the form is shown again, and the status of the page for each. */
  statuses?: Readonly<Partial<Record<number, number>>>;
}

const Options = Reflector.createDecorator<ShownAgain<never>>();

/**
 * Shows a rejected form again, with the errors beside each field, by the controller that has shown it. The pages of an
 * account take their turn in its queue, as when they are loaded.
 */
@Injectable()
class RejectedFormInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly discovery: DiscoveryService,
    private readonly queues: AccountQueues,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const signal = closeSignal(http.getResponse<Response>());
    const options: ShownAgain<never> = this.reflector.get(Options, context.getHandler());
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const rejection = rejectionOf(error, options);
        if (!rejection) throw error;
        const { errors, status, error: exception } = rejection;
        const typed = shownAgain(request.body);
        const page = this.controller(context.getClass());
        const show = async () => options.again(page, { errors, typed, user: request.user, request });
        const view = await (request.user ? this.queues.run(request.user.id, signal, show) : show());
        const filled = { path: request.path.replace(/\/$/, ''), typed, errors };
        const forScript = (texts: Translator): FormErrorResponse => ({
          errors: translated(errors, texts),
          owner: exception?.owner,
        });
        return new PageResponse(withForm(filled, view), status, forScript, exception);
      }),
    );
  }

  private controller(type: Type): never {
    return this.discovery.getControllers().find(({ metatype }) => metatype === type)?.instance as never;
  }
}

/**
 * What is wrong with a form because of an error; undefined for an error that is not about the form. All forms use it, and
 * all other errors are shown by WebErrorPages.
 */
function rejectionOf(
  error: unknown,
  { field = 'form', statuses }: ShownAgain<never>,
): FormRejection | undefined {
  const at = (problem: Problem | string) => ({ [fieldOf(problem) ?? field]: [problem] });
  if (error instanceof AccountError) return { errors: at(error.problem), status: 422 };
  if (!(error instanceof HttpException) || error instanceof SignInNeeded) return undefined;
  if (error instanceof UnprocessableEntityException) {
    const { base: form, ...errors } = error.getResponse() as FieldErrors;
    return { errors: { ...errors, ...(form && { form }) }, status: 422 };
  }
  // any form may be read and be too large for the database only
  const status = error instanceof WriteTooLarge ? 413 : statuses?.[error.getStatus()];
  return status === undefined ? undefined : { errors: at(problemOf(error)), status, error };
}

/** The form of a push takes what it shows from `request.creation` instead. */
function shownAgain(body: unknown): FormFields {
  const fields = Object.entries((body ?? {}) as FormFields);
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_SHOWN_AGAIN) : value,
    ]),
  );
}

function translated(errors: FieldErrors, texts: Translator): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([name, problems = []]) => [
      name,
      problems.map((problem) => errorText(problem, texts)).join(' '),
    ]),
  );
}

/**
 * The id of what a form creates, as a field of its DTO. It is chosen when the form is shown: sending the form again
 * creates no second one. Where the response shows nothing that may be shown only once, an idempotency key does.
 */
export const FormId = () =>
  applyDecorators(
    IsOptional(),
    CheckedBy((id) => (isUUID(id, '7') ? undefined : new Problem('not_a_string'))),
  );

/** Bytes of the form of a route, by default `SHORT_FORM_LIMIT`. */
export const FormLimit = Reflector.createDecorator<number>();

/** Reads a form into `request.body`, after the guards. Anything but plain text fields is dropped. */
@Injectable()
class FormInterceptor implements NestInterceptor {
  constructor(
    private readonly reader: BodyReader,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const limit =
      (this.reflector.get(FormLimit, context.getHandler()) as number | undefined) ?? SHORT_FORM_LIMIT;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const fields = await this.reader.form(request, http.getResponse<Response>(), limit);
    request.body = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => typeof value === 'string'),
    );
    return next.handle();
  }
}

const AlwaysNeedsPassword = Reflector.createDecorator<boolean>();

/**
 * Checks the password and the second factor in a form, as far as they are needed. It runs before the rest of the form is
 * checked, so that a wrong one is counted whatever else is wrong.
 */
@Injectable()
class ReauthenticationInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly reauthentication: ReauthenticationService,
    private readonly publicUrl: PublicUrl,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const user = request.user as User;
    const session = request.authInfo as Session;
    const alwaysPassword: boolean = this.reflector.get(AlwaysNeedsPassword, context.getHandler());
    const given = request.body as FormFields;
    const claimant = { user, session, ip: clientAddress(request), baseUrl: this.publicUrl.of(request) };
    await this.reauthentication.check(claimant, given, alwaysPassword);
    return next.handle();
  }
}

/** Shows the form of a route again when it is rejected. */
export const ShowsAgain = <Page>(options: ShownAgain<Page>) =>
  applyDecorators(Options(options), UseInterceptors(RejectedFormInterceptor));

/** A route that accepts a form. One that cannot be read is not shown again. */
export const PostForm = <Page = never>(path: string | string[], options?: ShownAgain<Page>) =>
  applyDecorators(Post(path), UseInterceptors(FormInterceptor), ...(options ? [ShowsAgain(options)] : []));

/**
 * A route that accepts a form with the signed-in user's password, and with a second factor if the account has one and
 * the last one given is too old.
 */
export const PostConfirmedForm = <Page>(path: string, options: ShownAgain<Page>) =>
  applyDecorators(
    PostForm(path, options),
    AlwaysNeedsPassword(true),
    UseInterceptors(ReauthenticationInterceptor),
  );

/** A route that accepts a form with the password or a second factor only if the last one given is too old. */
export const PostReauthenticatedForm = <Page>(path: string, options: ShownAgain<Page>) =>
  applyDecorators(
    PostForm(path, options),
    AlwaysNeedsPassword(false),
    UseInterceptors(ReauthenticationInterceptor),
  );

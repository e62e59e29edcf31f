import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { HttpException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { catchError, of } from 'rxjs';
import type { User } from '../auth/user.entity.js';
import { HomeForm } from './home-form.js';
import type { Faults } from './views/fields.js';
import type { Typed } from './views/home.js';

/** What is shown again as it was typed: never the secret, nor its passphrase. */
const KEPT = [
  'kind',
  'expire_after_days',
  'expire_after_views',
  'retrieval_step',
  'deletable_by_viewer',
  'name',
  'note',
];

/** Where the API would refuse a push, shows its form again with what is wrong beside each field. */
@Injectable()
export class HomeFaultsInterceptor implements NestInterceptor {
  constructor(private readonly form: HomeForm) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(
      catchError((error: unknown) => {
        const faults = faultsOf(error);
        if (!faults) throw error;
        const user = request.user as User | undefined;
        return of(this.form.showAgain(user, typedIn(request.body), faults.fields, faults.status));
      }),
    );
  }
}

function faultsOf(error: unknown): { fields: Faults; status: number } | undefined {
  if (!(error instanceof HttpException)) return undefined;
  switch (error.getStatus()) {
    case 422:
      return { fields: error.getResponse() as Faults, status: 422 };
    case 401:
      return { fields: { files: ['Sign in to send files.'] }, status: 422 };
    case 400:
    case 413:
      return { fields: { form: [error.message] }, status: error.getStatus() };
    default:
      return undefined;
  }
}

/** The body as it came, or the fields of the push in it, whichever the reader got to. */
function typedIn(body: unknown): Typed {
  const whole = (body ?? {}) as { push?: unknown };
  const fields = (whole.push ?? whole) as Record<string, unknown>;
  return Object.fromEntries(
    KEPT.map((name) => [name, fields[name]]).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

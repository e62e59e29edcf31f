import { HttpException, Injectable } from '@nestjs/common';
import type { User } from '../auth/user.entity.js';
import type { FormRefusal } from './forms/form-faults.interceptor.js';
import { FormFaultsInterceptor } from './forms/form-faults.interceptor.js';
import { HomeForm } from './home-form.js';
import type { Faults } from './views/fields.js';
import type { Typed } from './views/home.js';

/** The fields that are shown again as they were typed: never the secret or its passphrase. */
const KEPT = [
  'kind',
  'expire_after_days',
  'expire_after_duration',
  'expire_after_views',
  'custom_views',
  'retrieval_step',
  'deletable_by_viewer',
  'name',
  'note',
];

/** Shows the form again with its errors where the API would refuse the push. */
@Injectable()
export class HomeFaultsInterceptor extends FormFaultsInterceptor {
  constructor(private readonly form: HomeForm) {
    super();
  }

  protected view(faults: Faults, body: unknown, user: User | undefined) {
    return this.form.view(user, typedIn(body), faults);
  }

  protected override refusalFor(error: unknown): FormRefusal | undefined {
    if (!(error instanceof HttpException)) return undefined;
    switch (error.getStatus()) {
      case 401:
        return { faults: { files: [error.message] } };
      case 400:
      case 413:
        return { faults: { form: [error.message] }, status: error.getStatus() };
      default:
        return super.refusalFor(error);
    }
  }
}

/** The typed fields: those of the push if the body was parsed into one, otherwise those of the body itself. */
function typedIn(body: unknown): Typed {
  const whole = (body ?? {}) as { push?: unknown };
  const fields = (whole.push ?? whole) as Record<string, unknown>;
  return Object.fromEntries(
    KEPT.map((name) => [name, fields[name]]).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

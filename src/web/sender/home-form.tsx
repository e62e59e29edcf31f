import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { User } from '../../auth/entities/user.entity.js';
import { newToken } from '../../platform/random/tokens.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { emailToName } from '../../pushes/link-mails/recipients.js';
import { MailRules } from '../../pushes/create/mail-rules.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { Problem } from '../../platform/errors/problem.js';
import { Settings } from '../../platform/settings/settings.js';
import { hasOtherOwner, formOwnerFor, sentMark } from './form-owner.js';
import type { EnteredFields } from './form-options.js';
import { optionsInQuery, pathWithOptions } from './form-options.js';
import { typedIn, withMissing } from './form-fields.js';
import type { FieldErrors } from '../components/fields.js';
import { Home } from './home.js';
import type { Resend } from './resend.js';

/** The form that creates pushes, either empty or with the errors of a rejected submission. */
@Injectable()
export class HomeForm {
  constructor(
    private readonly rules: PushRules,
    private readonly mailRules: MailRules,
    private readonly settings: Settings,
  ) {}

  view(user: User | undefined, typed?: EnteredFields, errors?: FieldErrors, resend?: Resend): VNode {
    const hiddenFields = {
      account: formOwnerFor(user).mark,
      idempotency_key: typed?.idempotency_key ?? newToken(),
    };
    return (
      <Home
        rules={this.rules}
        mayAttach={this.mayAttach(user)}
        endToEnd={this.settings.END_TO_END}
        notices={this.mailRules.defaultNotices(user)}
        sender={user && emailToName(user)}
        form={pathWithOptions(typed ?? {}, this.rules)}
        hiddenFields={hiddenFields}
        typed={typed}
        errors={errors}
        resend={resend}
      />
    );
  }

  /** The empty form, with the options that its address proposes. */
  viewWith(query: Record<string, unknown>, user: User | undefined): VNode {
    return this.view(user, optionsInQuery(query, this.rules));
  }

  /** The form as it was sent, without what must not be sent back. */
  viewAgain(user: User | undefined, fields: PushFields, errors: FieldErrors, resend?: Resend): VNode {
    const before = hasOtherOwner(fields, user) ? { account_before: sentMark(fields) } : undefined;
    const shown = withMissing(this.withReason(errors, user), fields);
    return this.view(user, { ...typedIn(fields), ...before }, shown, resend);
  }

  /** Who may not attach files learns that, whatever else is wrong with them. */
  private withReason(errors: FieldErrors, user: User | undefined): FieldErrors {
    if (!errors.files || this.mayAttach(user)) return errors;
    return { ...errors, files: [new Problem('files_need_token')] };
  }

  private mayAttach(user: User | undefined): boolean {
    return user !== undefined || !this.settings.FILES_REQUIRE_AUTHENTICATION;
  }
}

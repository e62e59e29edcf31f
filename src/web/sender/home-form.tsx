import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import type { User } from '../../auth/entities/user.entity.js';
import { newToken } from '../../platform/random/tokens.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { emailToName } from '../../pushes/link-mails/recipients.js';
import { MailRules } from '../../pushes/create/mail-rules.js';
import { CreationPolicies } from '../../pushes/create/creation-policies.js';
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
    private readonly policies: CreationPolicies,
    private readonly mailRules: MailRules,
    private readonly settings: Settings,
  ) {}

  /** The empty form, with the options that its address proposes. */
  viewWith(request: Request): VNode {
    const rules = this.policies.known(request).within(this.rules);
    return this.view(request, optionsInQuery(request.query, rules));
  }

  /** The form as it was sent, without what must not be sent back. */
  viewAgain(request: Request, fields: PushFields, errors: FieldErrors, resend?: Resend): VNode {
    const user = request.user as User | undefined;
    const before = hasOtherOwner(fields, user) ? { account_before: sentMark(fields) } : undefined;
    const shown = withMissing(this.withReason(errors, user), fields);
    return this.view(request, { ...typedIn(fields), ...before }, shown, resend);
  }

  private view(request: Request, typed: EnteredFields, errors?: FieldErrors, resend?: Resend): VNode {
    const user = request.user as User | undefined;
    const policy = this.policies.known(request);
    const rules = policy.within(this.rules);
    const hiddenFields = {
      account: formOwnerFor(user).mark,
      idempotency_key: typed.idempotency_key ?? newToken(),
    };
    return (
      <Home
        rules={rules}
        required={{
          passphrase: policy.requires('passphrase', 'pages'),
          click: policy.requires('click', 'pages'),
          recipients: policy.requires('recipients', 'pages'),
        }}
        mayAttach={this.mayAttach(user)}
        endToEnd={policy.requires('encryption', 'pages') ? 'required' : this.settings.END_TO_END}
        notices={this.mailRules.defaultNotices(user)}
        sender={user && emailToName(user)}
        form={pathWithOptions(typed, rules)}
        hiddenFields={hiddenFields}
        typed={typed}
        errors={errors}
        resend={resend}
      />
    );
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

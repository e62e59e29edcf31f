import { ConflictException } from '@nestjs/common';
import type { User } from '../../auth/entities/user.entity.js';
import { digestOf } from '../../platform/random/tokens.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import type { FormOwner } from '../../shared/form-responses.js';
import { Problem } from '../../platform/errors/problem.js';

const MARK_LENGTH = 16;

/** The visitor's account is not the one to which the form was shown. */
export class OwnerChanged extends ConflictException {
  constructor() {
    super(new Problem('owner_changed'));
  }
}

/** @throws OwnerChanged */
export function assertSameOwner(fields: PushFields, user: User | undefined): void {
  if (hasOtherOwner(fields, user)) throw new OwnerChanged();
}

/** The mark in the form, which is compared when the form is sent. */
export function formOwnerFor(user: User | undefined): FormOwner {
  const mark = user ? digestOf(`The form of ${user.id}`).slice(0, MARK_LENGTH) : '';
  return { mark, email: user?.email };
}

/** The mark that a form was sent with, of the length of any mark. */
export function sentMark({ account }: PushFields): string {
  return String(account).slice(0, MARK_LENGTH);
}

/**
 * Whether a form was shown to another visitor. One without a mark was shown to nobody: it comes from a program. A form
 * that was rejected because of this has two marks: after that, either account is the visitor's choice.
 */
export function hasOtherOwner({ account, account_before }: PushFields, user: User | undefined): boolean {
  return account !== undefined && ![account, account_before].includes(formOwnerFor(user).mark);
}

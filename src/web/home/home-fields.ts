import { UnprocessableEntityException } from '@nestjs/common';
import type { Request } from 'express';
import type { User } from '../../auth/user.entity.js';
import type { PushFields } from '../../pushes/create/push-fields.js';
import { undoBrowserEncoding } from './browser-encoding.js';
import { hasOtherOwner, OwnerChanged } from './form-owner.js';

/** Prepares the fields of the form on the front page, and refuses a form that would create less than it says. */
export function prepareHomeFields(fields: PushFields, { user }: Request): void {
  undoBrowserEncoding(fields);
  if (hasOtherOwner(fields, user as User | undefined)) throw new OwnerChanged();
  if (needsPassphrase(fields) && !fields.passphrase) {
    throw new UnprocessableEntityException({ passphrase: ['Enter the passphrase again.'] });
  }
}

/** A form that was refused comes back without its passphrase, but with this flag. */
export function needsPassphrase({ passphrase_was_set: flag, passphrase }: PushFields): boolean {
  return Boolean(flag) || Boolean(passphrase);
}

import { passwordError } from '../../auth/passwords/passwords.js';
import { CheckedBy } from '../../http/validation/checked-by.js';
import { RepeatOf } from './password-repeat.js';

/** The current password, in the same form, is read by ConfirmPasswordInterceptor. */
export class ChangePasswordDto {
  @CheckedBy((password: string) => passwordError(password))
  new_password = '';

  @RepeatOf('new_password')
  new_password_repeat?: string;
}

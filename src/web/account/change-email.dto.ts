import { emailError } from '../../auth/users/emails.js';
import { CheckedBy } from '../../http/validation/checked-by.js';

/** The password in the form is read by ConfirmPasswordInterceptor. */
export class ChangeEmailDto {
  @CheckedBy(emailError)
  email = '';
}

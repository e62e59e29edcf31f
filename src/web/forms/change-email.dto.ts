import { emailFault } from '../../auth/emails.js';
import { CheckedBy } from '../../http/checked-by.js';

/** The password in the form is read by ConfirmPasswordInterceptor. */
export class ChangeEmailDto {
  @CheckedBy(emailFault)
  email = '';
}

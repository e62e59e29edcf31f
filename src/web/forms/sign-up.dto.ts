import { emailFault } from '../../auth/emails.js';
import { passwordFault } from '../../auth/passwords.js';
import { User } from '../../auth/user.entity.js';
import { CheckedBy } from '../../http/checked-by.js';

export class SignUpDto {
  @CheckedBy(emailFault)
  email = '';

  @CheckedBy((password: string, { email }: SignUpDto) => passwordFault(password, User.normalizeEmail(email)))
  password = '';
}

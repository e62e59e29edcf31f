import { emailFault } from '../../auth/emails.js';
import { passwordFault } from '../../auth/passwords.js';
import { User } from '../../auth/user.entity.js';
import { CheckedBy } from '../../http/checked-by.js';
import { RepeatOf } from './password-repeat.js';

export class SignUpDto {
  @CheckedBy(emailFault)
  email = '';

  @CheckedBy((password: string, { email }: SignUpDto) => passwordFault(password, User.normalizeEmail(email)))
  password = '';

  @RepeatOf('password')
  password_repeat?: string;
}

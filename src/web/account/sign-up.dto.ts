import { emailError } from '../../auth/users/emails.js';
import { passwordError } from '../../auth/passwords/passwords.js';
import { User } from '../../auth/entities/user.entity.js';
import { CheckedBy } from '../../http/validation/checked-by.js';
import { RepeatOf } from './password-repeat.js';

export class SignUpDto {
  @CheckedBy(emailError)
  email = '';

  @CheckedBy((password: string, { email }: SignUpDto) => passwordError(password, User.normalizeEmail(email)))
  password = '';

  @RepeatOf('password')
  password_repeat?: string;
}

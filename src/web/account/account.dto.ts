import { IsOptional, IsString } from 'class-validator';
import { CheckedBy } from '../../platform/http/validation/validation.pipe.js';
import { Problem } from '../../platform/errors/problem.js';
import { emailError } from '../../auth/entities/emails.js';
import { passwordError } from '../../auth/passwords/passwords.js';
import { User } from '../../auth/entities/user.entity.js';

/**
 * The second entry of a new password, which must be the same as that of the property. Our script removes the field from
 * the form, and shows a button that shows the password instead; then it is undefined.
 */
const RepeatOf = (property: string) =>
  CheckedBy((repeat: unknown, dto: Record<string, unknown>) =>
    repeat === undefined || repeat === dto[property] ? undefined : new Problem('passwords_differ'),
  );

/** With the path to redirect to afterwards. */
export class NextDto {
  @IsOptional()
  @IsString()
  next?: string;
}

/** The password in the form is read by ReauthenticationInterceptor. */
export class ChangeEmailDto {
  @CheckedBy(emailError)
  email = '';
}

/** The current password, in the same form, is read by ReauthenticationInterceptor. */
export class ChangePasswordDto {
  @CheckedBy((password: string) => passwordError(password))
  new_password = '';

  @RepeatOf('new_password')
  new_password_repeat?: string;
}

/** With the page to go to afterwards. */
export class RequestSignUpDto extends ChangeEmailDto {
  @IsOptional()
  @IsString()
  next?: string;
}

/** With the page to go to afterwards. */
export class UseSignUpLinkDto extends ChangePasswordDto {
  @IsOptional()
  @IsString()
  next?: string;
}

export class SignUpDto extends RequestSignUpDto {
  @CheckedBy((password: string, { email }: SignUpDto) => passwordError(password, User.normalizeEmail(email)))
  password = '';

  @RepeatOf('password')
  password_repeat?: string;
}

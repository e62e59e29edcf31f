import { IsOptional, IsString } from 'class-validator';

/** Not validated any further: an invalid email address is rejected like one without an account. */
export class SignInDto {
  @IsString()
  email = '';

  @IsString()
  password = '';

  /** The path to redirect to. */
  @IsOptional()
  @IsString()
  next?: string;
}

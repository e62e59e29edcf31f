import { IsOptional, IsString } from 'class-validator';

/** Whatever is typed is tried: an address that can be none is refused like one that nobody has. */
export class SignInDto {
  @IsString()
  email = '';

  @IsString()
  password = '';

  /** The path to go on to. */
  @IsOptional()
  @IsString()
  next?: string;
}

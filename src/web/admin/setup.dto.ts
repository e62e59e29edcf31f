import { IsString } from 'class-validator';
import { SignUpDto } from '../account/sign-up.dto.js';

/** A wrong code is refused by SetupService, which counts it. */
export class SetupDto extends SignUpDto {
  @IsString()
  code = '';
}

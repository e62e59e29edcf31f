import { IsOptional, IsUUID } from 'class-validator';
import { tokenNameError } from '../../auth/tokens/token-names.js';
import { CheckedBy } from '../../http/validation/checked-by.js';

export class CreateTokenDto {
  @CheckedBy(tokenNameError)
  name = '';

  /** The id of the token, chosen when the form was shown: sending the form again creates no second one. */
  @IsOptional()
  @IsUUID('7', { message: 'must be a string' })
  id?: string;
}

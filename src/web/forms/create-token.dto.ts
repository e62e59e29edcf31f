import { IsOptional, IsUUID } from 'class-validator';
import { tokenNameFault } from '../../auth/token-names.js';
import { CheckedBy } from '../../http/validation/checked-by.js';

export class CreateTokenDto {
  @CheckedBy(tokenNameFault)
  name = '';

  /** The id of the token, chosen when the form was shown: sending the form again creates no second one. */
  @IsOptional()
  @IsUUID('7', { message: 'must be a string' })
  id?: string;
}

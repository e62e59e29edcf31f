import { Problem } from '../../errors/problem.js';
import { IsOptional, isUUID } from 'class-validator';
import { tokenNameError } from '../../auth/tokens/token-names.js';
import { CheckedBy } from '../../http/validation/checked-by.js';

export class CreateTokenDto {
  @CheckedBy(tokenNameError)
  name = '';

  /** The id of the token, chosen when the form was shown: sending the form again creates no second one. */
  @IsOptional()
  @CheckedBy((id) => (isUUID(id, '7') ? undefined : new Problem('not_a_string')))
  id?: string;
}

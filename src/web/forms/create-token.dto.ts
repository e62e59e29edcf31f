import { IsOptional, IsUUID, Matches } from 'class-validator';
import { MAX_TOKEN_NAME } from '../../auth/api-token.entity.js';
import { Text } from '../../http/validation/text.js';

export class CreateTokenDto {
  @Matches(/\S/, { message: "can't be blank" })
  @Text(MAX_TOKEN_NAME)
  name = '';

  /** The id of the token, chosen when the form was shown: sending the form again creates no second one. */
  @IsOptional()
  @IsUUID('7', { message: 'must be a string' })
  id?: string;
}

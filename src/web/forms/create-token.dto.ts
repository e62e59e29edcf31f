import { Matches } from 'class-validator';
import { MAX_TOKEN_NAME } from '../../auth/api-token.entity.js';
import { Text } from '../../http/text.js';

export class CreateTokenDto {
  @Matches(/\S/, { message: "can't be blank" })
  @Text(MAX_TOKEN_NAME)
  name = '';
}

import { Matches } from 'class-validator';
import { LONGEST_TOKEN_NAME } from '../../auth/api-token.entity.js';
import { Text } from '../../http/text.js';

export class CreateTokenDto {
  @Matches(/\S/, { message: "can't be blank" })
  @Text(LONGEST_TOKEN_NAME)
  name = '';
}

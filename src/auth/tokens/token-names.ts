import { textError } from '../../platform/http/validation/text-error.js';
import { MAX_TOKEN_NAME } from '../entities/api-token.entity.js';
import { Problem } from '../../platform/errors/problem.js';

/** What is wrong with the name of an API token; undefined when it is valid. */
export function tokenNameError(name: string): Problem | undefined {
  const error = textError(name, MAX_TOKEN_NAME);
  if (error) return error;
  if (!/\S/.test(name)) return new Problem('blank');
  return /\p{Cc}/u.test(name) ? new Problem('control_characters') : undefined;
}

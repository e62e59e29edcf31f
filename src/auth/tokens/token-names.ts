import { lineError } from '../../platform/http/validation/text-error.js';
import { MAX_TOKEN_NAME } from '../entities/api-token.entity.js';
import type { Problem } from '../../platform/errors/problem.js';

/** What is wrong with the name of an API token; undefined when it is valid. */
export function tokenNameError(name: string): Problem | undefined {
  return lineError(name, MAX_TOKEN_NAME);
}

import { textFault } from '../http/text.js';
import { MAX_TOKEN_NAME } from './api-token.entity.js';

/** What is wrong with the name of an API token; undefined when it is valid. */
export function tokenNameFault(name: string): string | undefined {
  const fault = textFault(name, MAX_TOKEN_NAME);
  if (fault) return fault;
  if (!/\S/.test(name)) return "can't be blank";
  return /\p{Cc}/u.test(name) ? 'must not contain control characters' : undefined;
}

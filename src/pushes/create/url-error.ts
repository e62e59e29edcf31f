import { Problem } from '../../errors/problem.js';

/** What is wrong with a URL. It must be one that a browser opens, in a form that cannot be mistaken for another one. */
export function urlError(text: string): Problem | undefined {
  const isPlain = /^https?:\/\/[^/\\?#]+([/?#]|$)/i.test(text) && !/[\s\p{Cc}\p{Cf}]/u.test(text);
  return isPlain && URL.canParse(text) ? undefined : new Problem('not_a_web_address');
}

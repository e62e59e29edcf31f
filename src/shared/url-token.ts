/** What the URL token of a push looks like. Those of imported pushes may be short. */
export const URL_TOKEN = '[A-Za-z0-9_-]{8,255}';

const WHOLE = new RegExp(`^${URL_TOKEN}$`);

/** Whether it can be the URL token of a push. */
export function isUrlToken(text: string): boolean {
  return WHOLE.test(text);
}

import type { CreatedOnPage } from '../../pushes/create/creations.service.js';

/** Where the link of a new push is shown, relative to the front page. The delete key is in the fragment: never sent. */
export function resultPath({ push, deleteKey }: CreatedOnPage): string {
  const page = `p/${push.url_token}/preview`;
  return deleteKey === undefined ? page : `${page}#delete=${deleteKey}`;
}

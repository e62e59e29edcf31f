import type { PushDto } from '../../pushes/push.dto.js';

/** Where the link of a new push is shown, relative to the front page. The delete key is in the fragment: never sent. */
export function resultPath({ url_token: urlToken }: PushDto, deleteKey: string | undefined): string {
  const page = `p/${urlToken}/preview`;
  return deleteKey === undefined ? page : `${page}#delete=${deleteKey}`;
}

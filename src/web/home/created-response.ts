import { mailedQuery } from '../pages/mailed.js';

/** The response to the script of a form that has created a push. */
export interface CreatedResponse {
  /** The path of the page that shows the link, relative to the front page. The delete key is in its fragment. */
  path: string;
  /** Absent when a server that does not know such pushes has stored the ciphertext as an ordinary text. */
  client_encrypted?: true;
}

interface Created {
  push: { url_token: string; client_encrypted?: true };
  deleteKey: string | undefined;
}

/** @param mailed how many recipients get the link by mail */
export function createdResponse({ push, deleteKey }: Created, mailed: number): CreatedResponse {
  const page = `p/${push.url_token}/preview${mailedQuery(mailed)}`;
  return {
    path: deleteKey === undefined ? page : `${page}#delete=${deleteKey}`,
    client_encrypted: push.client_encrypted,
  };
}

/** The answer to the script of a form that has created a push. */
export interface CreatedResponse {
  /** Where the link is shown, relative to the front page. The delete key is in the fragment: never sent. */
  path: string;
  /** A server that does not know such pushes has taken the ciphertext for the text of another one. */
  client_encrypted?: true;
}

interface Created {
  push: { url_token: string; client_encrypted?: true };
  deleteKey: string | undefined;
}

export function createdResponse({ push, deleteKey }: Created): CreatedResponse {
  const page = `p/${push.url_token}/preview`;
  return {
    path: deleteKey === undefined ? page : `${page}#delete=${deleteKey}`,
    client_encrypted: push.client_encrypted,
  };
}

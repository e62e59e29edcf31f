/** The response to the script of a form that was rejected. */
export interface FormErrorResponse {
  /** Errors in the language of the page, by the name of the field; `form` for the whole form. */
  errors: Record<string, string>;
  owner?: FormOwner;
}

/** The account for which a form is sent. */
export interface FormOwner {
  /** A value for comparison only, which is not secret; empty without an account. */
  mark: string;
  email?: string;
}

/** The response to the script of a form that has answered a request. */
export interface AnsweredResponse {
  /** The path of the page that says so, relative to the front page. */
  path: string;
}

/** The response to the script of a form that has created a push. */
export interface CreatedResponse {
  /** The path of the page that shows the link, relative to the front page. The delete key is in its fragment. */
  path: string;
  /** Absent when a server that does not know such pushes has stored the ciphertext as an ordinary text. */
  client_encrypted?: true;
}

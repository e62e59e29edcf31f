/** The answer to the script of a form that was refused. */
export interface FormErrorResponse {
  /** By the name of the field; `form` for the whole form. In the language of the page. */
  errors: Record<string, string>;
  owner?: FormOwner;
}

/** The account for which a form is sent. */
export interface FormOwner {
  /** Not secret, and of no use but to compare; empty without an account. */
  mark: string;
  email?: string;
}

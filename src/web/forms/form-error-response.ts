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

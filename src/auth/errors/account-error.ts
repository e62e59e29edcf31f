/** Why an account could not be created or changed, in a sentence for the user. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}

/** The email address already belongs to an account. */
export class EmailTaken extends AccountError {
  constructor() {
    super('There is an account with this email address already.');
  }
}

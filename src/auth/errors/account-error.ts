import { apiText, Problem } from '../../platform/errors/problem.js';

/** Why an account could not be created or changed. */
export class AccountError extends Error {
  override readonly name = 'AccountError';

  constructor(readonly problem: Problem) {
    super(apiText(problem));
  }
}

/** The email address already belongs to an account. */
export class EmailTaken extends AccountError {
  constructor() {
    super(new Problem('email_taken'));
  }
}

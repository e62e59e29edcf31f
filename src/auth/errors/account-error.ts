import { apiText, Problem } from '../../platform/errors/problem.js';
import { Refusal } from '../../platform/errors/refusal.js';

/** Why an account could not be created or changed. */
export class AccountError extends Refusal {
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

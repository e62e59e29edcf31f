import { contributedProvider } from '../../platform/contributions/contributions.js';

/** Where people sign in without a password of their account, from the link to `/users/sign_in/provider`. */
export interface SignInProvider {
  /** What the pages call it; undefined while nobody can sign in there. */
  readonly name: string | undefined;
}

export const SignInProvider = contributedProvider<SignInProvider>();

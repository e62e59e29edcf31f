import { declareProblems } from '../../platform/errors/problem.js';

/** Why somebody who signs in at the provider is refused. */
export const OidcProblem = declareProblems({
  provider_unavailable: ['The sign-in provider cannot be reached.', 'formError.providerUnavailable'],
  provider_sign_in_failed: ['The sign-in did not work.', 'formError.providerFailed'],
  provider_sign_in_ended: ['This sign-in took too long, or it is over.', 'formError.providerEnded'],
  provider_not_allowed: [
    'This account of the sign-in provider may not be used here.',
    'formError.providerNotAllowed',
  ],
  provider_email_unverified: [
    'The sign-in provider does not say that the email address is verified.',
    'formError.providerEmail',
  ],
  provider_no_account: ['There is no account for this person.', 'formError.providerNoAccount'],
  provider_account_disabled: ['This account is disabled.', 'formError.providerDisabled'],
  provider_account_taken: [
    'Somebody else at the sign-in provider has joined the account with this email address.',
    'formError.providerTaken',
  ],
  provider_not_confirmed: [
    'The sign-in provider has not asked the owner of this account again.',
    'formError.providerNotConfirmed',
  ],
  provider_join_elsewhere: [
    'This link belongs to another browser, or it is over. Sign in again.',
    'formError.joinElsewhere',
  ],
});

/** The codes of a sign-in that failed, which the sign-in page is told in its query. */
export const SIGN_IN_FAILURES = [
  'provider_unavailable',
  'provider_sign_in_failed',
  'provider_sign_in_ended',
  'provider_not_allowed',
  'provider_email_unverified',
  'provider_no_account',
  'provider_account_disabled',
  'provider_account_taken',
] as const;

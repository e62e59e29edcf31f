import { HttpException, HttpStatus, Injectable } from '@nestjs/common';
import type { NamedAccount } from '../../platform/instance-audit/current-actor.js';
import { declareAuditKinds } from '../../platform/instance-audit/instance-audit-kinds.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { Problem } from '../../platform/errors/problem.js';
import { Log } from '../../platform/logging/log.js';
import { codesOf } from '../../platform/outbox/limited-fetch.js';
import { isClientRefused } from './client-authentication.js';
import { OidcProblem } from './oidc.problems.js';

/**
 * Why a sign-in at the provider, or what the provider says about signing out, is refused: a code for the audit log, and
 * words for the log of the service. docs/single-sign-on.md lists them, with what to do.
 */
export const PROVIDER_REFUSALS = {
  email_missing: 'no email address came from the provider',
  email_unverified: 'the provider does not say that the email address is verified',
  email_not_accepted: 'the email address is none that an account can have',
  groups_missing: 'the claim OIDC_GROUPS_CLAIM is missing',
  group_not_allowed: 'the person is in none of the groups of OIDC_ALLOWED_GROUPS',
  domain_not_allowed: 'the email address is in none of the domains of OIDC_ALLOWED_DOMAINS',
  account_missing: 'there is no account with the email address, and OIDC_CREATE_ACCOUNTS is false',
  account_disabled: 'the account is disabled',
  account_taken: 'the account with the email address is joined to somebody else at the provider',
  other_person: 'somebody else has signed in at the provider to confirm a change',
  not_asked_again: 'the provider does not say that it has just asked the person again',
  client_refused: 'the provider refuses the id or the secret of the client',
  code_refused: 'the provider refuses the code',
  token_refused: 'the provider refuses to make a token',
  provider_error: 'the provider has sent the browser back with an error',
  state_unknown: 'the browser has begun no such sign-in, or it has ended',
  state_used: 'the sign-in was used before',
  nonce_differs: 'the ID token is for another sign-in',
  issuer_differs: 'the issuer is another one than OIDC_ISSUER',
  audience_differs: 'the token is for another client than OIDC_CLIENT_ID',
  clock: 'the times in the token do not fit the clock of this server',
  algorithm: 'the token is encrypted, or not signed with a key of the provider',
  key_unknown: 'the provider does not publish the key that has signed the token',
  signature: 'the signature of the token is wrong',
  userinfo_refused: 'the userinfo endpoint refuses the token, or describes somebody else',
  no_logout: 'the token does not say who has signed out',
  response_invalid: 'what was sent is not valid',
} as const;

export type ProviderRefusalReason = keyof typeof PROVIDER_REFUSALS;

const AUDITED = declareAuditKinds(
  {
    provider_sign_in_refused: 'instanceAudit.provider_sign_in_refused',
    provider_logout_refused: 'instanceAudit.provider_logout_refused',
  },
  { byStrangers: true },
);

/** Codes of OAuth 2.0 and OpenID Connect. What else a provider sends is not shown: it can contain anything. */
const PROVIDER_ERRORS = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
];

/** A sign-in at the provider does not work. */
export class ProviderError extends HttpException {
  constructor(
    readonly problem: Problem,
    status: HttpStatus = HttpStatus.FORBIDDEN,
  ) {
    super(problem, status);
  }
}

/** The provider cannot be reached, does not respond in time, or something else than OpenID Connect responds. */
export class ProviderUnavailable extends ProviderError {
  constructor(readonly reason: string) {
    super(new OidcProblem('provider_unavailable'), HttpStatus.SERVICE_UNAVAILABLE);
  }
}

/** What the provider, or somebody in its name, has sent is not valid. */
export class ProviderResponseInvalid extends ProviderError {
  constructor(
    readonly reason: ProviderRefusalReason,
    /** The provider's own code, if it is a known one. */
    readonly providerError?: string,
    /** Codes of the library. */
    readonly code?: string,
  ) {
    super(new OidcProblem(reason === 'state_used' ? 'provider_sign_in_ended' : 'provider_sign_in_failed'));
  }
}

interface Refusal {
  subject?: NamedAccount;
  providerError?: string;
  code?: string;
}

/** Records in the audit log and in the log of the service what is refused, and why. */
@Injectable()
export class ProviderRefusals {
  constructor(
    private readonly audit: InstanceAudit,
    private readonly log: Log,
  ) {}

  async signIn(reason: ProviderRefusalReason, refusal: Refusal = {}): Promise<void> {
    this.logWith('A sign-in at the provider of OpenID Connect was refused', reason, refusal);
    await this.audit.record(AUDITED.provider_sign_in_refused, detailed(reason, refusal));
  }

  async logout(reason: ProviderRefusalReason, refusal: Refusal = {}): Promise<void> {
    this.logWith('A logout token of the provider of OpenID Connect was refused', reason, refusal);
    await this.audit.record(AUDITED.provider_logout_refused, detailed(reason, refusal));
  }

  private logWith(message: string, reason: ProviderRefusalReason, { providerError, code }: Refusal): void {
    this.log.warning(message, { reason: PROVIDER_REFUSALS[reason], providerError, code });
  }
}

function detailed(reason: ProviderRefusalReason, { subject, providerError }: Refusal) {
  return {
    subject,
    details: { reason, ...(providerError !== undefined && { provider_error: providerError }) },
  };
}

/** Why a code is not exchanged for a valid token, by an error of the library. */
export function signInRefusalIn(error: unknown): ProviderResponseInvalid {
  const { name, error: sent } = error as { name?: unknown; error?: unknown };
  const isSent = name === 'AuthorizationResponseError' || name === 'ResponseBodyError';
  const providerError = isSent ? (PROVIDER_ERRORS.find((known) => known === sent) ?? 'other') : undefined;
  return new ProviderResponseInvalid(signInReasonOf(error), providerError, codesOf(error));
}

function signInReasonOf(error: unknown): ProviderRefusalReason {
  const { name, code, error: sent, cause } = error as Error & { code?: unknown; error?: unknown };
  if (name === 'AuthorizationResponseError') return 'provider_error';
  if (isClientRefused(error)) return 'client_refused';
  if (name === 'ResponseBodyError') return sent === 'invalid_grant' ? 'code_refused' : 'token_refused';
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock';
  if (code === 'OAUTH_KEY_SELECTION_FAILED') return 'key_unknown';
  if (code === 'OAUTH_UNSUPPORTED_OPERATION') return 'algorithm';
  return reasonOfDetails((cause as { cause?: unknown } | undefined)?.cause);
}

/** What the library has compared. */
function reasonOfDetails(details: unknown): ProviderRefusalReason {
  if (typeof details !== 'object' || details === null) return 'response_invalid';
  const { claim, claims } = details as { claim?: unknown; claims?: { nonce?: unknown } };
  if (claim === 'nonce' || (claims && claims.nonce === undefined)) return 'nonce_differs';
  if (claim === 'iss' || 'parameters' in details) return 'issuer_differs'; // the state was compared before
  if (claim === 'aud' || claim === 'azp') return 'audience_differs';
  if ('signature' in details) return 'signature';
  return 'header' in details ? 'algorithm' : 'response_invalid';
}

/** The same for a logout token, by an error of jose. */
export function logoutRefusalIn({ code, claim, reason }: LogoutError): ProviderResponseInvalid {
  const isTime =
    code === 'ERR_JWT_EXPIRED' || (['iat', 'nbf', 'exp'].includes(claim ?? '') && reason !== 'missing');
  const reasons: Record<string, ProviderRefusalReason> = {
    iss: 'issuer_differs',
    aud: 'audience_differs',
    iat: 'no_logout',
    ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
    ERR_JOSE_NOT_SUPPORTED: 'algorithm',
    ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
    ERR_JWKS_NO_MATCHING_KEY: 'key_unknown',
  };
  const found = isTime ? 'clock' : (reasons[claim ?? ''] ?? reasons[code]);
  return new ProviderResponseInvalid(found ?? 'response_invalid', undefined, code);
}

interface LogoutError {
  code: string;
  claim?: string;
  reason?: string;
}

import { Injectable, Module } from '@nestjs/common';
import { SignInProvider } from '../../auth/sessions/sign-in-provider.js';
import type { Problem } from '../../platform/errors/problem.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { OidcProblem, SIGN_IN_FAILURES } from './oidc.problems.js';
import { OidcSettings } from './oidc.settings.js';

/** Tells the service whether there is a provider, and what a failed sign-in there is about. */
@Injectable()
@SignInProvider()
class OidcProvider implements SignInProvider {
  constructor(private readonly settings: OidcSettings) {}

  get name(): string | undefined {
    return this.settings.providerName;
  }

  problemOf(code: unknown): Problem | undefined {
    const failure = SIGN_IN_FAILURES.find((known) => known === code);
    return failure && new OidcProblem(failure);
  }
}

/** What commands need too: whether accounts can sign in at a provider. */
@Module({
  providers: [provideSettings(OidcSettings), OidcProvider],
  exports: [OidcSettings, OidcProvider],
})
export class OidcProviderModule {}

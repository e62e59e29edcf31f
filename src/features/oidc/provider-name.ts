import { Injectable, Module } from '@nestjs/common';
import { SignInProvider } from '../../auth/sessions/sign-in-provider.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { OidcSettings } from './oidc.settings.js';

/** Tells the service whether there is a provider. */
@Injectable()
@SignInProvider()
export class ProviderName implements SignInProvider {
  constructor(private readonly settings: OidcSettings) {}

  get name(): string | undefined {
    return this.settings.providerName;
  }
}

/** What commands need too: whether accounts can sign in at a provider. */
@Module({
  providers: [provideSettings(OidcSettings), ProviderName],
  exports: [OidcSettings, ProviderName],
})
export class ProviderNameModule {}

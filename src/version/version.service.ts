import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { WORD_LANGUAGES } from '../shared/generator.js';
import { byName, contributedMethod, Contributions } from '../platform/contributions/contributions.js';
import { APPLICATION_VERSION } from '../platform/settings/application-version.js';
import { Settings } from '../platform/settings/settings.js';
import type { VersionDto } from './version.dto.js';

/** Says whether a part of the API is enabled that the response names and a feature has. */
export const ApiFeature = contributedMethod<() => boolean, 'requests'>();

@Injectable()
export class VersionService implements OnModuleInit {
  private features: ReadonlyMap<string, () => boolean>;

  constructor(
    private readonly settings: Settings,
    private readonly contributions: Contributions,
  ) {}

  onModuleInit(): void {
    this.features = byName(this.contributions.methods(ApiFeature));
  }

  /** On a gateway, none of what creating a push needs is enabled. */
  describe(): VersionDto {
    const mayCreate = !this.settings.isGateway;
    return {
      application_version: APPLICATION_VERSION,
      api_version: '2.1',
      edition: 'oss',
      features: {
        anonymous_access: this.settings.ALLOW_ANONYMOUS,
        api_token_authentication: true,
        accounts: { enabled: false },
        pushes: {
          enabled: mayCreate,
          email_auto_dispatch: mayCreate && this.settings.MAIL_URL !== undefined,
          recipients: mayCreate && this.settings.MAIL_URL !== undefined,
          file_attachments: {
            enabled: mayCreate && this.settings.ENABLE_FILE_PUSHES,
            requires_authentication: this.settings.FILES_REQUIRE_AUTHENTICATION,
          },
          url_pushes: { enabled: mayCreate && this.settings.ENABLE_URL_PUSHES },
          qr_code_pushes: { enabled: mayCreate && this.settings.ENABLE_QR_PUSHES },
          password_generator: { enabled: mayCreate, languages: [...WORD_LANGUAGES] },
          first_view_limit: { enabled: mayCreate },
          opening_time: { enabled: mayCreate },
          network_limit: { enabled: mayCreate },
          changes: { enabled: mayCreate },
        },
        requests: { enabled: this.features.get('requests')?.() ?? false },
      },
    };
  }
}

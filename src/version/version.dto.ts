/** Something that this installation may offer. */
export class FeatureDto {
  enabled: boolean;
}

/** Versions, and what this installation offers. Each feature is listed as it is now, never as it is planned. */
export class VersionDto {
  application_version: string;
  api_version: string;
  edition: string;
  features: {
    anonymous_access: boolean;
    api_token_authentication: boolean;
    accounts: FeatureDto;
    pushes: {
      enabled: boolean;
      email_auto_dispatch: boolean;
      recipients: boolean;
      file_attachments: { enabled: boolean; requires_authentication: boolean };
      url_pushes: FeatureDto;
      qr_code_pushes: FeatureDto;
      /** POST /api/v2/generate, and the languages of passphrases. */
      password_generator: { enabled: boolean; languages: string[] };
      /** Fields that pushes have here, and whether their owners may change them: PATCH. */
      first_view_limit: FeatureDto;
      opening_time: FeatureDto;
      network_limit: FeatureDto;
      changes: FeatureDto;
    };
    requests: FeatureDto;
  };
}

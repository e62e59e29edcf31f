/** Versions, and what this installation offers. Each feature is listed as it is now, never as it is planned. */
export class VersionDto {
  application_version: string;
  api_version: string;
  edition: string;
  features: {
    anonymous_access: boolean;
    api_token_authentication: boolean;
    accounts: { enabled: boolean };
    pushes: {
      enabled: boolean;
      email_auto_dispatch: boolean;
      recipients: boolean;
      file_attachments: { enabled: boolean; requires_authentication: boolean };
      url_pushes: { enabled: boolean };
      qr_code_pushes: { enabled: boolean };
      /** Fields that pushes have here, and whether their owners may change them: PATCH. */
      first_view_limit: { enabled: boolean };
      opening_time: { enabled: boolean };
      network_limit: { enabled: boolean };
      changes: { enabled: boolean };
    };
    requests: { enabled: boolean };
  };
}

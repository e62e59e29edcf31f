import { flag, networks } from '../../platform/settings/parsers.js';
import { Setting } from '../../platform/settings/setting.js';

export class WebhookSettings {
  // Webhooks

  /**
   * Whether accounts and administrators may have webhooks; when false, existing ones are kept, and nothing is sent to
   * them.
   */
  @Setting(flag) ENABLE_WEBHOOKS: boolean = true;
  /**
   * Networks that webhooks may send to although they are not public, also by http, separated by commas: for receivers
   * on your own network. Everybody with an account can then make the server send requests there.
   */
  @Setting(networks) WEBHOOK_ALLOWED_NETWORKS: string[] = [];
}

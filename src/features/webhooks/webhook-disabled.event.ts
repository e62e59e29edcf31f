/** A webhook was disabled because it no longer worked. */
export class WebhookDisabled {
  static readonly eventName = 'webhook.disabled';
  readonly name = WebhookDisabled.eventName;
}

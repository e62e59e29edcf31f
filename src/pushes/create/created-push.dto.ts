import { OwnPushDto } from '../push/push.dto.js';
import type { NewPush } from './new-push.js';

/** A push as the response to its creation has it. */
export class CreatedPushDto extends OwnPushDto {
  /** As it was sent; absent, like the next one, when nobody was named. */
  notify_emails_to?: string | string[];
  notify_emails_to_locale?: string | null;

  static ofCreated(push: OwnPushDto, { mailedTo }: NewPush): CreatedPushDto {
    if (!mailedTo) return push;
    return { ...push, notify_emails_to: mailedTo.given, notify_emails_to_locale: mailedTo.locale };
  }
}

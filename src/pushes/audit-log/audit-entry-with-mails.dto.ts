import { AuditEntryDto } from '../../audit/audit-entry.dto.js';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { NotifyByEmailDto } from '../link-mails/notify-by-email.dto.js';
import type { OwnLinkMail } from '../link-mails/own-link-mail.js';

/** An audit entry in version 2 of the API. */
export class AuditEntryWithMailsDto extends AuditEntryDto {
  notify_by_email?: NotifyByEmailDto;
  /** The email address of the recipient who opened it. Absent unless one did. */
  recipient?: string;
  /** The email address that somebody entered who was refused; anyone can enter any. Absent from all other entries. */
  entered_email?: string;

  static withMore(
    entry: AuditEntry,
    { mails, recipient, enteredEmail }: { mails?: OwnLinkMail[]; recipient?: string; enteredEmail?: string },
  ): AuditEntryWithMailsDto {
    return {
      ...AuditEntryDto.of(entry),
      ...(mails && { notify_by_email: NotifyByEmailDto.of(mails) }),
      ...(recipient !== undefined && { recipient }),
      ...(enteredEmail !== undefined && { entered_email: enteredEmail }),
    };
  }
}

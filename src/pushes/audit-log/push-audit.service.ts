import { ForbiddenException, Injectable } from '@nestjs/common';
import { AuditEntryDto } from '../../audit/audit-entry.dto.js';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import type { Paged } from '../../platform/http/paging/list-page.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { OwnLinkMailsService } from '../link-mails/own-link-mail.js';
import { RecipientsService } from '../recipients/recipients.service.js';
import type { Push } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { AuditEntryWithMailsDto } from './audit-entry-with-mails.dto.js';
import { Problem } from '../../platform/errors/problem.js';

/** The audit log of one push, for the API. */
@Injectable()
export class PushAuditService {
  constructor(
    private readonly pushes: PushRepository,
    private readonly audit: AuditService,
    private readonly linkMails: OwnLinkMailsService,
    private readonly recipients: RecipientsService,
  ) {}

  async list(urlToken: string, visitor: Visitor, page: unknown): Promise<Paged<AuditEntryDto[]>> {
    const { entries } = await this.find(urlToken, visitor, page);
    return entries.map((found) => found.map((entry) => AuditEntryDto.of(entry)));
  }

  async listWithMails(
    urlToken: string,
    visitor: Visitor,
    page: unknown,
  ): Promise<Paged<AuditEntryWithMailsDto[]>> {
    const { push, entries } = await this.find(urlToken, visitor, page);
    const mails = await this.linkMails.ofEntries(push, entries.body);
    const recipients = await this.recipients.ofEntries(push, entries.body);
    const entered = await this.recipients.enteredIn(push, entries.body);
    return entries.map((found) =>
      found.map((entry) =>
        AuditEntryWithMailsDto.withMore(entry, {
          mails: mails.get(entry.id),
          recipient: recipients.get(entry.id),
          enteredEmail: entered.get(entry.id),
        }),
      ),
    );
  }

  /** Checks in this order: the push exists, the visitor owns it, the page exists. */
  private async find(
    urlToken: string,
    visitor: Visitor,
    page: unknown,
  ): Promise<{ push: Push; entries: Paged<AuditEntry[]> }> {
    const refusal = () => new ForbiddenException(new Problem('audit_log_not_allowed'));
    const push = await this.pushes.findOwn(urlToken, visitor, refusal);
    return { push, entries: await this.audit.list(push.id, ListPage.parse(page)) };
  }
}

import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { emailToName } from '../../auth/entities/emails.js';
import { UsersService } from '../../auth/users/users.service.js';
import { FilesService } from '../../files/files.service.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { LinkMail } from '../link-mails/link-mail.entity.js';
import type { Push } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import type { OpenRequirements, PushContent } from '../push/pushes.service.js';
import { openRequirementsOf } from '../push/pushes.service.js';
import { RetrievalFailures } from './retrieval-failures.js';

/** Says people who have a link how it may be opened. */
@Injectable()
export class VisitsService {
  constructor(
    @InjectRepository(LinkMail) private readonly linkMails: Repository<LinkMail>,
    private readonly users: UsersService,
    private readonly pushes: PushRepository,
    private readonly failures: RetrievalFailures,
    private readonly files: FilesService,
  ) {}

  /**
   * Describes how a push may be opened, as `PushesService.openRequirements` does, for someone who wants to open it: a
   * visit after its end is a retrieval that fails, and is recorded as one, as is a visit that is refused.
   * @throws NotFoundException
   */
  async visit(urlToken: string, visitor: Visitor, now = new Date()): Promise<OpenRequirements> {
    const push = await this.pushes.find(urlToken, visitor);
    if (push.isExpired(now)) {
      await this.failures.record({ push, urlToken, visitor, now }, 'failed_view');
      throw new NotFoundException();
    }
    const refusal = push.refusalFor(visitor.ip, now);
    if (refusal) await this.failures.record({ push, urlToken, visitor, now }, 'failed_view');
    const requirements = openRequirementsOf(push, visitor, now);
    return {
      ...requirements,
      waitsForClick: requirements.waitsForClick || (await this.wasMailed(push)),
      refusal,
      sender: await this.senderOf(push),
      content: requirements.remaining && !push.hidesContents ? await this.contentOf(push) : undefined,
    };
  }

  /** Whether somebody got the link of a push by mail from here. */
  async wasLinkMailed(urlToken: string, visitor: Visitor): Promise<boolean> {
    return this.wasMailed(await this.pushes.find(urlToken, visitor));
  }

  /** Programs that check mails load the links in them, and run the scripts of the pages. */
  private async wasMailed({ id, userId }: Push): Promise<boolean> {
    return userId !== null && (await this.linkMails.existsBy({ pushId: id }));
  }

  private async contentOf({ id, kind, filesCount }: Push): Promise<PushContent> {
    return { kind, ...(filesCount > 0 && (await this.files.total(id))) };
  }

  private async senderOf({ namesSender, userId }: Push): Promise<string | undefined> {
    if (!namesSender || userId === null) return undefined;
    const sender = await this.users.find(userId);
    return sender ? emailToName(sender) : undefined;
  }
}

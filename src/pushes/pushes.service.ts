import { createSecretKey } from 'node:crypto';
import { ForbiddenException, Injectable, NotFoundException, UnauthorizedException } from '@nestjs/common';
import type { AuditEntryDto } from '../audit/audit-entry.dto.js';
import { AuditService } from '../audit/audit.service.js';
import { newId } from '../common/new-id.js';
import { Page, Paged } from '../common/page.js';
import { digestOf, newToken } from '../common/tokens.js';
import type { Visitor } from '../common/visitor.js';
import { isOrphan } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FilePurgeService } from '../files/file-purge.service.js';
import { FilesService } from '../files/files.service.js';
import type { Upload } from '../files/upload.js';
import { newKey } from '../sealing/box.js';
import { htmlUrl, OwnPushDto, PreviewDto, PushDto } from './push.dto.js';
import { Push } from './push.entity.js';
import { PushCreated, PushEvents, PushExpired } from './push-events.js';
import { PushSeal } from './push-seal.js';
import { PushStore } from './push.store.js';
import type { PushTerms } from './push-terms.js';

/** What may be told of an active push before it is retrieved. */
export interface HowToOpen {
  retrievalStep: boolean;
  passphraseRequired: boolean;
}

/** Makes, tells of and ends pushes. Retrieving is `RetrievalsService`'s. */
@Injectable()
export class PushesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: PushStore,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly filePurge: FilePurgeService,
    private readonly events: PushEvents,
  ) {}

  async create(terms: PushTerms, visitor: Visitor, now = new Date()): Promise<OwnPushDto> {
    const upload = Array.isArray(terms.files) ? await this.files.uploadInline(terms.files) : terms.files;
    try {
      return await this.createWith(upload, terms, visitor, now);
    } catch (error) {
      await upload?.discard(error);
      if (isOrphan(error) && (await this.isAccountGone(visitor)))
        throw new UnauthorizedException('This account has just been deleted.');
      throw error;
    }
  }

  /** Where a person opens it; works after its end too. */
  async preview(urlToken: string, visitor: Visitor): Promise<PreviewDto> {
    return { url: htmlUrl(await this.store.find(urlToken), urlToken, visitor.address) };
  }

  /** @throws NotFoundException */
  async assertExists(urlToken: string): Promise<void> {
    await this.store.find(urlToken);
  }

  /**
   * Tells how a push may be opened, and nothing once it has ended: that and whether it ever was are not told apart.
   * @throws NotFoundException
   */
  async howToOpen(urlToken: string, now = new Date()): Promise<HowToOpen> {
    const push = await this.store.findIfActive(urlToken, now);
    if (!push) throw new NotFoundException();
    return { retrievalStep: push.retrievalStep, passphraseRequired: push.isProtected(now) };
  }

  /**
   * A push as its owner is told of it, ended or not.
   * @throws NotFoundException also when it is another's
   */
  async findOwn(urlToken: string, visitor: Visitor, now = new Date()): Promise<OwnPushDto> {
    const push = await this.store.find(urlToken);
    if (!push.isOwnedBy(visitor.userId)) throw new NotFoundException();
    return OwnPushDto.ofOwn(push, this.pushSeal.openOwnersFields(push), visitor, now);
  }

  /** Refuses in this order: unknown, not the owner's, no such page. */
  async listAudit(
    urlToken: string,
    visitor: Visitor,
    page: unknown,
  ): Promise<Paged<{ logs: AuditEntryDto[] }>> {
    const push = await this.store.find(urlToken);
    if (!push.isOwnedBy(visitor.userId))
      throw new ForbiddenException('Only the owner may read the audit log.');

    const entries = await this.audit.list(push.id, Page.parse(page));
    return entries.map((logs) => ({ logs }));
  }

  async listActive(visitor: Visitor, page: Page, now = new Date()): Promise<Paged<OwnPushDto[]>> {
    const [pushes, total] = await this.store.findActive(ownId(visitor), now, page);
    return new Paged(this.present(pushes, visitor, now), page.number, total);
  }

  async listExpired(visitor: Visitor, page: Page, now = new Date()): Promise<Paged<OwnPushDto[]>> {
    const [pushes, total] = await this.store.findExpired(ownId(visitor), now, page);
    return new Paged(this.present(pushes, visitor, now), page.number, total);
  }

  /** Ends a push at once. Doing so again changes nothing. */
  async delete(urlToken: string, visitor: Visitor, now = new Date()): Promise<PushDto> {
    const push = await this.store.find(urlToken);
    if (!push.mayBeDeletedBy(visitor.userId)) throw refusalToDelete(visitor);

    const ended = await this.unitOfWork.run(async (manager) => {
      let seen = push;
      const made = await this.store.change(manager, push, (current) => (seen = current).delete(now));
      if (made) {
        if (push.filesCount > 0) await this.files.revoke(manager, push.id, now);
        await this.audit.record(manager, { pushId: push.id, kind: 'expire', urlToken }, visitor, now);
      }
      return made && seen.expiredOn === null ? seen : undefined; // else its end has been told
    });
    if (ended) {
      const by = ended.isOverdue(now) ? 'days' : 'delete';
      this.events.emit(new PushExpired(ended, ended.endedOn(now) ?? now, by));
    }
    if (push.filesCount > 0) await this.filePurge.purgePush(push.id);
    // asked again, because others may have viewed or deleted it since it was found
    return PushDto.of(await this.store.find(urlToken), urlToken, visitor, now);
  }

  private async createWith(
    upload: Upload | undefined,
    terms: PushTerms,
    visitor: Visitor,
    now: Date,
  ): Promise<OwnPushDto> {
    const urlToken = newToken();
    const push = await this.build(upload, terms, urlToken, visitor, now);
    const rows = [
      this.store.newRow(push),
      ...(upload ? this.files.newRows(upload) : []),
      this.audit.newRow({ pushId: push.id, kind: 'creation', urlToken }, visitor, now),
    ];
    await this.unitOfWork.write({ rows });
    this.events.emit(new PushCreated(push, now));
    const { name = '', note = '' } = terms;
    return OwnPushDto.ofOwn(push, { urlToken, name, note }, visitor, now);
  }

  private async build(
    upload: Upload | undefined,
    terms: PushTerms,
    urlToken: string,
    visitor: Visitor,
    now: Date,
  ): Promise<Push> {
    const id = upload?.pushId ?? newId();
    const dataKey = upload ? createSecretKey(upload.dataKey) : newKey();
    return Object.assign(new Push(), {
      id,
      tokenDigest: digestOf(urlToken),
      kind: terms.kind,
      userId: visitor.userId ?? null,
      ...(await this.pushSeal.seal(id, urlToken, terms, dataKey)),
      expireAfterDays: terms.expireAfterDays,
      expireAfterViews: terms.expireAfterViews,
      deletableByViewer: terms.deletableByViewer,
      retrievalStep: terms.retrievalStep,
      viewsCounted: 0,
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(now.getTime() + terms.lifetime),
      expiredOn: null,
      deleted: false,
      failuresAudited: 0,
      ownerViewsAudited: 0,
      passphraseAttempts: 0,
      filesCount: upload?.files.length ?? 0,
    });
  }

  private async isAccountGone({ userId }: Visitor): Promise<boolean> {
    return userId !== undefined && !(await this.store.hasAccount(userId));
  }

  private present(pushes: Push[], visitor: Visitor, now: Date): OwnPushDto[] {
    return pushes.map((push) => OwnPushDto.ofOwn(push, this.pushSeal.openOwnersFields(push), visitor, now));
  }
}

function refusalToDelete({ userId }: Visitor): Error {
  return userId === undefined
    ? new UnauthorizedException('Only the owner may delete this push. A valid API token is needed.')
    : new ForbiddenException('Only the owner may delete this push.');
}

function ownId({ userId }: Visitor): string {
  if (userId === undefined) throw new UnauthorizedException('A valid API token is needed.');
  return userId;
}

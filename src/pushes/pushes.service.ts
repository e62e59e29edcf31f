import { ForbiddenException, Injectable, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuditEntryDto } from '../audit/audit-entry.dto.js';
import { AuditService } from '../audit/audit.service.js';
import { User } from '../auth/user.entity.js';
import { digestOf, newId, newToken } from '../database/ids.js';
import { Page, Paged } from '../http/page.js';
import type { Visitor } from '../http/visitor.js';
import { isOrphan } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { NewRow } from '../database/write.js';
import { FilePurgeService } from '../files/file-purge.service.js';
import type { InlineFile } from '../files/files.service.js';
import { FilesService } from '../files/files.service.js';
import { UploadQuota } from '../files/upload-quota.js';
import type { Upload } from '../files/upload.js';
import { newKey } from '../sealing/secretbox.js';
import { htmlUrl, OwnPushDto, PreviewDto, PushDto } from './push.dto.js';
import { Push } from './push.entity.js';
import { PushCreated, PushEvents, PushExpired } from './push-events.js';
import { PushSeal } from './push-seal.js';
import { PushRepository } from './push.repository.js';
import type { PushTerms } from './create/push-terms.js';

/** What anyone may know about an active push before it is retrieved. */
export interface OpenRequirements {
  retrievalStep: boolean;
  passphraseRequired: boolean;
}

/** Creates, describes and ends pushes. `RetrievalsService` retrieves them. */
@Injectable()
export class PushesService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly filePurge: FilePurgeService,
    private readonly quota: UploadQuota,
    private readonly events: PushEvents,
  ) {}

  /** @param rowsBeside rows that are committed together with the push and refer to it */
  async create(
    terms: PushTerms,
    visitor: Visitor,
    now = new Date(),
    rowsBeside?: (push: Push) => NewRow[],
  ): Promise<OwnPushDto> {
    const upload = Array.isArray(terms.files)
      ? await this.uploadInline(terms.files, visitor, now)
      : terms.files;
    try {
      return await this.createWith(upload, terms, visitor, now, rowsBeside);
    } catch (error) {
      await upload?.discard(error);
      throw isOrphan(error) && (await this.isAccountDeleted(visitor)) ? accountDeleted() : error;
    }
  }

  /** Removes the stored files of terms for which no push is created. */
  async discardFiles({ files }: PushTerms): Promise<void> {
    if (files && !Array.isArray(files)) await files.discard(new Error('No push is created for these files'));
  }

  /** The page on which a person opens the push; also works after the push has ended. */
  async preview(urlToken: string, visitor: Visitor): Promise<PreviewDto> {
    return { url: htmlUrl(await this.pushes.find(urlToken), urlToken, visitor.baseUrl) };
  }

  /** @throws NotFoundException */
  async assertExists(urlToken: string): Promise<void> {
    await this.pushes.find(urlToken);
  }

  /**
   * Describes how a push may be opened. A push that has ended gives the same error as one that never existed.
   * @throws NotFoundException
   */
  async openRequirements(urlToken: string, now = new Date()): Promise<OpenRequirements> {
    const push = await this.pushes.findIfActive(urlToken, now);
    if (!push) throw new NotFoundException();
    return { retrievalStep: push.retrievalStep, passphraseRequired: push.isProtected(now) };
  }

  /**
   * A push as its owner sees it, active or ended.
   * @throws NotFoundException also when it belongs to another account
   */
  async findOwn(urlToken: string, visitor: Visitor, now = new Date()): Promise<OwnPushDto> {
    const push = await this.pushes.find(urlToken);
    if (!push.isOwnedBy(visitor.userId)) throw new NotFoundException();
    return OwnPushDto.ofOwn(push, this.pushSeal.openOwnersFields(push), visitor, now);
  }

  /** A push as its creator sees it, active or ended; undefined when it has been removed. */
  async findById(id: string, visitor: Visitor, now = new Date()): Promise<OwnPushDto | undefined> {
    const push = await this.pushes.findById(id);
    return push ? OwnPushDto.ofOwn(push, this.pushSeal.openOwnersFields(push), visitor, now) : undefined;
  }

  /** Checks in this order: the push exists, the visitor owns it, the page exists. */
  async listAudit(
    urlToken: string,
    visitor: Visitor,
    page: unknown,
  ): Promise<Paged<{ logs: AuditEntryDto[] }>> {
    const push = await this.pushes.find(urlToken);
    if (!push.isOwnedBy(visitor.userId))
      throw new ForbiddenException('Only the owner may read the audit log.');

    const entries = await this.audit.list(push.id, Page.parse(page));
    return entries.map((logs) => ({ logs }));
  }

  async listActive(visitor: Visitor, page: Page, now = new Date()): Promise<Paged<OwnPushDto[]>> {
    const [pushes, total] = await this.pushes.findActive(ownId(visitor), now, page);
    return new Paged(this.present(pushes, visitor, now), page.number, total);
  }

  async listExpired(visitor: Visitor, page: Page, now = new Date()): Promise<Paged<OwnPushDto[]>> {
    const [pushes, total] = await this.pushes.findExpired(ownId(visitor), now, page);
    return new Paged(this.present(pushes, visitor, now), page.number, total);
  }

  /** Ends a push immediately. Repeating it changes nothing. */
  async delete(urlToken: string, visitor: Visitor, now = new Date()): Promise<PushDto> {
    const push = await this.pushes.find(urlToken);
    if (!push.mayBeDeletedBy(visitor.userId)) throw refusalToDelete(visitor);

    const { push: seen, change } = await this.pushes.apply(
      push,
      (current) => current.delete(now),
      () => ({
        rows: [this.audit.newRow({ pushId: push.id, kind: 'expire', urlToken }, visitor, now)],
        statements: push.filesCount > 0 ? [this.files.revoke([push.id], now)] : [],
      }),
    );
    if (change && seen.expiredOn === null) {
      const by = seen.isOverdue(now) ? 'days' : 'delete';
      this.events.emit(new PushExpired(seen, seen.endedOn(now) ?? now, by));
    }
    if (push.filesCount > 0) await this.filePurge.purgePush(push.id);
    // read again, because other requests may have viewed or deleted it since
    return PushDto.of(await this.pushes.find(urlToken), urlToken, visitor, now);
  }

  private async uploadInline(files: InlineFile[], { userId }: Visitor, now: Date): Promise<Upload> {
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    if (bytes > (await this.quota.left(userId, now))) throw this.quota.refusal(now);
    return this.files.uploadInline(files);
  }

  private async createWith(
    upload: Upload | undefined,
    terms: PushTerms,
    visitor: Visitor,
    now: Date,
    rowsBeside?: (push: Push) => NewRow[],
  ): Promise<OwnPushDto> {
    const urlToken = newToken();
    const isReadLater = visitor.userId !== undefined || rowsBeside !== undefined;
    const push = await this.build(upload, terms, urlToken, visitor, now, isReadLater);
    const rows = [
      this.pushes.insert(push),
      this.audit.newRow({ pushId: push.id, kind: 'creation', urlToken }, visitor, now),
      ...(rowsBeside?.(push) ?? []),
      ...(upload ? this.files.newRows(upload) : []),
    ];
    const parent = push.userId === null ? undefined : { table: 'users', id: push.userId };
    const guard = upload && (await this.quota.booking(visitor.userId, upload.size, now));
    if (!(await this.unitOfWork.write({ parent, guard, rows }))) {
      throw (await this.isAccountDeleted(visitor)) ? accountDeleted() : this.quota.refusal(now);
    }
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
    isReadLater: boolean,
  ): Promise<Push> {
    const id = upload?.pushId ?? newId();
    const dataKey = upload?.dataKey ?? newKey();
    const { name, note } = terms;
    const owners = isReadLater ? { urlToken, name, note } : undefined;
    const bound = { id, tokenDigest: digestOf(urlToken), userId: visitor.userId ?? null };
    return Object.assign(new Push(), {
      ...bound,
      kind: terms.kind,
      ...(await this.pushSeal.seal(bound, terms, dataKey, owners, visitor.ip)),
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
      version: 0,
      filesCount: upload?.files.length ?? 0,
    });
  }

  private async isAccountDeleted({ userId }: Visitor): Promise<boolean> {
    return userId !== undefined && !(await this.users.existsBy({ id: userId }));
  }

  private present(pushes: Push[], visitor: Visitor, now: Date): OwnPushDto[] {
    return pushes.map((push) => OwnPushDto.ofOwn(push, this.pushSeal.openOwnersFields(push), visitor, now));
  }
}

function accountDeleted(): UnauthorizedException {
  return new UnauthorizedException('This account has just been deleted.');
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

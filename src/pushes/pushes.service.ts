import { ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { AuditEntryDto } from '../audit/audit-entry.dto.js';
import { AuditService } from '../audit/audit.service.js';
import { Page, Paged } from '../common/page.js';
import { digestOf, newToken } from '../common/tokens.js';
import type { Visitor } from '../common/visitor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { htmlUrl, OwnPushDto, PreviewDto, PushDto } from './push.dto.js';
import { Push } from './push.entity.js';
import { PushSeal } from './push-seal.js';
import { PushStore } from './push.store.js';
import type { PushTerms } from './push-terms.js';

/** Makes, tells of and ends pushes. Retrieving is `RetrievalsService`'s. */
@Injectable()
export class PushesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: PushStore,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
  ) {}

  async create(terms: PushTerms, visitor: Visitor, now = new Date()): Promise<OwnPushDto> {
    const urlToken = newToken();
    const push = await this.build(terms, urlToken, visitor, now);
    await this.unitOfWork.run(async (manager) => {
      await this.store.insert(manager, push);
      await this.audit.record(manager, { pushId: push.id, kind: 'creation', urlToken }, visitor, now);
    });
    const { name = '', note = '' } = terms;
    return OwnPushDto.ofOwn(push, { urlToken, name, note }, visitor, now);
  }

  /** Where a person opens it; works after its end too. */
  async preview(urlToken: string, visitor: Visitor): Promise<PreviewDto> {
    return { url: htmlUrl(await this.store.find(urlToken), urlToken, visitor.address) };
  }

  /** @throws NotFoundException */
  async assertExists(urlToken: string): Promise<void> {
    await this.store.find(urlToken);
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

    await this.unitOfWork.run(async (manager) => {
      const made = await this.store.change(manager, push, (current) => current.delete(now));
      if (made) await this.audit.record(manager, { pushId: push.id, kind: 'expire', urlToken }, visitor, now);
    });
    // asked again, because others may have viewed or deleted it since it was found
    return PushDto.of(await this.store.find(urlToken), urlToken, visitor, now);
  }

  private async build(terms: PushTerms, urlToken: string, visitor: Visitor, now: Date): Promise<Push> {
    const id = uuidv7();
    return Object.assign(new Push(), {
      id,
      tokenDigest: digestOf(urlToken),
      kind: terms.kind,
      userId: visitor.userId ?? null,
      ...(await this.pushSeal.seal(id, urlToken, terms)),
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
    });
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

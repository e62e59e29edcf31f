import { ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { NotYet } from '../../platform/http/errors/not-yet.js';
import { ListPage, Paged } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { FilePurgeService } from '../../files/file-purge.service.js';
import { FilesService } from '../../files/files.service.js';
import type { NoticeEvent } from './notice-events.js';
import { OwnPushDto, PreviewDto, PushDto } from './push.dto.js';
import type { Push, OpeningRefusal } from './push.entity.js';
import type { PushKind } from '../../shared/push-kind.js';
import { PushEvents, PushExpired } from './push-events.js';
import { PushSeal } from './push-seal.js';
import { PushRepository } from './push.repository.js';
import { Problem } from '../../platform/errors/problem.js';

/** What anyone may know about an active push before it is retrieved. */
export interface OpenRequirements {
  /** Whether its page waits for a click: its sender has chosen so, or its link was mailed from here. */
  waitsForClick: boolean;
  passphraseRequired: boolean;
  clientEncrypted: boolean;
  /** Whether the visitor must prove by a code to be one of its recipients. */
  codeNeeded: boolean;
  /** Whether only its owner, who is the visitor then, can open it. */
  ownerOnly: boolean;
  /** False where it has no files and the visitor may know that, as with `content`. */
  mayHaveFiles: boolean;
  /** Why the visitor cannot open it now. */
  refusal?: OpeningRefusal;
  /** The email address of the account that sends it, if the sender has chosen that it is named. */
  sender?: string;
  /**
   * What remains of it; undefined with a passphrase or recipients, because whoever has only the link may not follow its
   * use. Of a push that the client has encrypted the server does not know whether its link is enough.
   */
  remaining?: RemainingLimits;
  /** What is in it; undefined where `remaining` is, where its sender hides it, and where nobody wants to open it. */
  content?: PushContent;
}

/** What is known of a secret without reading it. What a client has encrypted is a text or files. */
export interface PushContent {
  kind: PushKind;
  /** How many files there are, without those that are missing. */
  count?: number;
  /** Of all files. */
  bytes?: number;
}

export interface RemainingLimits {
  views: number;
  until: Date;
  /** Hours in which its first view will end it; null without this limit, and after that view. */
  hoursAfterFirstView: number | null;
}

interface DescribedPush {
  push: PushDto | OwnPushDto;
  isOwner: boolean;
  /** The events that the visitor may still get a mail about, as its owner. */
  notices: NoticeEvent[];
}

/** A push that was created on a page, and what whoever created it may know of it. */
export interface CreationResult {
  push: OwnPushDto;
  /** Whether it belongs to the account of the visitor. */
  isOwner: boolean;
  /** The events that the visitor gets a mail about, as its owner. */
  notices: NoticeEvent[];
  /** The key with which a sender without an account may delete the push. */
  deleteKey: string | undefined;
}

/** A push of the visitor. */
export interface FoundPush {
  push: OwnPushDto;
  /** How many it has. */
  files: number;
  /** Whether anybody has opened it, its owner included. */
  wasOpened: boolean;
}

/** Lists, describes and deletes pushes. `CreationsService` creates them, `RetrievalsService` retrieves them. */
@Injectable()
export class PushesService {
  constructor(
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly filePurge: FilePurgeService,
    private readonly events: PushEvents,
  ) {}

  /** The URL of the page on which a person opens the push; also after the push has ended. */
  async preview(urlToken: string, visitor: Visitor): Promise<PreviewDto> {
    return PreviewDto.of(await this.pushes.find(urlToken, visitor), urlToken, visitor);
  }

  /**
   * An active push as its owner sees it, or as anyone with its link may, and whether it is the visitor's own. A push that
   * has ended gives the same error as one that never existed.
   * @throws NotFoundException
   */
  async describe(urlToken: string, visitor: Visitor, now = new Date()): Promise<DescribedPush> {
    const push = await this.pushes.findIfActive(urlToken, visitor, now);
    const isOwner = push.isOwnedBy(visitor.userId);
    return {
      push: isOwner ? this.ownDto(push, urlToken, visitor, now) : PushDto.of(push, urlToken, visitor, now),
      isOwner,
      notices: push.noticesFor(visitor.userId),
    };
  }

  /** @throws NotFoundException */
  async assertExists(urlToken: string, visitor: Visitor): Promise<void> {
    await this.pushes.find(urlToken, visitor);
  }

  /**
   * Describes how a push may be opened. A push that has ended gives the same error as one that never existed.
   * @throws NotFoundException
   */
  async openRequirements(urlToken: string, visitor: Visitor, now = new Date()): Promise<OpenRequirements> {
    return openRequirementsOf(await this.pushes.findIfActive(urlToken, visitor, now), visitor, now);
  }

  /**
   * A push as its owner sees it, active or ended.
   * @throws NotFoundException also when it belongs to another account
   */
  async findOwn(urlToken: string, visitor: Visitor, now = new Date()): Promise<OwnPushDto> {
    const push = await this.pushes.findOwn(urlToken, visitor);
    return this.ownDto(push, urlToken, visitor, now);
  }

  /** Whether a push exists and belongs to the account of the visitor. */
  isOwn(urlToken: string, visitor: Visitor): Promise<boolean> {
    return this.pushes.isOwn(urlToken, visitor);
  }

  /** A push as whoever created it on a page sees it, active or ended; undefined when it has been removed. */
  async findCreated(id: string, visitor: Visitor, now = new Date()): Promise<CreationResult | undefined> {
    const push = await this.pushes.findById(id);
    if (!push) return undefined;
    return {
      push: OwnPushDto.ofOwn(push, this.pushSeal.unsealOwnerFields(push), visitor, now),
      isOwner: push.isOwnedBy(visitor.userId),
      notices: push.noticesFor(visitor.userId),
      deleteKey: this.pushSeal.deleteKey(push),
    };
  }

  /** Those of these pushes that exist and are the visitor's own, in the order of the ids. */
  async findOwnByIds(ids: string[], visitor: Visitor, now = new Date()): Promise<FoundPush[]> {
    const pushes = await this.pushes.findByIds(ids);
    return pushes
      .filter((push) => push.isOwnedBy(visitor.userId))
      .map((push) => ({
        push: OwnPushDto.ofOwn(push, this.pushSeal.unsealOwnerFields(push), visitor, now),
        files: push.filesCount,
        wasOpened: push.wasOpened(),
      }));
  }

  /** Lets whoever has its link open what only its owner could open. What is encrypted to a key stays as it is. */
  async share(urlToken: string, visitor: Visitor, now = new Date()): Promise<void> {
    const push = await this.pushes.findOwn(urlToken, visitor);
    await this.pushes.apply(
      push,
      (current) => current.share(now),
      (tx) => {
        this.audit.record(tx, { pushId: push.id, kind: 'edit', urlToken, byOwner: true }, visitor, now);
      },
    );
  }

  /** The name that the owner gave a push; undefined without one, and when the push has been removed. */
  async findName(id: string, userId: string): Promise<string | undefined> {
    const push = await this.pushes.findById(id);
    if (!push?.isOwnedBy(userId)) return undefined;
    return this.pushSeal.unsealOwnerFields(push).name || undefined;
  }

  async listActive(visitor: Visitor, page: ListPage, now = new Date()): Promise<Paged<OwnPushDto[]>> {
    const [pushes, total] = await this.pushes.findActive(ownId(visitor), now, page);
    return new Paged(this.present(pushes, visitor, now), page.number, total);
  }

  async listExpired(visitor: Visitor, page: ListPage, now = new Date()): Promise<Paged<OwnPushDto[]>> {
    const [pushes, total] = await this.pushes.findExpired(ownId(visitor), now, page);
    return new Paged(this.present(pushes, visitor, now), page.number, total);
  }

  /** Ends a push immediately. Repeating it changes nothing. */
  async delete(urlToken: string, visitor: Visitor, now = new Date()): Promise<PushDto> {
    const push = await this.pushes.find(urlToken, visitor);
    if (!push.mayBeDeletedBy(visitor.userId)) throw deletionForbidden(visitor);
    return this.endAndDescribe(push, urlToken, visitor, now);
  }

  /** Ends a push as `delete` does, for its owner, whose list may not have its token because the row is damaged. */
  async deleteOwn(push: Push, visitor: Visitor, now = new Date()): Promise<void> {
    if (!push.isOwnedBy(visitor.userId)) throw deletionForbidden(visitor);
    await this.end(push, this.pushSeal.unsealOwnerFields(push).urlToken || undefined, visitor, now);
  }

  /**
   * Ends a push as `delete` does, for whoever has its delete key.
   * @throws ForbiddenException when the key is wrong, or the push has none
   */
  async deleteWithKey(urlToken: string, key: string, visitor: Visitor, now = new Date()): Promise<PushDto> {
    const push = await this.pushes.find(urlToken, visitor);
    if (!push.mayBeDeletedBy(visitor.userId) && !this.pushSeal.isDeleteKey(push, key))
      throw new ForbiddenException(new Problem('not_your_push'));
    return this.endAndDescribe(push, urlToken, visitor, now);
  }

  private ownDto(push: Push, urlToken: string, visitor: Visitor, now: Date): OwnPushDto {
    return OwnPushDto.ofOwn(push, { ...this.pushSeal.unsealOwnerFields(push), urlToken }, visitor, now);
  }

  private async endAndDescribe(push: Push, urlToken: string, visitor: Visitor, now: Date): Promise<PushDto> {
    await this.end(push, urlToken, visitor, now);
    // read again, because other requests may have viewed or deleted it since
    return PushDto.of(await this.pushes.find(urlToken, visitor), urlToken, visitor, now);
  }

  private async end(push: Push, urlToken: string | undefined, visitor: Visitor, now: Date): Promise<void> {
    const byOwner = push.isOwnedBy(visitor.userId);
    const entry = { pushId: push.id, kind: 'expire', urlToken, byOwner } as const;
    await this.pushes.apply(
      push,
      (current) => current.delete(now),
      (tx, current) => {
        this.audit.record(tx, entry, visitor, now);
        if (current.expiredOn === null) this.events.record(tx, endOf(current, now), current, now);
        if (push.filesCount > 0) this.files.revoke(tx, [push.id], now);
      },
    );
    if (push.filesCount > 0) await this.filePurge.purgePush(push.id);
  }

  private present(pushes: Push[], visitor: Visitor, now: Date): OwnPushDto[] {
    return pushes.map((push) => OwnPushDto.ofOwn(push, this.pushSeal.unsealOwnerFields(push), visitor, now));
  }
}

export function openRequirementsOf(push: Push, { userId }: Visitor, now: Date): OpenRequirements {
  const { retrievalStep, clientEncrypted, ownerOnly } = push;
  const passphraseRequired = push.isProtected(now);
  const codeNeeded = push.needsCodeOf(userId);
  const showsLimits = !codeNeeded && (clientEncrypted || !passphraseRequired);
  const remaining = {
    views: push.viewsRemaining(),
    until: push.expiresAt,
    hoursAfterFirstView: push.hoursAfterFirstView(),
  };
  return {
    waitsForClick: retrievalStep,
    passphraseRequired,
    clientEncrypted,
    codeNeeded,
    ownerOnly,
    mayHaveFiles: push.filesCount > 0 || !showsLimits || push.hidesContents,
    remaining: showsLimits ? remaining : undefined,
  };
}

/** The 403 of a push that the visitor cannot open now. */
export function refusalError(refusal: OpeningRefusal, now: Date): ForbiddenException {
  return refusal.reason === 'network'
    ? new ForbiddenException(new Problem('network_not_allowed'))
    : new NotYet(new Problem('not_open_yet', { at: refusal.opensAt.toISOString() }), refusal.opensAt, now);
}

/** How a delete ends a push that has not ended yet. */
function endOf(push: Push, now: Date): PushExpired {
  return new PushExpired(push, push.endedOn(now) ?? now, push.isOverdue(now) ? 'days' : 'delete');
}

function deletionForbidden({ userId }: Visitor): Error {
  return userId === undefined
    ? new UnauthorizedException(new Problem('delete_needs_token'))
    : new ForbiddenException(new Problem('delete_not_allowed'));
}

/** @throws UnauthorizedException for a visitor without an account */
export function ownId({ userId }: Visitor): string {
  if (userId === undefined) throw new UnauthorizedException(new Problem('token_needed'));
  return userId;
}

import { Injectable, UnauthorizedException } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditKind } from '../audit/audit-entry.entity.js';
import { AuditService } from '../audit/audit.service.js';
import type { Visitor } from '../common/visitor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FilesService } from '../files/files.service.js';
import { Settings } from '../settings/settings.js';
import { PassphraseAttempt } from './passphrase-attempt.entity.js';
import { PassphraseThrottle } from './passphrase-throttle.js';
import { PassphraseFailed, PushEvents, PushExpired, PushRetrieved } from './push-events.js';
import { PushDto, RetrievedPushDto } from './push.dto.js';
import type { Push, PushChange } from './push.entity.js';
import type { OpenedPush } from './push-seal.js';
import { PushSeal, WrongPassphrase } from './push-seal.js';
import type { AuditCounter } from './push.store.js';
import { PushStore } from './push.store.js';

/** One request for a secret. */
interface Retrieval {
  push: Push;
  urlToken: string;
  visitor: Visitor;
  now: Date;
  /** Booked when a passphrase came with it. */
  attempt?: PassphraseAttempt;
}

/**
 * Shows secrets, never more often than promised: opened and checked first, then claimed, then answered.
 * If the process dies between claim and answer the view is spent, never the other way round.
 */
@Injectable()
export class RetrievalsService {
  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly store: PushStore,
    private readonly pushSeal: PushSeal,
    private readonly throttle: PassphraseThrottle,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly events: PushEvents,
  ) {}

  async retrieve(
    urlToken: string,
    passphrase: string | undefined,
    visitor: Visitor,
    now = new Date(),
  ): Promise<RetrievedPushDto> {
    const clock = clockFrom(now);
    const push = await this.store.findWithPayload(urlToken);
    const retrieval: Retrieval = { push, urlToken, visitor, now };
    if (push.isExpired(now)) return this.answerExpired(retrieval);

    if (push.isProtected(now)) {
      if (!passphrase) throw refusal('This push needs its passphrase.');
      retrieval.attempt = await this.throttle.book(push, visitor.ip, now);
    }
    const opened = await this.open(retrieval, passphrase);
    if (retrieval.attempt) retrieval.now = clock(); // checking took a while, in which the push may have ended
    return this.claim(retrieval, opened);
  }

  private async open(retrieval: Retrieval, passphrase: string | undefined): Promise<OpenedPush> {
    try {
      return await this.pushSeal.open(retrieval.push, passphrase);
    } catch (error) {
      if (error instanceof WrongPassphrase) {
        await this.unitOfWork.run((manager) => this.recordFailure(manager, retrieval, 'failed_passphrase'));
        this.events.emit(new PassphraseFailed(retrieval.push, retrieval.now));
        throw refusal('The passphrase is wrong.');
      } else {
        await this.unitOfWork.run((manager) => this.giveBackAttempt(manager, retrieval)); // the fault is ours
        throw error;
      }
    }
  }

  private async claim(retrieval: Retrieval, { payload, dataKey }: OpenedPush): Promise<RetrievedPushDto> {
    const { push, urlToken, visitor, now } = retrieval;
    const files = push.filesCount > 0 ? await this.files.links(push.id, dataKey, visitor.address, now) : [];
    const view =
      (await this.claimAtOnce(retrieval)) ??
      (await this.unitOfWork.run(async (manager) => {
        await this.giveBackAttempt(manager, retrieval);
        const claimed = await (this.isFreeOfCharge(retrieval)
          ? this.claimFree(manager, retrieval)
          : this.claimView(manager, retrieval));
        if (claimed && push.filesCount > 0) await this.files.extendLinks(manager, push.id, now);
        return claimed;
      }));
    if (!view) return this.answerExpired({ ...retrieval, push: await this.store.find(urlToken) });

    // whoever gets the last view is told of the push as it was seen, not yet expired
    const { viewsCounted = push.viewsCounted, updatedAt = push.updatedAt } = view;
    Object.assign(push, { viewsCounted, updatedAt });
    this.events.emit(new PushRetrieved(push, now, push.viewsRemaining()));
    if (view.expiredOn) this.events.emit(new PushExpired(push, now, 'views'));
    return {
      ...PushDto.of(push, urlToken, visitor, now),
      payload,
      files,
    };
  }

  /** Nearly always nobody has viewed the push since it was seen, and a view is a change and an entry, known beforehand. */
  private async claimAtOnce(retrieval: Retrieval): Promise<PushChange | undefined> {
    const { push, urlToken, visitor, now, attempt } = retrieval;
    if (attempt || push.filesCount > 0 || this.isFreeOfCharge(retrieval)) return undefined;

    const view = push.view(now);
    if (!view) return undefined;
    const rows = [this.audit.newRow({ pushId: push.id, kind: 'view', urlToken }, visitor, now)];
    return (await this.unitOfWork.write({ change: this.store.changeOf(push, view), rows }))
      ? view
      : undefined;
  }

  private async claimView(manager: EntityManager, retrieval: Retrieval): Promise<PushChange | undefined> {
    const { push, now } = retrieval;
    const view = await this.store.change(manager, push, (current) => current.view(now));
    if (view) {
      if (view.expiredOn && push.filesCount > 0) await this.files.end(manager, [push.id], now);
      await this.record(manager, retrieval, 'view');
    }
    return view;
  }

  /** The owner's own view, where those do not count. */
  private async claimFree(manager: EntityManager, retrieval: Retrieval): Promise<PushChange | undefined> {
    if ((await this.store.hold(manager, retrieval.push.id)).isExpired(retrieval.now)) return undefined;
    await this.recordBounded(manager, retrieval, 'owner_view', 'ownerViewsAudited');
    return {};
  }

  private isFreeOfCharge({ push, visitor }: Retrieval): boolean {
    return !this.settings.OWNER_VIEWS_COUNT && push.isOwnedBy(visitor.userId);
  }

  private async answerExpired(retrieval: Retrieval): Promise<RetrievedPushDto> {
    const { push, urlToken, visitor, now } = retrieval;
    await this.unitOfWork.run((manager) => this.recordFailure(manager, retrieval, 'failed_view'));
    return { ...PushDto.of(push, urlToken, visitor, now), payload: null, files: [] };
  }

  private recordFailure(manager: EntityManager, retrieval: Retrieval, kind: AuditKind): Promise<void> {
    return this.recordBounded(manager, retrieval, kind, 'failuresAudited');
  }

  private async recordBounded(
    manager: EntityManager,
    retrieval: Retrieval,
    kind: AuditKind,
    counter: AuditCounter,
  ): Promise<void> {
    if (await this.store.mayAudit(manager, retrieval.push, counter))
      await this.record(manager, retrieval, kind);
  }

  private record(
    manager: EntityManager,
    { push, urlToken, visitor, now }: Retrieval,
    kind: AuditKind,
  ): Promise<void> {
    return this.audit.record(manager, { pushId: push.id, kind, urlToken }, visitor, now);
  }

  private async giveBackAttempt(manager: EntityManager, { attempt }: Retrieval): Promise<void> {
    if (attempt) await this.throttle.giveBack(manager, attempt);
  }
}

/** A clock that stands at `now` and goes on from there. */
function clockFrom(now: Date): () => Date {
  const startedAt = performance.now();
  return () => new Date(now.getTime() + Math.floor(performance.now() - startedAt));
}

function refusal(message: string): UnauthorizedException {
  return new UnauthorizedException({ error: message, message, status: 'unauthorized' });
}

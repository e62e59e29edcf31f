import { Injectable, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import type { AuditEvent } from '../../audit/audit.service.js';
import { AuditService } from '../../audit/audit.service.js';
import { User } from '../../auth/entities/user.entity.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clockFrom, PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import { Log } from '../../platform/logging/log.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { FileLinks } from '../../files/files.service.js';
import { FilesService } from '../../files/files.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { newId } from '../../platform/random/random.js';
import { isDuplicate } from '../../platform/database/errors/database-error.js';
import type { OpeningProof } from './opening-proof.js';
import { RetrievalTurns } from './retrieval-turns.js';
import { AttemptQueues } from '../passphrase/attempt-queues.js';
import type { PendingAttempt } from '../../platform/throttling/client-attempt.js';
import type { ProvenRecipient, RecipientProof } from '../recipients/open-codes.service.js';
import { OpenCodesService } from '../recipients/open-codes.service.js';
import { RecipientsService } from '../recipients/recipients.service.js';
import { emailToName } from '../../auth/entities/emails.js';
import { LinkMail } from '../link-mails/link-mail.entity.js';
import { PushNoticesService } from '../notices/push-notices.service.js';
import type { PushEvent } from '../push/push-events.js';
import { PassphraseFailed, PushEvents, PushExpired, PushRetrieved } from '../push/push-events.js';
import { PushDto, RetrievedPushDto } from '../push/push.dto.js';
import type { Push, PushChange } from '../push/push.entity.js';
import type { AppliedRule } from '../push/push.repository.js';
import { PushRepository } from '../push/push.repository.js';
import type { OpenRequirements } from '../push/pushes.service.js';
import { openRequirementsOf, refusalError } from '../push/pushes.service.js';
import type { UnsealedPush } from '../push/push-seal.js';
import { PushSeal, WrongPassphrase } from '../push/push-seal.js';
import { Problem } from '../../platform/errors/problem.js';

/** A request for a secret. */
interface Retrieval {
  push: Push;
  urlToken: string;
  visitor: Visitor;
  now: Date;
  /** Counted before the passphrase that came with the request is checked. */
  attempt?: PendingAttempt;
  /** Who opens a push that names its recipients, unless it is its owner. */
  recipient?: ProvenRecipient;
}

/** A retrieved push, and the links to its files if it has any. */
export interface RetrievedWithLinks {
  push: RetrievedPushDto;
  links?: FileLinks;
}

/**
 * Returns secrets, never more often than the view limit allows: a push is checked and unsealed first, then the view is
 * committed, then the response is sent. If the process dies before the response, the view has still been counted.
 */
@Injectable()
export class RetrievalsService {
  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    @InjectRepository(LinkMail) private readonly linkMails: Repository<LinkMail>,
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly throttle: PassphraseThrottle,
    private readonly attemptQueues: AttemptQueues,
    private readonly codes: OpenCodesService,
    private readonly recipients: RecipientsService,
    private readonly turns: RetrievalTurns,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly notices: PushNoticesService,
    private readonly events: PushEvents,
    private readonly log: Log,
  ) {}

  async retrieve(
    urlToken: string,
    proof: OpeningProof,
    visitor: Visitor,
    now = new Date(),
  ): Promise<RetrievedPushDto> {
    return (await this.retrieveWithLinks(urlToken, proof, visitor, now)).push;
  }

  /** The same, with what pages show of its files. */
  retrieveWithLinks(
    urlToken: string,
    proof: OpeningProof,
    visitor: Visitor,
    now = new Date(),
  ): Promise<RetrievedWithLinks> {
    const clock = clockFrom(now);
    return this.turns.run(
      visitor.ip,
      () => this.pushes.findWithPayload(urlToken, visitor),
      (push, mayHaveWaited) => {
        const retrieval = { push, urlToken, visitor, now: mayHaveWaited ? clock() : now };
        return this.retrieveFound(retrieval, proof, clock);
      },
    );
  }

  private async retrieveFound(
    retrieval: Retrieval,
    { passphrase, recipient }: OpeningProof,
    clock: () => Date,
  ): Promise<RetrievedWithLinks> {
    const { push, visitor, now } = retrieval;
    if (push.isExpired(now)) return this.retrieveExpired(retrieval);
    const refusal = push.refusalFor(visitor.ip, now);
    if (refusal) {
      await this.recordFailure(retrieval, 'failed_view');
      throw refusalError(refusal, now);
    }
    if (push.needsCodeOf(visitor.userId))
      retrieval.recipient = await this.proveRecipient(retrieval, recipient);

    if (!push.isProtected(now))
      return this.commitView(retrieval, await this.pushSeal.unseal(push, undefined, visitor.ip));
    if (!passphrase) throw openingRefused(new Problem('passphrase_needed'));
    const opened = push.hasProof() ? await this.openByProof(retrieval, passphrase) : undefined;
    if (opened) return this.commitView(retrieval, opened);
    return this.attemptQueues.run(push.id, visitor.ip, (hasWaited) =>
      this.retrieveProtected(retrieval, passphrase, clock, hasWaited),
    );
  }

  /** @throws UnauthorizedException */
  private async proveRecipient(
    retrieval: Retrieval,
    proof: RecipientProof | undefined,
  ): Promise<ProvenRecipient> {
    if (!proof) throw openingRefused(new Problem('code_needed'));
    const proven = await this.codes.check(retrieval.push, proof, retrieval.now);
    if (proven) return proven;
    const { push, urlToken, visitor, now } = retrieval;
    await this.recipients.recordRefusal(push, {
      kind: 'failed_code',
      ...{ email: proof.email, urlToken, visitor, now },
    });
    throw codeRefused();
  }

  /**
   * Describes how a push may be opened, as `PushesService.openRequirements` does, for someone who wants to open it: a
   * visit after its end is a retrieval that fails, and is recorded as one, as is a visit that is refused.
   * @throws NotFoundException
   */
  async visit(urlToken: string, visitor: Visitor, now = new Date()): Promise<OpenRequirements> {
    const push = await this.pushes.find(urlToken, visitor);
    if (push.isExpired(now)) {
      await this.recordFailure({ push, urlToken, visitor, now }, 'failed_view');
      throw new NotFoundException();
    }
    const refusal = push.refusalFor(visitor.ip, now);
    if (refusal) await this.recordFailure({ push, urlToken, visitor, now }, 'failed_view');
    const requirements = openRequirementsOf(push, visitor, now);
    return {
      ...requirements,
      retrievalStep: requirements.retrievalStep || (await this.wasMailed(push)),
      refusal,
      sender: await this.senderOf(push),
    };
  }

  /** Programs that check mails load the links in them, and run the scripts of the pages. */
  private async wasMailed({ id, userId }: Push): Promise<boolean> {
    return userId !== null && (await this.linkMails.existsBy({ pushId: id }));
  }

  private async senderOf({ namesSender, userId }: Push): Promise<string | undefined> {
    if (!namesSender || userId === null) return undefined;
    const sender = await this.usersRepository.findOneBy({ id: userId });
    return sender ? emailToName(sender) : undefined;
  }

  /** Nobody can guess a proof, so no attempt is counted before a right one; undefined if it is wrong. */
  private async openByProof({ push, visitor }: Retrieval, proof: string): Promise<UnsealedPush | undefined> {
    try {
      return await this.pushSeal.unseal(push, proof, visitor.ip);
    } catch (error) {
      if (error instanceof WrongPassphrase) return undefined;
      throw error;
    }
  }

  private async retrieveProtected(
    retrieval: Retrieval,
    passphrase: string,
    clock: () => Date,
    hasWaited: boolean,
  ): Promise<RetrievedWithLinks> {
    if (hasWaited) {
      // the push may have changed or expired in the meantime
      retrieval.now = clock();
      retrieval.push = await this.pushes.findWithPayload(retrieval.urlToken, retrieval.visitor);
      if (retrieval.push.isExpired(retrieval.now)) return this.retrieveExpired(retrieval);
    }
    retrieval.attempt = await this.throttle.recordAttempt(
      retrieval.push,
      retrieval.visitor.ip,
      retrieval.now,
    );
    const opened = await this.open(retrieval, passphrase);
    retrieval.now = clock(); // hashing takes time, in which the push may have expired
    try {
      return await this.commitView(retrieval, opened);
    } catch (error) {
      await this.tryToDeleteAttempt(retrieval); // the passphrase was correct
      throw error;
    }
  }

  private async open(retrieval: Retrieval, passphrase: string): Promise<UnsealedPush> {
    try {
      return await this.pushSeal.unseal(retrieval.push, passphrase, retrieval.visitor.ip);
    } catch (error) {
      if (error instanceof WrongPassphrase) {
        const event = new PassphraseFailed(retrieval.push, retrieval.now);
        await Promise.all([
          this.recordWrongAttempt(retrieval),
          this.recordFailure(retrieval, 'failed_passphrase', event),
        ]);
        this.events.emit(event);
        throw openingRefused(new Problem('passphrase_wrong'));
      } else {
        await this.tryToDeleteAttempt(retrieval); // a server error, not a wrong passphrase
        throw error;
      }
    }
  }

  /** Counts the view, and commits it together with its audit entry and the changes to files and attempt. */
  private async commitView(
    retrieval: Retrieval,
    { payload, dataKey }: UnsealedPush,
  ): Promise<RetrievedWithLinks> {
    const { push: found, urlToken, visitor, now, recipient } = retrieval;
    const isOwner = found.isOwnedBy(visitor.userId);
    const links = found.filesCount > 0 ? await this.createLinks(retrieval, dataKey, isOwner) : undefined;
    const isUncounted = isOwner && (found.ownerOnly || !this.settings.OWNER_VIEWS_COUNT);
    let applied: AppliedRule;
    try {
      applied = await this.pushes.apply(
        found,
        (current) => {
          if (recipient && !this.codes.isNamed(current, recipient.email)) throw codeRefused(); // removed meanwhile
          return isUncounted ? current.viewUncounted(now) : current.view(now, isOwner);
        },
        (tx, current, change) => {
          this.recordView(tx, { ...retrieval, push: current }, change, isUncounted);
        },
      );
    } catch (error) {
      throw recipient && isDuplicate(error) ? codeRefused() : error; // another view has used the code
    }
    const { push, change } = applied;
    if (!change) {
      await this.deleteAttempt(retrieval);
      return this.retrieveExpired({ ...retrieval, push });
    }
    // the response to the last view shows the push as not yet expired
    const {
      viewsCounted = push.viewsCounted,
      updatedAt = push.updatedAt,
      expiresAt = push.expiresAt,
    } = change;
    Object.assign(push, { viewsCounted, updatedAt, expiresAt });
    const shown = Object.assign(PushDto.of(push, urlToken, visitor, now), {
      payload,
      files: links?.files ?? [],
      ...(links && links.missing.length > 0 && { missing_files: links.missing }),
    });
    return { push: shown, links };
  }

  private createLinks(
    { push, visitor, recipient, now }: Retrieval,
    dataKey: Buffer,
    isOwner: boolean,
  ): Promise<FileLinks> {
    const holder = recipient && this.recipients.holderFor(push, recipient.email);
    const { allowedNetworks } = push;
    const reader = { baseUrl: visitor.baseUrl, isOwner, allowedNetworks, holder };
    return this.files.createLinks(push.id, dataKey, reader, now);
  }

  private recordView(tx: Transaction, retrieval: Retrieval, change: PushChange, isUncounted: boolean): void {
    const { push, visitor, attempt, now, recipient } = retrieval;
    const isAudited = !isUncounted || push.ownerViewsAudited < MAX_AUDITED;
    const id = newId();
    if (isAudited)
      this.audit.record(tx, entryFor(retrieval, isUncounted ? 'owner_view' : 'view', id), visitor, now);
    if (recipient) this.codes.use(tx, push, recipient, id);
    for (const event of eventsOf(push, change, push.isOwnedBy(visitor.userId), now))
      this.events.record(tx, event, push, now, { withMessages: isAudited });
    if (attempt) this.throttle.delete(tx, attempt);
    if (push.filesCount > 0) this.files.keepForNewLinks(tx, push.id, now);
    if (push.filesCount > 0 && change.expiredOn) this.files.end(tx, [push.id], now);
  }

  private async retrieveExpired(retrieval: Retrieval): Promise<RetrievedWithLinks> {
    const { push, urlToken, visitor, now } = retrieval;
    await this.recordFailure(retrieval, 'failed_view');
    return { push: { ...PushDto.of(push, urlToken, visitor, now), payload: null, files: [] } };
  }

  /** Messages about it have the limit of its audit entries, so that nobody can make us send any number of them. */
  private async recordFailure(
    retrieval: Retrieval,
    kind: AuditKind,
    event?: PassphraseFailed,
  ): Promise<void> {
    const { push, visitor, now } = retrieval;
    await this.unitOfWork.write((tx) => {
      this.pushes.countAuditEntryOrAbort(tx, push, 'failuresAudited');
      this.audit.record(tx, entryFor(retrieval, kind), visitor, now);
      if (event) this.events.notify(tx, event, push, now);
    });
  }

  /** Marks the attempt as wrong, together with a mail to the owner if there is to be one. */
  private async recordWrongAttempt({ push, attempt, visitor, now }: Retrieval): Promise<void> {
    const markWrong = (tx: Transaction) => {
      if (attempt) this.throttle.markWrong(tx, attempt);
    };
    const isNoticed =
      this.notices.isPassphraseNoticeDue(push, visitor, now) &&
      (await this.unitOfWork.write((tx) => {
        this.notices.addPassphraseNotice(tx, push, now);
        markWrong(tx);
      }));
    if (!isNoticed) await this.unitOfWork.write(markWrong);
  }

  private async deleteAttempt({ attempt }: Retrieval): Promise<void> {
    if (!attempt) return;
    await this.unitOfWork.write((tx) => {
      this.throttle.delete(tx, attempt);
    });
  }

  /** Does not throw, so that the original error is reported. */
  private async tryToDeleteAttempt(retrieval: Retrieval): Promise<void> {
    await this.deleteAttempt(retrieval).catch((cause: unknown) => {
      this.log.failure('A passphrase attempt could not be removed from the count', cause);
    });
  }
}

function entryFor({ push, urlToken, visitor }: Retrieval, kind: AuditKind, id?: string): AuditEvent {
  return { id, pushId: push.id, kind, urlToken, byOwner: push.isOwnedBy(visitor.userId) };
}

/** What has happened when the change is committed. */
function eventsOf(push: Push, change: PushChange, byOwner: boolean, now: Date): PushEvent[] {
  const viewsRemaining = push.expireAfterViews - (change.viewsCounted ?? push.viewsCounted);
  const retrieved = new PushRetrieved(push, now, viewsRemaining, byOwner);
  return change.expiredOn ? [retrieved, new PushExpired(push, now, 'views')] : [retrieved];
}

/** The same for everybody who may not open it, whatever is wrong. */
function codeRefused(): UnauthorizedException {
  return openingRefused(new Problem('open_code_wrong'));
}

/** The 401 of a passphrase, or of the code of a recipient, that is missing or wrong. */
export function openingRefused(problem: Problem): UnauthorizedException {
  return new UnauthorizedException({ error: problem, message: problem, status: 'unauthorized' });
}

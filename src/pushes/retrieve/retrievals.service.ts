import { Injectable } from '@nestjs/common';
import type { FileLinks } from '../../files/files.service.js';
import { FilesService } from '../../files/files.service.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { AttemptQueues } from '../passphrase/attempt-queues.js';
import { clockFrom, PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import type { UnsealedPush } from '../push/push-seal.js';
import { PushSeal, WrongPassphrase } from '../push/push-seal.js';
import { PushDto, RetrievedPushDto } from '../push/push.dto.js';
import { PushRepository } from '../push/push.repository.js';
import { refusalError } from '../push/pushes.service.js';
import type { ProvenRecipient, RecipientProof } from '../recipients/open-codes.service.js';
import { OpenCodesService } from '../recipients/open-codes.service.js';
import { RecipientsService } from '../recipients/recipients.service.js';
import type { OpeningProof } from './opening-proof.js';
import { codeRefused, openingRefused } from './opening-proof.js';
import type { Retrieval } from './retrieval-records.js';
import { RetrievalRecords } from './retrieval-records.js';
import { RetrievalTurns } from './retrieval-turns.js';

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
    private readonly turns: RetrievalTurns,
    private readonly pushes: PushRepository,
    private readonly codes: OpenCodesService,
    private readonly recipients: RecipientsService,
    private readonly pushSeal: PushSeal,
    private readonly queues: AttemptQueues,
    private readonly throttle: PassphraseThrottle,
    private readonly files: FilesService,
    private readonly records: RetrievalRecords,
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
        const found = { push, urlToken, visitor, now: mayHaveWaited ? clock() : now };
        return this.retrieveFound(found, proof, clock);
      },
    );
  }

  private async retrieveFound(
    found: Retrieval,
    proof: OpeningProof,
    clock: () => Date,
  ): Promise<RetrievedWithLinks> {
    const { push, visitor, now } = found;
    if (push.isExpired(now)) return this.retrieveExpired(found);
    await this.assertOpen(found);
    const retrieval = { ...found, recipient: await this.recipientOf(found, proof.recipient) };

    if (!push.isProtected(now))
      return this.commitView(retrieval, await this.pushSeal.unseal(push, undefined, visitor.ip));
    const { passphrase } = proof;
    if (!passphrase) throw openingRefused(new Problem('passphrase_needed'));
    // nobody can guess a proof, so no attempt is counted before a right one
    const opened = push.hasProof() ? await this.tryToOpen(retrieval, passphrase) : undefined;
    if (opened) return this.commitView(retrieval, opened);
    return this.queues.run(push.id, visitor.ip, async (hasWaited) => {
      const current = hasWaited ? await this.readAgain(retrieval, clock) : retrieval;
      if (hasWaited && current.push.isExpired(current.now)) return this.retrieveExpired(current);
      return this.retrieveProtected(current, passphrase, clock);
    });
  }

  /** @throws ForbiddenException when it is not open yet, or not to this network */
  private async assertOpen(found: Retrieval): Promise<void> {
    const { push, visitor, now } = found;
    const refusal = push.refusalFor(visitor.ip, now);
    if (!refusal) return;
    await this.records.recordFailure(found, 'failed_view');
    throw refusalError(refusal, now);
  }

  /**
   * Who opens a push that names its recipients; undefined for its owner, and for other pushes.
   * @throws UnauthorizedException
   */
  private async recipientOf(
    { push, urlToken, visitor, now }: Retrieval,
    proof: RecipientProof | undefined,
  ): Promise<ProvenRecipient | undefined> {
    if (!push.needsCodeOf(visitor.userId)) return undefined;
    if (!proof) throw openingRefused(new Problem('code_needed'));
    const proven = await this.codes.check(push, proof, now);
    if (proven) return proven;
    const refused = { kind: 'failed_code', email: proof.email, urlToken, visitor, now } as const;
    await this.recipients.recordRefusal(push, refused);
    throw codeRefused();
  }

  /** Undefined if the passphrase, or the proof, is wrong. */
  private async tryToOpen(
    { push, visitor }: Retrieval,
    passphrase: string,
  ): Promise<UnsealedPush | undefined> {
    try {
      return await this.pushSeal.unseal(push, passphrase, visitor.ip);
    } catch (error) {
      if (error instanceof WrongPassphrase) return undefined;
      throw error;
    }
  }

  /** The push may have changed or expired in the meantime. */
  private async readAgain(retrieval: Retrieval, clock: () => Date): Promise<Retrieval> {
    const now = clock();
    const push = await this.pushes.findWithPayload(retrieval.urlToken, retrieval.visitor);
    return { ...retrieval, now, push };
  }

  private async retrieveProtected(
    retrieval: Retrieval,
    passphrase: string,
    clock: () => Date,
  ): Promise<RetrievedWithLinks> {
    const { push, visitor } = retrieval;
    const attempt = await this.throttle.recordAttempt(push, visitor.ip, retrieval.now);
    try {
      const opened = await this.tryToOpen(retrieval, passphrase);
      if (opened) return await this.commitView({ ...retrieval, attempt, now: clock() }, opened); // it may have expired during the hashing
    } catch (error) {
      await this.records.tryToUncount(attempt); // a server error, or the passphrase was correct
      throw error;
    }
    await this.records.recordWrongPassphrase(retrieval, attempt);
    throw openingRefused(new Problem('passphrase_wrong'));
  }

  private async commitView(
    retrieval: Retrieval,
    { payload, dataKey }: UnsealedPush,
  ): Promise<RetrievedWithLinks> {
    const links = retrieval.push.filesCount > 0 ? await this.createLinks(retrieval, dataKey) : undefined;
    const { push, change } = await this.records.countView(retrieval);
    if (!change) {
      if (retrieval.attempt) await this.records.uncount(retrieval.attempt);
      return this.retrieveExpired({ ...retrieval, push });
    }
    // the response to the last view shows the push as not yet expired
    const {
      viewsCounted = push.viewsCounted,
      updatedAt = push.updatedAt,
      expiresAt = push.expiresAt,
    } = change;
    Object.assign(push, { viewsCounted, updatedAt, expiresAt });
    const { urlToken, visitor, now } = retrieval;
    const shown = Object.assign(PushDto.of(push, urlToken, visitor, now), {
      payload,
      files: links?.files ?? [],
      ...(links && links.missing.length > 0 && { missing_files: links.missing }),
    });
    return { push: shown, links };
  }

  /** Those of a recipient end with their access. */
  private createLinks({ push, visitor, now, recipient }: Retrieval, dataKey: Buffer): Promise<FileLinks> {
    const { allowedNetworks } = push;
    const isOwner = push.isOwnedBy(visitor.userId);
    const holder = recipient && this.recipients.holderFor(push, recipient.email);
    const reader = { baseUrl: visitor.baseUrl, isOwner, allowedNetworks, holder };
    return this.files.createLinks(push.id, dataKey, reader, now);
  }

  private async retrieveExpired(retrieval: Retrieval): Promise<RetrievedWithLinks> {
    const { push, urlToken, visitor, now } = retrieval;
    await this.records.recordFailure(retrieval, 'failed_view');
    return { push: { ...PushDto.of(push, urlToken, visitor, now), payload: null, files: [] } };
  }
}

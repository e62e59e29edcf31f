import { Injectable } from '@nestjs/common';
import type { FileLinks } from '../../files/files.service.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clockFrom } from '../../platform/limits/attempt-throttle.js';
import type { UnsealedPush } from '../push/push-seal.js';
import { PushSeal, WrongPassphrase } from '../push/push-seal.js';
import { PushDto, RetrievedPushDto } from '../push/push.dto.js';
import { PushRepository } from '../push/push.repository.js';
import { RetrievalFailures, PassphraseAttempts } from './retrieval-failures.js';
import { RetrievalTurns } from './retrieval-turns.js';
import type { Retrieval, OpeningCredentials } from './retrieval.js';
import { openingRefused, codeRefused } from './retrieval.js';
import { ViewsService } from './views.service.js';
import { refusalError } from '../push/pushes.service.js';
import type { VerifiedRecipient, RecipientCredentials } from '../recipients/open-codes.service.js';
import { OpenCodesService } from '../recipients/open-codes.service.js';
import { RecipientsService } from '../recipients/recipients.service.js';

/** Checks who may open a push, before its secret is unsealed. */
@Injectable()
export class OpeningChecks {
  constructor(
    private readonly codes: OpenCodesService,
    private readonly recipients: RecipientsService,
    private readonly failures: RetrievalFailures,
  ) {}

  /** @throws ForbiddenException when it is not open yet, or not to this network */
  async assertOpen(retrieval: Retrieval): Promise<void> {
    const { push, visitor, now } = retrieval;
    const refusal = push.refusalFor(visitor.ip, now);
    if (!refusal) return;
    await this.failures.record(retrieval, 'failed_view');
    throw refusalError(refusal, now);
  }

  /**
   * Who opens a push that names its recipients; undefined for its owner, and for other pushes.
   * @throws UnauthorizedException
   */
  async recipientOf(
    { push, urlToken, visitor, now }: Retrieval,
    given: RecipientCredentials | undefined,
  ): Promise<VerifiedRecipient | undefined> {
    if (!push.needsCodeOf(visitor.userId)) return undefined;
    if (!given) throw openingRefused(new Problem('code_needed'));
    const verified = await this.codes.check(push, given, now);
    if (verified) return verified;
    const refused = { kind: 'failed_code', email: given.email, urlToken, visitor, now } as const;
    await this.recipients.recordRefusal(push, refused);
    throw codeRefused();
  }

  /** Whom download links are given to. */
  holderOf({ push, recipient }: Retrieval): string | undefined {
    return recipient && this.recipients.holderFor(push, recipient.email);
  }
}

/** A retrieved push, and the links to its files if it has any. */
interface RetrievedWithLinks {
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
    private readonly checks: OpeningChecks,
    private readonly pushSeal: PushSeal,
    private readonly attempts: PassphraseAttempts,
    private readonly views: ViewsService,
    private readonly failures: RetrievalFailures,
  ) {}

  async retrieve(
    urlToken: string,
    credentials: OpeningCredentials,
    visitor: Visitor,
    now = new Date(),
  ): Promise<RetrievedPushDto> {
    return (await this.retrieveWithLinks(urlToken, credentials, visitor, now)).push;
  }

  /** The same, with what pages show of its files. */
  retrieveWithLinks(
    urlToken: string,
    credentials: OpeningCredentials,
    visitor: Visitor,
    now = new Date(),
  ): Promise<RetrievedWithLinks> {
    const clock = clockFrom(now);
    return this.turns.run(
      visitor.ip,
      () => this.pushes.findWithPayload(urlToken, visitor),
      (push, mayHaveWaited) => {
        const found = { push, urlToken, visitor, now: mayHaveWaited ? clock() : now };
        return this.retrieveFound(found, credentials, clock);
      },
    );
  }

  private async retrieveFound(
    found: Retrieval,
    credentials: OpeningCredentials,
    clock: () => Date,
  ): Promise<RetrievedWithLinks> {
    const { push, visitor, now } = found;
    if (push.isExpired(now)) return this.retrieveExpired(found);
    await this.checks.assertOpen(found);
    const retrieval = { ...found, recipient: await this.checks.recipientOf(found, credentials.recipient) };

    if (!push.isProtected(now))
      return this.commitView(retrieval, await this.pushSeal.unseal(push, undefined, visitor.ip));
    const { passphrase } = credentials;
    if (!passphrase) throw openingRefused(new Problem('passphrase_needed'));
    return this.attempts.inTurn(retrieval, async (hasWaited) => {
      const current = hasWaited ? await this.readAgain(retrieval, clock) : retrieval;
      if (hasWaited && current.push.isExpired(current.now)) return this.retrieveExpired(current);
      const opened = current.push.checksProofFirst() ? await this.tryToOpen(current, passphrase) : undefined;
      if (opened) return this.commitView(current, opened);
      return this.retrieveProtected(current, passphrase, clock);
    });
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
    return {
      ...retrieval,
      now,
      push: await this.pushes.findWithPayload(retrieval.urlToken, retrieval.visitor),
    };
  }

  private async retrieveProtected(
    retrieval: Retrieval,
    passphrase: string,
    clock: () => Date,
  ): Promise<RetrievedWithLinks> {
    const counted = { ...retrieval, attempt: await this.attempts.count(retrieval) };
    try {
      const opened = await this.tryToOpen(counted, passphrase);
      if (opened) return await this.commitView({ ...counted, now: clock() }, opened); // it may have expired during the hashing
    } catch (error) {
      await this.attempts.tryToUncount(counted); // a server error, or the passphrase was correct
      throw error;
    }
    await this.failures.recordWrongPassphrase(counted);
    throw openingRefused(new Problem('passphrase_wrong'));
  }

  private async commitView(
    retrieval: Retrieval,
    { payload, dataKey }: UnsealedPush,
  ): Promise<RetrievedWithLinks> {
    const links =
      retrieval.push.filesCount > 0
        ? await this.views.createLinks(retrieval, dataKey, this.checks.holderOf(retrieval))
        : undefined;
    const { push, change } = await this.views.count(retrieval);
    if (!change) {
      await this.attempts.uncount(retrieval);
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

  private async retrieveExpired(retrieval: Retrieval): Promise<RetrievedWithLinks> {
    const { push, urlToken, visitor, now } = retrieval;
    await this.failures.record(retrieval, 'failed_view');
    return { push: { ...PushDto.of(push, urlToken, visitor, now), payload: null, files: [] } };
  }
}

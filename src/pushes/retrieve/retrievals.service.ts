import { Injectable } from '@nestjs/common';
import type { FileLinks } from '../../files/files.service.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clockFrom } from '../passphrase/passphrase-throttle.js';
import type { UnsealedPush } from '../push/push-seal.js';
import { PushSeal, WrongPassphrase } from '../push/push-seal.js';
import { PushDto, RetrievedPushDto } from '../push/push.dto.js';
import { PushRepository } from '../push/push.repository.js';
import { OpeningChecks } from './opening-checks.js';
import type { OpeningCredentials } from './opening-credentials.js';
import { openingRefused } from './opening-credentials.js';
import { PassphraseAttempts } from './passphrase-attempts.js';
import { RetrievalFailures } from './retrieval-failures.js';
import { RetrievalTurns } from './retrieval-turns.js';
import type { Retrieval } from './retrieval.js';
import { ViewsService } from './views.service.js';

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
    const opened = push.hasProof() ? await this.openByProof(retrieval, passphrase) : undefined;
    if (opened) return this.commitView(retrieval, opened);
    return this.attempts.inTurn(retrieval, async (hasWaited) => {
      const current = hasWaited ? await this.readAgain(retrieval, clock) : retrieval;
      if (hasWaited && current.push.isExpired(current.now)) return this.retrieveExpired(current);
      return this.retrieveProtected(current, passphrase, clock);
    });
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
    const opened = await this.open(counted, passphrase);
    try {
      return await this.commitView({ ...counted, now: clock() }, opened); // it may have expired during the hashing
    } catch (error) {
      await this.attempts.tryToUncount(counted); // the passphrase was correct
      throw error;
    }
  }

  private async open(retrieval: Retrieval, passphrase: string): Promise<UnsealedPush> {
    try {
      return await this.pushSeal.unseal(retrieval.push, passphrase, retrieval.visitor.ip);
    } catch (error) {
      if (error instanceof WrongPassphrase) {
        await this.failures.recordWrongPassphrase(retrieval);
        throw openingRefused(new Problem('passphrase_wrong'));
      } else {
        await this.attempts.tryToUncount(retrieval); // a server error, not a wrong passphrase
        throw error;
      }
    }
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

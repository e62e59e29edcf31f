import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';
import { refusalError } from '../push/pushes.service.js';
import type { VerifiedRecipient, RecipientCredentials } from '../recipients/open-codes.service.js';
import { OpenCodesService } from '../recipients/open-codes.service.js';
import { RecipientsService } from '../recipients/recipients.service.js';
import { codeRefused, openingRefused } from './opening-credentials.js';
import { RetrievalFailures } from './retrieval-failures.js';
import type { Retrieval } from './retrieval.js';

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

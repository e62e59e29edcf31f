import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { AttemptQueues } from '../../pushes/passphrase/attempt-queues.js';
import { openingRefused } from '../../pushes/retrieve/opening-credentials.js';
import { SecretRequestAuditService } from './secret-request-audit.service.js';
import { SecretRequestPass } from './secret-request-pass.js';
import { SecretRequestPassphraseThrottle } from './secret-request-passphrase-throttle.js';
import { SecretRequestSeal } from './secret-request-seal.js';
import { SecretRequestProblem } from './requests.problems.js';
import type { FoundSecretRequest } from './requests.service.js';

/** What shows that somebody knows the passphrase of a request. */
export interface SecretRequestCredentials {
  passphrase?: string;
  /** See SecretRequestPass. */
  pass?: string;
}

/** The passphrases of requests. Wrong ones are counted, as those of pushes are. */
@Injectable()
export class SecretRequestPassphrases {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly requestSeal: SecretRequestSeal,
    private readonly pass: SecretRequestPass,
    private readonly throttle: SecretRequestPassphraseThrottle,
    private readonly attemptQueues: AttemptQueues,
    private readonly audit: SecretRequestAuditService,
  ) {}

  /** @throws UnauthorizedException when the passphrase is missing or wrong; its owner needs none */
  async assertKnown(
    { row, texts }: FoundSecretRequest,
    { passphrase, pass }: SecretRequestCredentials,
    visitor: Visitor,
    now: Date,
  ): Promise<void> {
    const { passphrase: check, urlToken } = texts;
    if (!check || row.isOwnedBy(visitor.userId)) return;
    if (pass !== undefined && this.pass.isValid(row, pass, now)) return;
    if (!passphrase) throw openingRefused(new SecretRequestProblem('request_passphrase_needed'));
    await this.attemptQueues.run(row.id, visitor.ip, async (hasWaited) => {
      const at = hasWaited ? new Date() : now;
      const attempt = await this.throttle.recordAttempt(row, visitor.ip, at);
      let isRight = true; // unless it is known to be wrong: an error of ours is not counted
      try {
        isRight = await this.requestSeal.isPassphrase(passphrase, check, visitor.ip);
      } finally {
        await this.unitOfWork.write((tx) => {
          if (isRight) this.throttle.delete(tx, attempt);
          else this.throttle.markWrong(tx, attempt);
        });
      }
      if (isRight) return;
      await this.audit.recordFailure(row, { requestId: row.id, urlToken, visitor, now: at });
      throw openingRefused(new Problem('passphrase_wrong'));
    });
  }
}

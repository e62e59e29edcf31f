import { hash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { NewCookie } from '../../platform/http/cookies.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { digestOf } from '../../platform/random/random.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { ifUnsealed } from '../../platform/sealing/secretbox.js';
import { HOUR_MS, SECOND_MS } from '../../platform/settings/units.js';
import type { QueuedClient } from '../../platform/limits/fair-queue.js';
import { AttemptQueues } from '../../pushes/passphrase/passphrase-throttle.js';
import { Passphrases } from '../../pushes/push/passphrases.js';
import { openingRefused } from '../../pushes/retrieve/retrieval.js';
import { SecretRequestAuditService } from './secret-request-audit.service.js';
import { SecretRequestPassphraseThrottle } from './secret-request-passphrase-throttle.js';
import type { PassphraseCheck } from './secret-request-seal.js';
import { SecretRequestProblem } from './requests.problems.js';
import type { FoundSecretRequest } from './requests.service.js';
import type { SecretRequest } from './secret-request.entity.js';

const PASS_MS = 12 * HOUR_MS;

/** What shows that somebody knows the passphrase of a request. */
export interface SecretRequestCredentials {
  passphrase?: string;
  /** Of a browser that has entered it. */
  pass?: string;
}

/** The passphrases of requests. Wrong ones are counted, as those of pushes are. */
@Injectable()
export class SecretRequestPassphrases {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly passphrases: Passphrases,
    private readonly keyring: Keyring,
    private readonly throttle: SecretRequestPassphraseThrottle,
    private readonly attemptQueues: AttemptQueues,
    private readonly audit: SecretRequestAuditService,
  ) {}

  /** Whether a request has a passphrase that the visitor must still give. */
  areNeeded(
    { row, texts }: FoundSecretRequest,
    pass: string | undefined,
    visitor: Visitor,
    now: Date,
  ): boolean {
    if (!texts.passphrase || row.isOwnedBy(visitor.userId)) return false;
    return pass === undefined || !this.isPass(row, pass, now);
  }

  /** @throws UnauthorizedException when the passphrase is missing or wrong; its owner needs none */
  async assertKnown(
    { row, texts }: FoundSecretRequest,
    { passphrase, pass }: SecretRequestCredentials,
    visitor: Visitor,
    now: Date,
  ): Promise<void> {
    const { passphrase: check, urlToken } = texts;
    if (!check || !this.areNeeded({ row, texts }, pass, visitor, now)) return;
    if (!passphrase) throw openingRefused(new SecretRequestProblem('request_passphrase_needed'));
    await this.attemptQueues.runAttempt(row.id, visitor.ip, async (hasWaited) => {
      const at = hasWaited ? new Date() : now;
      const attempt = await this.throttle.recordAttempt(row, visitor.ip, at);
      let isRight = true; // unless it is known to be wrong: an error of ours is not counted
      try {
        isRight = await this.isPassphrase(passphrase, check, visitor.ip);
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

  async checkOf(passphrase: string, client: QueuedClient): Promise<PassphraseCheck> {
    const salt = this.passphrases.newSalt();
    return { salt: salt.toString('base64'), digest: await this.digest(passphrase, salt, 'creation', client) };
  }

  /** The cookie that lets a browser that has entered the passphrase send the form without it. */
  passCookie({ row: { id }, texts: { urlToken } }: FoundSecretRequest, now = new Date()): NewCookie {
    const value = this.keyring.sealText(`${now.getTime() + PASS_MS}`, `request/${id}`, passContext(id));
    return { name: passCookieOf(urlToken), value, maxAgeSeconds: PASS_MS / SECOND_MS };
  }

  private isPass({ id }: SecretRequest, pass: string, now: Date): boolean {
    const endsAt = ifUnsealed(() => this.keyring.unsealText(pass, `request/${id}`, passContext(id)));
    return Number(endsAt) > now.getTime();
  }

  /** Compares in constant time. */
  private async isPassphrase(
    passphrase: string,
    { salt, digest }: PassphraseCheck,
    ip: string,
  ): Promise<boolean> {
    if (this.passphrases.isTooLong(passphrase)) return false;
    const derived = await this.digest(passphrase, Buffer.from(salt, 'base64'), 'retrieval', { ip });
    return timingSafeEqual(Buffer.from(derived, 'base64'), Buffer.from(digest, 'base64'));
  }

  private async digest(
    passphrase: string,
    salt: Buffer,
    purpose: 'creation' | 'retrieval',
    client: QueuedClient,
  ): Promise<string> {
    const key = await this.passphrases.deriveKey(passphrase, salt, purpose, client);
    return hash('sha256', key.export(), 'base64');
  }
}

/** The name of the cookie with the pass of a request. */
export function passCookieOf(urlToken: string): string {
  return `request-${digestOf(urlToken).slice(0, 16)}`;
}

function passContext(id: string): string {
  return `requests/${id}/pass`;
}

import { GoneException, Injectable } from '@nestjs/common';
import { UsersService } from '../../auth/users/users.service.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { SecretRequestSettings } from './requests.settings.js';
import { RateLimiter } from '../../platform/limits/rate-limiter.js';
import type { SecretRequestCredentials } from './secret-request-passphrases.js';
import { SecretRequestPassphrases } from './secret-request-passphrases.js';
import type { RequestDto, RequestWithAnswersDto } from './request.dto.js';
import { ClosedRequestDto } from './request.dto.js';
import { SecretRequestProblem } from './requests.problems.js';
import type { FoundSecretRequest } from './requests.service.js';
import { SecretRequestsService } from './requests.service.js';

/** Requests as whoever has the link sees them. */
@Injectable()
export class OpenSecretRequestsService {
  constructor(
    private readonly users: UsersService,
    private readonly requests: SecretRequestsService,
    private readonly passphrases: SecretRequestPassphrases,
    private readonly settings: SecretRequestSettings,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * A request, and to its owner its answers. To others a closed one says only that.
   * @throws UnauthorizedException when the passphrase is missing or wrong
   */
  async show(
    urlToken: string,
    passphrase: string | undefined,
    visitor: Visitor,
    signal: AbortSignal,
    now = new Date(),
  ): Promise<RequestWithAnswersDto | RequestDto | ClosedRequestDto> {
    const found = await this.requests.find(urlToken);
    if (found.row.isOwnedBy(visitor.userId)) return this.requests.describeOwn(found, visitor, signal, now);
    if (!(await this.isOpen(found, now))) return ClosedRequestDto.of(found.texts.urlToken);
    await this.passphrases.assertKnown(found, { passphrase }, visitor, now);
    return this.requests.describe(found, visitor, now);
  }

  /** A request for whoever has only the link and, after giving the passphrase, a pass; otherwise why it is not shown. */
  async look(
    urlToken: string,
    pass: string | undefined,
    visitor: Visitor,
    now = new Date(),
  ): Promise<FoundSecretRequest | 'closed' | 'protected'> {
    const found = await this.requests.find(urlToken);
    if (!(await this.isOpen(found, now))) return 'closed';
    return this.passphrases.areNeeded(found, pass, visitor, now) ? 'protected' : found;
  }

  /**
   * A request that takes answers. Counts wrong passphrases.
   * @throws NotFoundException
   * @throws GoneException when it is closed
   * @throws UnauthorizedException when the passphrase is missing or wrong; its owner needs none
   */
  async find(
    urlToken: string,
    credentials: SecretRequestCredentials,
    visitor: Visitor,
    now = new Date(),
  ): Promise<FoundSecretRequest> {
    const found = await this.requests.find(urlToken);
    if (!(await this.isOpen(found, now))) throw requestClosed();
    await this.passphrases.assertKnown(found, credentials, visitor, now);
    return found;
  }

  /**
   * Counts an answer of the client, before its body is read.
   * @throws TooManyRequests
   */
  async assertNotTooOften(ip: string): Promise<void> {
    const { ANSWERS_PER_MINUTE: limit } = this.settings;
    if (limit === 0) return;
    const problem = new SecretRequestProblem('too_many_answers');
    await this.limiter.admit({ name: 'answers:', limit, problem }, clientNetworks(ip));
  }

  /** That of an account that is disabled takes no answers, until it is enabled again. */
  private async isOpen({ row }: FoundSecretRequest, now: Date): Promise<boolean> {
    return row.isOpen(now) && (await this.users.findEnabled(row.userId)) !== undefined;
  }
}

export function requestClosed(): GoneException {
  return new GoneException(new SecretRequestProblem('request_closed'));
}

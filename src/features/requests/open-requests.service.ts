import { GoneException, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { SecretRequestSettings } from './requests.settings.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { hitNetworks, RateLimiter } from '../../platform/throttling/rate-limiter.js';
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
    @InjectRepository(User) private readonly users: Repository<User>,
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
    const waitMs = await hitNetworks(this.limiter, { name: 'answers:', limit }, clientNetworks(ip));
    if (waitMs > 0)
      throw new TooManyRequests(
        'requests',
        new SecretRequestProblem('too_many_answers'),
        Math.ceil(waitMs / SECOND_MS),
      );
  }

  /** That of an account that is disabled takes no answers, until it is enabled again. */
  private async isOpen({ row }: FoundSecretRequest, now: Date): Promise<boolean> {
    const enabled = { id: row.userId, disabledAt: IsNull() };
    return row.isOpen(now) && (await this.users.existsBy(enabled));
  }
}

export function requestClosed(): GoneException {
  return new GoneException(new SecretRequestProblem('request_closed'));
}

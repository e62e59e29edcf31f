import type { UnprocessableEntityException } from '@nestjs/common';
import { GoneException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, IsNull } from 'typeorm';
import { User } from '../../auth/entities/user.entity.js';
import { unprocessableFiles } from '../../files/file-rules.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { RequestProblem } from './requests.problems.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { clientNetworks } from '../../platform/http/visitor.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import { digestOf } from '../../platform/random/random.js';
import { RequestSettings } from './requests.settings.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { hitNetworks, RateLimiter } from '../../platform/throttling/rate-limiter.js';
import type { CreatePushDto, NewPush } from '../../pushes/create/create-push.dto.js';
import { CreationsService } from '../../pushes/create/creations.service.js';
import { IdempotencyKey } from '../../pushes/create/idempotency-key.entity.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { AttemptQueues } from '../../pushes/passphrase/attempt-queues.js';
import { PushEvents } from '../../pushes/push/push-events.js';
import type { Push } from '../../pushes/push/push.entity.js';
import { openingRefused } from '../../pushes/retrieve/opening-proof.js';
import { decryptedFileSize } from '../../shared/age-size.js';
import { RequestAnswer } from './request-answer.entity.js';
import { RequestAnswered } from './request-answered.js';
import { RequestAuditService } from './request-audit.service.js';
import { RequestMails } from './request-mails.js';
import { RequestPass } from './request-pass.js';
import { RequestPassphraseThrottle } from './request-passphrase-throttle.js';
import { RequestSeal } from './request-seal.js';
import type { RequestDto, RequestWithAnswersDto } from './request.dto.js';
import { AnsweredDto, ClosedRequestDto } from './request.dto.js';
import type { FoundRequest } from './requests.service.js';
import { RequestsService } from './requests.service.js';
import { SecretRequest } from './secret-request.entity.js';

/** Characters of what is asked that name an answer when the request has no name. */
const MAX_NAME = 60;

/** Takes answers to requests: each becomes a push of the account that asked. */
@Injectable()
export class AnswersService {
  private readonly statements: PreparedStatements<RequestAnswer>;
  private readonly idempotencyKeys: PreparedStatements<IdempotencyKey>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: RequestSettings,
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: RequestsService,
    private readonly requestSeal: RequestSeal,
    private readonly pass: RequestPass,
    private readonly throttle: RequestPassphraseThrottle,
    private readonly attemptQueues: AttemptQueues,
    private readonly limiter: RateLimiter,
    private readonly audit: RequestAuditService,
    private readonly mails: RequestMails,
    private readonly rules: PushRules,
    private readonly creations: CreationsService,
    private readonly events: PushEvents,
  ) {
    this.statements = new PreparedStatements(dataSource, RequestAnswer);
    this.idempotencyKeys = new PreparedStatements(dataSource, IdempotencyKey);
  }

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
    await this.assertPassphrase(found, { passphrase }, visitor, now);
    return this.requests.describe(found, visitor, now);
  }

  /**
   * A request that takes answers. Counts wrong passphrases, as those of pushes are counted.
   * @throws NotFoundException
   * @throws GoneException when it is closed
   * @throws UnauthorizedException when the passphrase is missing or wrong; its owner needs none
   */
  async findOpen(
    urlToken: string,
    proof: PassphraseProof,
    visitor: Visitor,
    now = new Date(),
  ): Promise<FoundRequest> {
    const found = await this.requests.find(urlToken);
    if (!(await this.isOpen(found, now))) throw requestClosed();
    await this.assertPassphrase(found, proof, visitor, now);
    return found;
  }

  /** That of an account that is disabled takes no answers, until it is enabled again. */
  private async isOpen({ row }: FoundRequest, now: Date): Promise<boolean> {
    const enabled = { id: row.userId, disabledAt: IsNull() };
    return row.isOpen(now) && (await this.dataSource.manager.existsBy(User, enabled));
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
        new RequestProblem('too_many_answers'),
        Math.ceil(waitMs / SECOND_MS),
      );
  }

  /**
   * Creates the push of an answer, and counts the answer in the same transaction.
   * @throws GoneException when the request was closed meanwhile
   * @throws UnprocessableEntityException when the files of all answers would be too large
   */
  async answer(
    { row, texts }: FoundRequest,
    form: CreatePushDto,
    visitor: Visitor,
    { idempotencyKey, now = new Date() }: { idempotencyKey?: string; now?: Date } = {},
  ): Promise<AnsweredDto> {
    const newPush = this.newPushFrom(form, row, texts.name || shortened(texts.request));
    const bytes = bytesOf(newPush);
    let counted: Counted = { request: row, isNoticeDue: false };
    await this.creations.createFor(
      {
        ownerId: row.userId,
        claimWithin: async (manager) => {
          counted = await this.countWithin(manager, row.id, bytes, now);
        },
        recordMore: (tx, push) => {
          this.record(tx, { ...counted, push, urlToken: texts.urlToken, visitor, now });
          if (idempotencyKey !== undefined) {
            const digest = digestOfAnswer(texts.urlToken, idempotencyKey);
            this.idempotencyKeys.insert(tx, { digest, pushId: push.id, createdAt: now });
          }
        },
      },
      newPush,
      visitor,
      now,
    );
    return AnsweredDto.of(counted.request, now);
  }

  /** Whether a form was sent before with the same key, and its answer has come. */
  async hasAnswered(urlToken: string, idempotencyKey: string): Promise<boolean> {
    const digest = digestOfAnswer(urlToken, idempotencyKey);
    return this.dataSource.manager.existsBy(IdempotencyKey, { digest });
  }

  /** The request decides all but the secret. */
  private newPushFrom(form: CreatePushDto, request: SecretRequest, name: string): NewPush {
    const { expireAfterDays, lifetime, expireAfterViews, deletableByViewer, retrievalStep } = request;
    return {
      ...this.rules.newPushFrom(form),
      ...{ expireAfterDays, lifetime, expireAfterViews, deletableByViewer, retrievalStep },
      ownerOnly: true,
      notifyOn: 0,
      passphrase: undefined,
      mailedTo: undefined,
      name,
    };
  }

  /** The request as it is after the answer; its row is locked until the end of the transaction. */
  private async countWithin(manager: EntityManager, id: string, bytes: number, now: Date): Promise<Counted> {
    const request = await this.unitOfWork.findForUpdate(manager, SecretRequest, { id });
    if (!request) throw new NotFoundException();
    const change = request.answer(bytes, this.settings.MAX_REQUEST_SIZE, now);
    if (change === 'closed') throw requestClosed();
    if (change === 'too large') throw answersTooLarge(this.settings.MAX_REQUEST_SIZE);
    await manager.update(SecretRequest, id, change);
    return { request: Object.assign(request, change), isNoticeDue: 'noticedAt' in change };
  }

  private record(tx: Transaction, { request, isNoticeDue, push, urlToken, visitor, now }: Answer): void {
    const requestId = request.id;
    this.statements.insert(tx, { pushId: push.id, requestId, createdAt: now });
    this.audit.record(tx, 'answer', { requestId, urlToken, visitor, now });
    if (isNoticeDue && this.mails.areSent) this.mails.addNotice(tx, request, now);
    this.events.record(tx, new RequestAnswered(push, now, request), push, now);
  }

  private async assertPassphrase(
    { row, texts }: FoundRequest,
    { passphrase, pass }: PassphraseProof,
    visitor: Visitor,
    now: Date,
  ): Promise<void> {
    const { passphrase: check, urlToken } = texts;
    if (!check || row.isOwnedBy(visitor.userId)) return;
    if (pass !== undefined && this.pass.isValid(row, pass, now)) return;
    if (!passphrase) throw openingRefused(new RequestProblem('request_passphrase_needed'));
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

/** What shows that somebody knows the passphrase of a request. */
export interface PassphraseProof {
  passphrase?: string;
  /** See RequestPass. */
  pass?: string;
}

interface Counted {
  /** As it is after the answer. */
  request: SecretRequest;
  /** Whether its owner gets a mail now. */
  isNoticeDue: boolean;
}

/** An answer that is being committed. */
interface Answer extends Counted {
  push: Push;
  /** Of the request. */
  urlToken: string;
  visitor: Visitor;
  now: Date;
}

function digestOfAnswer(urlToken: string, idempotencyKey: string): string {
  return digestOf(`answer to ${urlToken}: ${idempotencyKey}`);
}

function requestClosed(): GoneException {
  return new GoneException(new RequestProblem('request_closed'));
}

/** @param maxBytes of the files of all answers to a request */
export function answersTooLarge(maxBytes: number): UnprocessableEntityException {
  return unprocessableFiles(new RequestProblem('request_files_too_large', { bytes: maxBytes }));
}

/** Bytes of its files, before its client has encrypted them. */
function bytesOf({ files, clientEncrypted }: NewPush): number {
  const sizes = (Array.isArray(files) ? files : (files?.files ?? [])).map(({ size }) => size);
  return sizes.reduce((sum, size) => sum + (clientEncrypted ? decryptedFileSize(size) : size), 0);
}

function shortened(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const characters = Array.from(line.slice(0, 2 * MAX_NAME));
  return characters.length <= MAX_NAME ? line : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

import type { UnprocessableEntityException } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource } from 'typeorm';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { SecretRequestProblem } from './requests.problems.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { digestOf } from '../../platform/random/random.js';
import type { NewPush } from '../../pushes/create/create-push.dto.js';
import { SecretRequestSettings } from './requests.settings.js';
import { CreationsService } from '../../pushes/create/creations.service.js';
import { IdempotencyKey } from '../../pushes/create/idempotent-creations.service.js';
import { PushEvents } from '../../pushes/push/push-events.js';
import type { Push } from '../../pushes/push/push.entity.js';
import { decryptedFileSize } from '../../shared/age-size.js';
import { RequestAnswer } from './request-answer.entity.js';
import { RequestAnswered } from './request-answered.event.js';
import { SecretRequestAuditService } from './secret-request-audit.service.js';
import { requestClosed } from './open-requests.service.js';
import { SecretRequestMails } from './secret-request-mails.js';
import { AnsweredDto } from './request.dto.js';
import type { FoundSecretRequest } from './requests.service.js';
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
    private readonly settings: SecretRequestSettings,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: SecretRequestAuditService,
    private readonly mails: SecretRequestMails,
    private readonly creations: CreationsService,
    private readonly events: PushEvents,
  ) {
    this.statements = new PreparedStatements(dataSource, RequestAnswer);
    this.idempotencyKeys = new PreparedStatements(dataSource, IdempotencyKey);
  }

  /**
   * Creates the push of an answer, and counts the answer in the same transaction.
   * @throws GoneException when the request was closed meanwhile
   * @throws InvalidFields when the files of all answers would be too large
   */
  async answer(
    { row, texts }: FoundSecretRequest,
    answer: NewPush,
    visitor: Visitor,
    { idempotencyKey, now = new Date() }: { idempotencyKey?: string; now?: Date } = {},
  ): Promise<AnsweredDto> {
    const newPush = answerTo(row, answer, texts.name || shortened(texts.request));
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

/** @param maxBytes of the files of all answers to a request */
export function answersTooLarge(maxBytes: number): UnprocessableEntityException {
  return new InvalidFields({
    files: new SecretRequestProblem('request_files_too_large', { bytes: maxBytes }),
  });
}

/** The request decides all but the secret. */
function answerTo(request: SecretRequest, answer: NewPush, name: string): NewPush {
  const { expireAfterDays, lifetime, expireAfterViews, deletableByViewer, retrievalStep } = request;
  return {
    ...answer,
    ...{ expireAfterDays, lifetime, expireAfterViews, deletableByViewer, retrievalStep },
    ownerOnly: true,
    notifyOn: 0,
    passphrase: undefined,
    mailedTo: undefined,
    name,
  };
}

/** Bytes of its files, before its client has encrypted them. */
function bytesOf({ files, arrived, clientEncrypted }: NewPush): number {
  const sent = Array.isArray(files) ? files : (files?.files ?? []);
  const sizes = [...sent, ...(arrived?.files ?? [])].map(({ size }) => size);
  return sizes.reduce((sum, size) => sum + (clientEncrypted ? decryptedFileSize(size) : size), 0);
}

function shortened(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const characters = Array.from(line.slice(0, 2 * MAX_NAME));
  return characters.length <= MAX_NAME ? line : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

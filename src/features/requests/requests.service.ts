import { ForbiddenException, Injectable, NotFoundException } from '@nestjs/common';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { UsersService } from '../../auth/users/users.service.js';
import { PreparedStatements, writeWithin } from '../../platform/database/statements/statements.js';
import { AccountQueues } from '../../platform/limits/account-queues.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { SecretRequestProblem } from './requests.problems.js';
import { findPage } from '../../platform/http/paging/find-page.js';
import { ListPage, Paged } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { newId, digestOf, newToken } from '../../platform/random/random.js';
import { SecretRequestSettings } from './requests.settings.js';
import { DURATION_SCALE } from '../../pushes/create/create-push.dto.js';
import { MailQuota } from '../../pushes/link-mails/mail-quota.js';
import { partsOf } from '../../pushes/fields/list-fields.js';
import { emailToName } from '../../auth/entities/emails.js';
import { Push } from '../../pushes/push/push.entity.js';
import type { FoundPush } from '../../pushes/push/pushes.service.js';
import { ownId, PushesService } from '../../pushes/push/pushes.service.js';
import { RequestAnswer } from './request-answer.entity.js';
import { SecretRequestAuditService } from './secret-request-audit.service.js';
import { SecretRequestMails } from './secret-request-mails.js';
import type { NewSecretRequest } from './create-request.dto.js';
import { SecretRequestPassphrases } from './secret-request-passphrases.js';
import type { SecretRequestTexts } from './secret-request-seal.js';
import { SecretRequestSeal } from './secret-request-seal.js';
import type { SecretRequestState, RequestWithAnswersDto } from './request.dto.js';
import { OwnRequestDto, RequestAuditEntryDto, RequestDto, requestUrl } from './request.dto.js';
import { SecretRequest } from './secret-request.entity.js';

/** A request that was found by its token, with its texts. */
export interface FoundSecretRequest {
  row: SecretRequest;
  texts: SecretRequestTexts;
}

/** A request in the list of its owner. */
export interface ListedSecretRequest {
  request: OwnRequestDto;
  /** How many answers were not opened yet. */
  unread: number;
}

/** Creates, lists, describes and closes requests. `AnswersService` takes the answers. */
@Injectable()
export class SecretRequestsService {
  private readonly statements: PreparedStatements<SecretRequest>;

  constructor(
    @InjectRepository(SecretRequest) private readonly requests: Repository<SecretRequest>,
    @InjectRepository(RequestAnswer) private readonly answers: Repository<RequestAnswer>,
    private readonly unitOfWork: UnitOfWork,
    private readonly requestSeal: SecretRequestSeal,
    private readonly passphrases: SecretRequestPassphrases,
    private readonly audit: SecretRequestAuditService,
    private readonly mails: SecretRequestMails,
    private readonly queues: AccountQueues,
    private readonly mailQuota: MailQuota,
    private readonly settings: SecretRequestSettings,
    private readonly pushes: PushesService,
    private readonly users: UsersService,
  ) {
    this.statements = new PreparedStatements(requests.manager.dataSource, SecretRequest);
  }

  /** @throws InvalidFields when the account has too many open requests */
  async create(
    newRequest: NewSecretRequest,
    visitor: Visitor,
    { isFromPage = false, now = new Date() } = {},
  ): Promise<OwnRequestDto> {
    const userId = ownId(visitor);
    const urlToken = newToken();
    const { row, texts } = await this.build(newRequest, { userId, urlToken, visitor, now });
    const { mailedTo } = newRequest;
    const mailsUpdate =
      mailedTo && (await this.mailQuota.prepareUpdate(userId, partsOf(mailedTo).length, now));
    await this.unitOfWork.run(async (manager) => {
      await this.mailQuota.countWithin(manager, userId, mailsUpdate, now); // locks the account
      const open = await manager.countBy(SecretRequest, { userId, openUntil: MoreThan(now) });
      if (open >= this.settings.MAX_OPEN_REQUESTS)
        throw new InvalidFields({
          base: [
            new SecretRequestProblem('too_many_open_requests', { count: this.settings.MAX_OPEN_REQUESTS }),
          ],
        });
      await writeWithin(manager, (tx) => {
        this.statements.insert(tx, row);
        this.audit.record(tx, 'creation', { requestId: row.id, urlToken, visitor, now });
        if (mailedTo) this.mails.addLinks(tx, row, mailedTo, { isFromPage, now });
      });
    });
    return OwnRequestDto.ofOwn(row, texts, visitor, now);
  }

  /**
   * A request by its token.
   * @throws NotFoundException also when its row is damaged
   */
  async find(urlToken: string): Promise<FoundSecretRequest> {
    const row = await this.requests.findOneBy({ tokenDigest: digestOf(urlToken) });
    const texts = row ? this.requestSeal.unsealIfPossible(row) : undefined;
    if (!row || !texts) throw new NotFoundException();
    return { row, texts };
  }

  /**
   * The same for its owner.
   * @param otherwise the error for others
   */
  async findOwn(
    urlToken: string,
    visitor: Visitor,
    otherwise: () => Error = () => new NotFoundException(),
  ): Promise<FoundSecretRequest> {
    const found = await this.find(urlToken);
    if (!found.row.isOwnedBy(visitor.userId)) throw otherwise();
    return found;
  }

  /**
   * The same by the id of its row, which gives no access.
   * @throws NotFoundException
   */
  async findOwnById(id: string, visitor: Visitor): Promise<FoundSecretRequest> {
    const row = await this.requests.findOneBy({ id, userId: ownId(visitor) });
    if (!row) throw new NotFoundException();
    return { row, texts: this.requestSeal.unseal(row) };
  }

  /** What somebody who has the link may know, once the passphrase is checked. */
  async describe(
    { row, texts }: FoundSecretRequest,
    visitor: Visitor,
    now = new Date(),
  ): Promise<RequestDto> {
    const asker = row.showsRequestor ? await this.users.find(row.userId) : null;
    return RequestDto.of(row, texts, visitor, now, asker ? emailToName(asker) : undefined);
  }

  /** A request as its owner sees it. */
  async describeOwn(
    found: FoundSecretRequest,
    visitor: Visitor,
    signal: AbortSignal,
    now = new Date(),
  ): Promise<RequestWithAnswersDto> {
    const { request, answers } = await this.describeWithAnswers(found, visitor, signal, now);
    return { ...request, answer_url_tokens: answers.map(({ push }) => push.url_token) };
  }

  /** The same with the pushes that are its answers, which are unsealed in the queue of the account. */
  async describeWithAnswers(
    { row, texts }: FoundSecretRequest,
    visitor: Visitor,
    signal: AbortSignal,
    now = new Date(),
  ): Promise<{ request: OwnRequestDto; answers: FoundPush[] }> {
    return {
      request: OwnRequestDto.ofOwn(row, texts, visitor, now),
      answers: await this.queues.run(row.userId, signal, () => this.answersTo(row, visitor, now)),
    };
  }

  /** The pushes that are answers to a request, in the order in which they came; without those that were removed. */
  private async answersTo(
    { id: requestId }: SecretRequest,
    visitor: Visitor,
    now: Date,
  ): Promise<FoundPush[]> {
    const rows = await this.answers.find({ where: { requestId }, order: { pushId: 'ASC' } });
    return this.pushes.findOwnByIds(
      rows.map(({ pushId }) => pushId),
      visitor,
      now,
    );
  }

  /** The caller's requests: those that are open, newest first, or those that were closed last. */
  async list(
    state: SecretRequestState,
    visitor: Visitor,
    page: ListPage,
    now = new Date(),
  ): Promise<Paged<OwnRequestDto[]>> {
    const rows = await this.findPage(state, ownId(visitor), page, now);
    return rows.map((found) => found.map((row) => this.describeListed(row, visitor, now)));
  }

  /** All of them, those that are open first, with how many answers to each were not opened yet. */
  async listWithUnread(
    visitor: Visitor,
    page: ListPage,
    now = new Date(),
  ): Promise<Paged<ListedSecretRequest[]>> {
    const rows = await this.findPage(undefined, ownId(visitor), page, now);
    const unread = await this.countUnread(rows.body, now);
    return rows.map((found) =>
      found.map((row) => ({
        request: this.describeListed(row, visitor, now),
        unread: unread.get(row.id) ?? 0,
      })),
    );
  }

  private findPage(
    state: SecretRequestState | undefined,
    userId: string,
    page: ListPage,
    now: Date,
  ): Promise<Paged<SecretRequest[]>> {
    const states = { open: { openUntil: MoreThan(now) }, closed: { openUntil: LessThanOrEqual(now) } };
    const listed = this.requests
      .createQueryBuilder('request')
      .where({ userId, ...(state && states[state]) })
      .orderBy(state === 'open' ? 'request.id' : 'request.openUntil', 'DESC')
      .addOrderBy('request.id', 'DESC');
    return findPage(listed, page);
  }

  private async countUnread(requests: SecretRequest[], now: Date): Promise<Map<string, number>> {
    if (requests.length === 0) return new Map();
    const counts = await this.answers
      .createQueryBuilder('answer')
      .innerJoin(Push, 'push', 'push.id = answer.pushId')
      .select('answer.requestId', 'id')
      .addSelect('COUNT(*)', 'count')
      .where({ requestId: In(requests.map(({ id }) => id)) })
      .andWhere('push.viewsCounted = 0 AND push.ownerViewsAudited = 0')
      .andWhere('push.ended = :ended AND push.expiresAt > :now', { ended: false, now })
      .groupBy('answer.requestId')
      .getRawMany<{ id: string; count: number | string }>();
    return new Map(counts.map(({ id, count }) => [id, Number(count)]));
  }

  private describeListed(row: SecretRequest, visitor: Visitor, now: Date): OwnRequestDto {
    return OwnRequestDto.ofOwn(row, this.textsOf(row), visitor, now);
  }

  preview({ texts: { urlToken, recipient } }: FoundSecretRequest, { baseUrl }: Visitor): string {
    return requestUrl(urlToken, recipient, baseUrl);
  }

  async listAudit(urlToken: string, visitor: Visitor, page: unknown): Promise<Paged<RequestAuditEntryDto[]>> {
    const { row } = await this.findOwn(urlToken, visitor, notYours);
    const entries = await this.audit.list(row.id, ListPage.parse(page));
    return entries.map((found) => found.map((entry) => RequestAuditEntryDto.of(entry)));
  }

  /** Closes a request: it takes no more answers, and those that came stay. Repeating it changes nothing. */
  async close(urlToken: string, visitor: Visitor, now = new Date()): Promise<OwnRequestDto> {
    const { row, texts } = await this.findOwn(urlToken, visitor, notYours);
    const closed = await this.unitOfWork.run(async (manager) => {
      const request = await this.unitOfWork.findForUpdate(manager, SecretRequest, { id: row.id });
      const change = request?.close(now);
      if (!request || !change) return request ?? row;
      await manager.update(SecretRequest, row.id, change);
      await writeWithin(manager, (tx) => {
        this.audit.record(tx, 'close', { requestId: row.id, urlToken, visitor, now });
      });
      return Object.assign(request, change);
    });
    return OwnRequestDto.ofOwn(closed, texts, visitor, now);
  }

  private async build(
    newRequest: NewSecretRequest,
    { userId, urlToken, visitor, now }: { userId: string; urlToken: string; visitor: Visitor; now: Date },
  ): Promise<FoundSecretRequest> {
    const { request, name, note, passphrase, recipient, terms, mailedTo: _, ...chosen } = newRequest;
    const bound = { id: newId(), userId, tokenDigest: digestOf(urlToken) };
    const client = { ip: visitor.ip, isKnown: true };
    const check = passphrase === undefined ? undefined : await this.passphrases.checkOf(passphrase, client);
    const texts = { urlToken, request, name, note, recipient, passphrase: check };
    const closesAt = new Date(now.getTime() + (DURATION_SCALE[newRequest.closeAfterDuration]?.lifetime ?? 0));
    const row = Object.assign(new SecretRequest(), {
      ...bound,
      ...this.requestSeal.seal(texts, bound),
      ...chosen,
      ...terms,
      closesAt,
      openUntil: closesAt,
      closedBy: null,
      answersCounted: 0,
      bytesReceived: 0,
      noticedAt: null,
      noticeDueAt: null,
      failuresAudited: 0,
      passphraseAttempts: 0,
      createdAt: now,
      updatedAt: now,
    });
    return { row, texts };
  }

  /** Empty texts for a row that is damaged. */
  private textsOf(row: SecretRequest): SecretRequestTexts {
    return this.requestSeal.unsealIfPossible(row) ?? { urlToken: '', request: '', name: '', note: '' };
  }
}

function notYours(): ForbiddenException {
  return new ForbiddenException(new SecretRequestProblem('request_not_yours'));
}

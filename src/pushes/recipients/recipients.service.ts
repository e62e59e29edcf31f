import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { assertValid, InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import { isPlainEmail } from '../../auth/entities/emails.js';
import { User } from '../../auth/entities/user.entity.js';
import { LinkHolderCheck } from '../../files/link-holders.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { Push, PushChange } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { PushSeal } from '../push/push-seal.js';
import { newId } from '../../platform/random/random.js';
import { openingContext, Opening } from './open-codes.service.js';
import { readRecipients, recipientFor, recipientsError } from '../fields/list-fields.js';
import { SealedColumn } from '../../platform/database/columns.js';

/**
 * The email address that somebody entered who was refused: who asked for a code without being named, and whose code was
 * wrong. Anyone can enter any address. It is removed with its audit entry.
 */
@Entity('entered_addresses')
export class EnteredAddress {
  @ForeignKey(() => AuditEntry, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @PrimaryColumn('varchar', { length: 36 })
  auditEntryId: string;

  /** With the owner key of the push. */
  @SealedColumn()
  sealed: Buffer;
}

/** Somebody who was refused because of the email address, or of the code for it. */
interface RefusedRecipient {
  kind: 'code_refused' | 'failed_code';
  /** As it was typed. */
  email: string;
  /** See AuditEvent. */
  urlToken?: string;
  visitor: Visitor;
  now: Date;
}

/** How many openings of a push are read to say when each of its recipients opened it. */
const MAX_OPENINGS = 200;

/** Who may open pushes, who has opened them, and who was refused. */
@Injectable()
export class RecipientsService {
  private readonly statements: PreparedStatements<EnteredAddress>;

  constructor(
    @InjectRepository(Opening) private readonly openings: Repository<Opening>,
    @InjectRepository(EnteredAddress) private readonly entered: Repository<EnteredAddress>,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
  ) {
    this.statements = new PreparedStatements(entered.manager.dataSource, EnteredAddress);
  }

  /**
   * Adds a recipient to a push of the visitor, or removes one, who then cannot open it any more, nor use the download
   * links that they were given.
   * @throws NotFoundException when it belongs to another account, and when it has ended
   * @throws InvalidFields as `changeFor`
   */
  async change(
    urlToken: string,
    { add, remove }: { add?: string; remove?: string },
    visitor: Visitor,
    now = new Date(),
  ): Promise<void> {
    const push = await this.pushes.findIfActive(urlToken, visitor, now);
    if (!push.isOwnedBy(visitor.userId)) throw new NotFoundException();
    const { push: changed, change } = await this.pushes.apply(
      push,
      (current) => {
        const kept = this.pushSeal.recipientsOf(current).filter((recipient) => recipient !== remove);
        return this.changeFor(current, [...kept, ...(add === undefined ? [] : [add])], now);
      },
      (tx) => {
        this.audit.record(tx, { pushId: push.id, kind: 'edit', urlToken, byOwner: true }, visitor, now);
      },
    );
    if (!change && changed.isExpired(now)) throw new NotFoundException();
  }

  /**
   * The change of a push to other recipients; undefined when they are the same, and when it has ended.
   * @param list not validated
   * @throws InvalidFields when the list is invalid or blank, and when the push has no recipients
   */
  changeFor(push: Push, list: unknown, now: Date): PushChange | undefined {
    const recipients = readList(list);
    if (push.recipients === null)
      throw new InvalidFields({ recipients: new Problem('recipients_only_at_creation') });
    if (haveSameMembers(this.pushSeal.recipientsOf(push), recipients)) return undefined;
    return push.replaceRecipients(this.pushSeal.sealRecipients(push, recipients), now);
  }

  /** A digest of the recipient that an email address is, for links that end with their access. */
  holderFor(push: Push, email: string): string | undefined {
    const recipient = recipientFor(email, this.pushSeal.recipientsOf(push));
    return recipient && this.holderDigest(push, recipient);
  }

  /** The email address of the recipient who caused each of these entries of a push, by the id of the entry. */
  async ofEntries(push: Push, entries: AuditEntry[]): Promise<Map<string, string | undefined>> {
    const views = entries.filter(({ kind }) => kind === 'view').map(({ id }) => id);
    if (push.recipients === null || views.length === 0) return new Map();
    const openings = await this.openings.findBy({ pushId: push.id, auditEntryId: In(views) });
    return new Map(openings.map((opening) => [opening.auditEntryId, this.emailOf(push, opening)]));
  }

  /**
   * When each of the recipients opened a push last; undefined when it was opened more often than is read for it.
   * @param recipients of the push: email addresses and domains
   */
  async lastOpenings(push: Push, recipients: string[]): Promise<Map<string, Date> | undefined> {
    if (recipients.length === 0) return new Map();
    const openings = await this.openings.find({ where: { pushId: push.id }, take: MAX_OPENINGS + 1 });
    if (openings.length > MAX_OPENINGS) return undefined;
    const times = await this.audit.timesOf(openings.map(({ auditEntryId }) => auditEntryId));
    const last = new Map<string, Date>();
    for (const opening of openings) {
      const [email, at] = [this.emailOf(push, opening), times.get(opening.auditEntryId)];
      const recipient = email === undefined ? undefined : recipientFor(email, recipients);
      if (recipient === undefined || !at) continue;
      const before = last.get(recipient);
      if (!before || before < at) last.set(recipient, at);
    }
    return last;
  }

  /**
   * Records who was refused, as far as failures of the push are recorded. The address is kept for the owner, if there is
   * one, and if it is an address at all. Nothing is recorded when who is named cannot be read.
   */
  async recordRefusal(push: Push, { kind, email, urlToken, visitor, now }: RefusedRecipient): Promise<void> {
    if (this.pushSeal.recipientsOf(push).length === 0) return;
    const id = newId();
    const byOwner = push.isOwnedBy(visitor.userId);
    const address = User.normalizeEmail(email);
    const sealed =
      push.userId !== null && isPlainEmail(address)
        ? this.pushSeal.sealForOwner(push, address, enteredContext(id))
        : undefined;
    await this.unitOfWork.write((tx: Transaction) => {
      this.pushes.countAuditEntryOrAbort(tx, push, 'failuresAudited');
      this.audit.record(tx, { id, pushId: push.id, kind, urlToken, byOwner }, visitor, now);
      if (sealed) this.statements.insert(tx, { auditEntryId: id, sealed });
    });
  }

  /** The email address that was entered, for each of these entries of a push that has one, by the id of the entry. */
  async enteredIn(push: Push, entries: AuditEntry[]): Promise<Map<string, string | undefined>> {
    const refusals = entries.filter(({ kind }) => kind === 'code_refused' || kind === 'failed_code');
    if (refusals.length === 0) return new Map();
    const rows = await this.entered.findBy({ auditEntryId: In(refusals.map(({ id }) => id)) });
    return new Map(
      rows.map(({ auditEntryId, sealed }) => [
        auditEntryId,
        this.pushSeal.unsealForOwner(push, sealed, enteredContext(auditEntryId)),
      ]),
    );
  }

  @LinkHolderCheck()
  async isHolder(pushId: string, holder: string): Promise<boolean> {
    const push = await this.pushes.findById(pushId);
    if (!push) return false;
    return this.pushSeal
      .recipientsOf(push)
      .some((recipient) => this.holderDigest(push, recipient) === holder);
  }

  private holderDigest(push: Push, recipient: string): string {
    return this.pushSeal.keyedDigest(push, 'holder', recipient);
  }

  private emailOf(push: Push, { auditEntryId, sealed }: Opening): string | undefined {
    return sealed ? this.pushSeal.unsealForOwner(push, sealed, openingContext(auditEntryId)) : undefined;
  }
}

/** The field of a push that an entered email address is bound to. */
function enteredContext(auditEntryId: string): string {
  return `entered/${auditEntryId}`;
}

/** @throws InvalidFields */
function readList(list: unknown): string[] {
  assertValid({ recipients: recipientsError(list) });
  const recipients = readRecipients(list);
  if (!recipients) throw new InvalidFields({ recipients: new Problem('recipients_blank') });
  return recipients;
}

function haveSameMembers(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((member) => other.includes(member));
}

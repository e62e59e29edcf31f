import { HttpException, Injectable, NotFoundException, UnauthorizedException } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { UsersService } from '../../auth/users/users.service.js';
import { isMissingParent } from '../../platform/database/errors/database-error.js';
import { newId, digestOf, newToken } from '../../platform/random/random.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { writeWithin } from '../../platform/database/statements/statements.js';
import type { InlineFile } from '../../files/files.service.js';
import { FilesService } from '../../files/files.service.js';
import { UploadQuota } from '../../files/upload-receiver.js';
import type { Upload } from '../../files/upload.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { newKey } from '../../platform/sealing/secretbox.js';
import { LinkMailsService } from '../link-mails/link-mails.service.js';
import { MailQuota } from '../link-mails/mail-quota.js';
import { partsOf } from '../fields/list-fields.js';
import { OwnPushDto } from '../push/push.dto.js';
import type { PushColumns } from '../push/push.entity.js';
import { ownerTexts, Push } from '../push/push.entity.js';
import { PushCreated, PushEvents } from '../push/push-events.js';
import { PushSeal } from '../push/push-seal.js';
import { PushRepository } from '../push/push.repository.js';
import type { NewPush } from './create-push.dto.js';
import { CreatedPushDto } from './create-push.dto.js';
import { Problem } from '../../platform/errors/problem.js';
import type { CreationResult } from '../push/pushes.service.js';

/** Adds what is committed together with a push and refers to it. */
type RecordMore = (tx: Transaction, push: Push) => void;

/** How a push is created for the account of somebody else. */
interface CreationForOther {
  ownerId: string;
  /**
   * Called in the transaction, before anything of the push is written. What it throws is thrown, and there is no push.
   * The row of the account is locked by then.
   */
  claimWithin: (manager: EntityManager) => Promise<void>;
  recordMore: RecordMore;
}

/** A push to be created. */
interface Creation {
  newPush: NewPush;
  visitor: Visitor;
  /** The account that it will belong to; undefined without one. */
  ownerId: string | undefined;
  now: Date;
  urlToken: string;
  /** Its files, which are stored already. */
  upload?: Upload;
  /** Whether its creator may see it again, and delete it if it has no owner. */
  isFromPage: boolean;
  claimWithin?: CreationForOther['claimWithin'];
  recordMore?: RecordMore;
}

/** Creates pushes: seals first, then commits all rows of a push together, then responds. */
@Injectable()
export class CreationsService {
  constructor(
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly quota: UploadQuota,
    private readonly linkMails: LinkMailsService,
    private readonly mailQuota: MailQuota,
    private readonly events: PushEvents,
  ) {}

  async create(newPush: NewPush, visitor: Visitor, now = new Date()): Promise<CreatedPushDto> {
    const requested = { newPush, visitor, ownerId: visitor.userId, now, isFromPage: false };
    return CreatedPushDto.ofCreated((await this.storeAndCommit(requested)).push, newPush);
  }

  /** Creates a push that belongs to another account than the visitor's, who may know nothing of it afterwards. */
  async createFor(other: CreationForOther, newPush: NewPush, visitor: Visitor, now: Date): Promise<void> {
    await this.storeAndCommit({ newPush, visitor, now, isFromPage: false, ...other });
  }

  /** Creates a push whose creator may see it again, and delete it if it has no owner. */
  async createOnPage(
    newPush: NewPush,
    visitor: Visitor,
    now: Date,
    recordMore: RecordMore,
  ): Promise<CreationResult> {
    const ownerId = visitor.userId;
    return this.storeAndCommit({ newPush, visitor, ownerId, now, isFromPage: true, recordMore });
  }

  /** Removes the stored files of a new push for which no push is created. */
  async discardFiles({ files }: NewPush): Promise<void> {
    if (files && !Array.isArray(files)) await files.discard(new Error('No push is created for these files'));
  }

  /** Stores the files first, and removes them if the push is not created. */
  private async storeAndCommit(requested: Omit<Creation, 'urlToken' | 'upload'>): Promise<CreationResult> {
    const { newPush, visitor, ownerId, now } = requested;
    const upload = await this.uploadOf(newPush, ownerId, now);
    try {
      return await this.commit({ ...requested, urlToken: newToken(), upload });
    } catch (error) {
      await upload?.discard(error);
      if (!isMissingParent(error) && !(error instanceof HttpException)) throw error;
      if (await this.isAccountDeleted(visitor.userId)) throw accountDeletedError();
      throw (await this.isAccountDeleted(ownerId)) ? new NotFoundException() : error;
    }
  }

  /** With the files that arrived before after the others. */
  private async uploadOf(
    { files, arrived }: NewPush,
    ownerId: string | undefined,
    now: Date,
  ): Promise<Upload | undefined> {
    const upload = Array.isArray(files) ? await this.uploadInline(files, ownerId, now) : files;
    if (!arrived) return upload;
    const all = upload ?? this.files.beginUpload();
    all.arrived.push(...arrived.files);
    return all;
  }

  private async uploadInline(files: InlineFile[], ownerId: string | undefined, now: Date): Promise<Upload> {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > (await this.quota.remaining(ownerId, now))) throw this.quota.exceededError(now);
    return this.files.uploadInline(files);
  }

  private async commit(creation: Creation): Promise<CreationResult> {
    const { newPush, visitor, ownerId, now, urlToken, upload, isFromPage, recordMore } = creation;
    const push = await this.build(creation);
    const isOwner = push.isOwnedBy(visitor.userId);
    const entry = { pushId: push.id, kind: 'creation', urlToken, byOwner: isOwner } as const;
    const quotaUpdate = upload && (await this.quota.prepareUpdate(ownerId, upload.size, now));
    const isCommitted = await this.write(creation, (tx) => {
      if (quotaUpdate) tx.updateOrAbort(quotaUpdate);
      this.pushes.insert(tx, push);
      this.audit.record(tx, entry, visitor, now);
      if (newPush.mailedTo) {
        const request = { urlToken, visitor, isFromPage, now };
        this.linkMails.add(tx, push, newPush.mailedTo, request);
      }
      if (upload) this.files.add(tx, upload);
      this.events.record(tx, new PushCreated(push, now), push, now);
      recordMore?.(tx, push);
    });
    if (!isCommitted) throw this.quota.exceededError(now);
    const { recipients } = newPush;
    const ownerFields = { urlToken, recipients, ...ownerTexts((name) => newPush[name] ?? '') };
    return {
      push: OwnPushDto.ofOwn(push, ownerFields, visitor, now),
      isOwner,
      notices: push.noticesFor(visitor.userId),
      deleteKey: isFromPage ? this.pushSeal.deleteKey(push) : undefined,
    };
  }

  /**
   * Counting mails, or what `claimWithin` counts, or taking files that arrived before, in the same transaction takes more
   * than one conditional update.
   */
  private async write(
    { newPush: { mailedTo, arrived }, ownerId = '', claimWithin, now }: Creation,
    record: (tx: Transaction) => void,
  ): Promise<boolean> {
    if (!mailedTo && !claimWithin && !arrived) return this.unitOfWork.write(record);
    const mails = mailedTo ? partsOf(mailedTo).length : 0;
    const mailsUpdate = mailedTo && (await this.mailQuota.prepareUpdate(ownerId, mails, now));
    await this.unitOfWork.run(async (manager) => {
      if (ownerId !== '') await this.mailQuota.countWithin(manager, ownerId, mailsUpdate, now);
      await claimWithin?.(manager);
      await arrived?.takeWithin(manager);
      if (!(await writeWithin(manager, record))) throw this.quota.exceededError(now);
    });
    return true;
  }

  private async build({
    newPush,
    visitor,
    ownerId,
    now,
    urlToken,
    upload,
    isFromPage,
  }: Creation): Promise<Push> {
    const { payload, passphrase, lifetime, files, arrived, recipients, mailedTo, ...chosen } = newPush;
    const id = upload?.pushId ?? newId();
    const dataKey = upload?.dataKey ?? newKey();
    const isReadLater = ownerId !== undefined || isFromPage;
    const readLater = isReadLater ? { urlToken, ...ownerTexts((name) => newPush[name]) } : undefined;
    const ownerFields = recipients ? { ...readLater, recipients } : readLater;
    const bound = { id, tokenDigest: digestOf(urlToken), userId: ownerId ?? null };
    const secret = { payload, passphrase, hasProof: newPush.clientEncrypted };
    const columns: PushColumns = {
      ...bound,
      ...chosen,
      ...(await this.pushSeal.seal(bound, secret, dataKey, ownerFields, visitor.ip)),
      viewsCounted: 0,
      lastViewedAt: null,
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(now.getTime() + lifetime),
      expiredOn: null,
      ended: false,
      deleted: false,
      failuresAudited: 0,
      ownerViewsAudited: 0,
      passphraseAttempts: 0,
      passphraseNoticeAt: null,
      version: 0,
      filesCount: upload?.allFiles.length ?? 0,
    };
    return Object.assign(new Push(), columns);
  }

  private async isAccountDeleted(userId: string | undefined): Promise<boolean> {
    return userId !== undefined && !(await this.users.find(userId));
  }
}

function accountDeletedError(): UnauthorizedException {
  return new UnauthorizedException(new Problem('account_deleted'));
}

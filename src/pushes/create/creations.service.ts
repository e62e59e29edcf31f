import { HttpException, Injectable, UnauthorizedException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { isMissingParent } from '../../platform/database/errors/database-error.js';
import { newId } from '../../platform/random/ids.js';
import { digestOf, newToken } from '../../platform/random/tokens.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { executeWrite } from '../../platform/database/statements/statements.js';
import type { NewRow, Write } from '../../platform/database/transactions/write.js';
import type { InlineFile } from '../../files/files.service.js';
import { FilesService } from '../../files/files.service.js';
import { UploadQuota } from '../../files/upload-quota.js';
import type { Upload } from '../../files/upload.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { newKey } from '../../platform/sealing/secretbox.js';
import { LinkMailsService } from '../link-mails/link-mails.service.js';
import { MailQuota } from '../link-mails/mail-quota.js';
import { partsOf } from '../link-mails/recipients.js';
import type { NoticeEvent } from '../push/notice-events.js';
import { OwnPushDto } from '../push/push.dto.js';
import type { PushColumns } from '../push/push.entity.js';
import { ownerTexts, Push } from '../push/push.entity.js';
import { PushCreated, PushEvents } from '../push/push-events.js';
import { PushNotifiers } from '../push/push-notifiers.js';
import { PushSeal } from '../push/push-seal.js';
import { PushRepository } from '../push/push.repository.js';
import { CreatedPushDto } from './created-push.dto.js';
import type { NewPush } from './new-push.js';
import { Problem } from '../../platform/errors/problem.js';

type AdditionalRows = (push: Push) => NewRow[];

const NO_ROWS: AdditionalRows = () => [];

/** A new push, and what whoever created it may know of it. */
export interface CreationResult {
  push: OwnPushDto;
  /** Whether it belongs to the account of the visitor. */
  isOwner: boolean;
  /** The events that the visitor gets a mail about, as its owner. */
  notices: NoticeEvent[];
  /** The key with which a sender without an account may delete the push. */
  deleteKey: string | undefined;
}

/** A push to be created. */
interface Creation {
  newPush: NewPush;
  visitor: Visitor;
  now: Date;
  urlToken: string;
  /** Its files, which are stored already. */
  upload?: Upload;
  /** Whether its creator may see it again, and delete it if it has no owner. */
  isOnPage: boolean;
  /** Rows that are committed together with the push and refer to it. */
  additionalRows: AdditionalRows;
}

/** Creates pushes: seals first, then commits all rows of a push together, then responds. */
@Injectable()
export class CreationsService {
  constructor(
    @InjectRepository(User) private readonly usersRepository: Repository<User>,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly files: FilesService,
    private readonly quota: UploadQuota,
    private readonly linkMails: LinkMailsService,
    private readonly mailQuota: MailQuota,
    private readonly events: PushEvents,
    private readonly notifiers: PushNotifiers,
  ) {}

  async create(newPush: NewPush, visitor: Visitor, now = new Date()): Promise<CreatedPushDto> {
    const requested = { newPush, visitor, now, isOnPage: false, additionalRows: NO_ROWS };
    return CreatedPushDto.ofCreated((await this.storeAndCommit(requested)).push, newPush);
  }

  /**
   * Creates a push whose creator may see it again, and delete it if it has no owner.
   * @param additionalRows rows that are committed together with the push and refer to it
   */
  async createOnPage(
    newPush: NewPush,
    visitor: Visitor,
    now: Date,
    additionalRows = NO_ROWS,
  ): Promise<CreationResult> {
    return this.storeAndCommit({ newPush, visitor, now, isOnPage: true, additionalRows });
  }

  /** Removes the stored files of a new push for which no push is created. */
  async discardFiles({ files }: NewPush): Promise<void> {
    if (files && !Array.isArray(files)) await files.discard(new Error('No push is created for these files'));
  }

  /** Stores the files first, and removes them if the push is not created. */
  private async storeAndCommit(requested: Omit<Creation, 'urlToken' | 'upload'>): Promise<CreationResult> {
    const { newPush, visitor, now } = requested;
    const upload = Array.isArray(newPush.files)
      ? await this.uploadInline(newPush.files, visitor, now)
      : newPush.files;
    try {
      return await this.commit({ ...requested, urlToken: newToken(), upload });
    } catch (error) {
      await upload?.discard(error);
      const isRefused = isMissingParent(error) || error instanceof HttpException;
      throw isRefused && (await this.isAccountDeleted(visitor)) ? accountDeletedError() : error;
    }
  }

  private async uploadInline(files: InlineFile[], { userId }: Visitor, now: Date): Promise<Upload> {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > (await this.quota.remaining(userId, now))) throw this.quota.exceededError(now);
    return this.files.uploadInline(files);
  }

  private async commit(creation: Creation): Promise<CreationResult> {
    const { newPush, visitor, now, urlToken, upload, isOnPage, additionalRows } = creation;
    const push = await this.build(creation);
    const event = new PushCreated(push, now);
    const rows = [
      this.pushes.newRow(push),
      this.audit.newRow(
        { pushId: push.id, kind: 'creation', urlToken, byOwner: push.isOwnedBy(visitor.userId) },
        visitor,
        now,
      ),
      ...additionalRows(push),
      ...(newPush.recipients ? this.linkMails.newRows(push, newPush.recipients, urlToken, visitor, now) : []),
      ...(upload ? this.files.newRows(upload) : []),
      ...this.notifiers.rowsFor(event, push, now),
    ];
    const parent = push.userId === null ? undefined : { table: 'users', id: push.userId };
    const conditionalUpdate = upload && (await this.quota.prepareUpdate(visitor.userId, upload.size, now));
    if (!(await this.write({ parent, conditionalUpdate, rows }, creation)))
      throw this.quota.exceededError(now);
    this.events.emit(event);
    const ownerFields = { urlToken, ...ownerTexts((name) => newPush[name] ?? '') };
    return {
      push: OwnPushDto.ofOwn(push, ownerFields, visitor, now),
      isOwner: push.isOwnedBy(visitor.userId),
      notices: push.noticesFor(visitor.userId),
      deleteKey: isOnPage ? this.pushSeal.deleteKey(push) : undefined,
    };
  }

  /** Mails are counted in the same transaction, which takes more than one conditional update. */
  private async write(write: Write, { newPush, visitor, now }: Creation): Promise<boolean> {
    const { recipients } = newPush;
    const { userId = '' } = visitor;
    if (!recipients) return this.unitOfWork.write(write);
    const mailsUpdate = await this.mailQuota.prepareUpdate(userId, partsOf(recipients).length, now);
    await this.unitOfWork.run(async (manager) => {
      await this.mailQuota.countWithin(manager, userId, mailsUpdate, now);
      if (!(await executeWrite(manager, write))) throw this.quota.exceededError(now);
    });
    return true;
  }

  private async build({ newPush, visitor, now, urlToken, upload, isOnPage }: Creation): Promise<Push> {
    const { payload, passphrase, lifetime, files, recipients, ...chosen } = newPush;
    const id = upload?.pushId ?? newId();
    const dataKey = upload?.dataKey ?? newKey();
    const isReadLater = visitor.userId !== undefined || isOnPage;
    const ownerFields = isReadLater ? { urlToken, ...ownerTexts((name) => newPush[name]) } : undefined;
    const bound = { id, tokenDigest: digestOf(urlToken), userId: visitor.userId ?? null };
    const columns: PushColumns = {
      ...bound,
      ...chosen,
      ...(await this.pushSeal.seal(bound, { payload, passphrase }, dataKey, ownerFields, visitor.ip)),
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
      filesCount: upload?.files.length ?? 0,
    };
    return Object.assign(new Push(), columns);
  }

  private async isAccountDeleted({ userId }: Visitor): Promise<boolean> {
    return userId !== undefined && !(await this.usersRepository.existsBy({ id: userId }));
  }
}

function accountDeletedError(): UnauthorizedException {
  return new UnauthorizedException(new Problem('account_deleted'));
}

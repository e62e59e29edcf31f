import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AuditEvent } from '../../audit/audit.service.js';
import { AuditService } from '../../audit/audit.service.js';
import { FilesService } from '../../files/files.service.js';
import type { Upload } from '../../files/upload.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { idAt, digestOf } from '../../platform/random/random.js';
import { newKey } from '../../platform/sealing/secretbox.js';
import type { OwnerText, PushColumns, RecordedElsewhere } from '../push/push.entity.js';
import { ENDED, ownerTexts, Push } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { PushSeal } from '../push/push-seal.js';
import { ImportedPush } from './imported-push.entity.js';

/** Of the operator's command, which has none. */
const NO_CLIENT_IP = '';

/** A push of another service. */
export interface PushToImport
  extends
    Record<OwnerText, string>,
    Pick<
      PushColumns,
      | 'userId'
      | 'kind'
      | 'expireAfterDays'
      | 'expireAfterViews'
      | 'deletableByViewer'
      | 'retrievalStep'
      | 'viewsCounted'
      | 'lastViewedAt'
      | 'createdAt'
      | 'updatedAt'
      | 'expiresAt'
      | 'deleted'
      | 'failuresAudited'
      | 'ownerViewsAudited'
      | 'passphraseAttempts'
    > {
  /** Its number there, by which pushes of the same millisecond are ordered. */
  number: number;
  urlToken: string;
  /** Empty when it has ended. */
  payload: string;
  /** Empty when it has none. */
  passphrase: string;
  /** Null while it is active. */
  endedOn: Date | null;
}

/** An entry of its log there. */
export interface EntryToImport extends Pick<AuditEvent, 'kind' | 'byOwner'> {
  number: number;
  createdAt: Date;
  visitor: Omit<Visitor, 'baseUrl'>;
}

/** Creates pushes that another service had, so that their links open here. */
@Injectable()
export class ImportedPushesService {
  private readonly statements: PreparedStatements<ImportedPush>;

  constructor(
    @InjectRepository(ImportedPush) imported: Repository<ImportedPush>,
    private readonly unitOfWork: UnitOfWork,
    private readonly pushes: PushRepository,
    private readonly pushSeal: PushSeal,
    private readonly audit: AuditService,
    private readonly files: FilesService,
  ) {
    this.statements = new PreparedStatements(imported.manager.dataSource, ImportedPush);
  }

  /** Begins to store the files of a push, to be given to `add`. */
  beginUpload({ createdAt, number }: PushToImport): Upload {
    return this.files.beginUpload(idAt(createdAt, number));
  }

  /**
   * Adds a push with its files and the first entries of its log. Returns undefined when the account that owns it has been
   * deleted in the meantime.
   */
  async add(
    push: PushToImport,
    entries: EntryToImport[],
    lastLogEntry: number,
    upload: Upload | undefined,
  ): Promise<ImportedPush | undefined> {
    const row = await this.build(push, upload);
    const imported: ImportedPush = {
      id: row.tokenDigest,
      pushId: row.id,
      viewsImported: push.viewsCounted,
      lastLogEntry,
    };
    const isCommitted = await this.unitOfWork.write((tx) => {
      this.pushes.insert(tx, row);
      this.statements.insert(tx, imported);
      this.record(tx, imported, push, entries);
      if (upload) this.files.add(tx, upload);
    });
    return isCommitted ? imported : undefined;
  }

  /**
   * Adds further entries to the log of an imported push.
   * @param lastLogEntry the number of the last entry that was read, also if it is not among them
   * @throws Error when another import has done so in the meantime
   */
  async addEntries(
    imported: ImportedPush,
    push: Pick<PushToImport, 'urlToken'>,
    entries: EntryToImport[],
    lastLogEntry: number,
  ): Promise<void> {
    const isCommitted = await this.unitOfWork.write((tx) => {
      tx.updateOrAbort({
        rowId: imported.id,
        sql: 'UPDATE imported_pushes SET last_log_entry = ? WHERE id = ? AND last_log_entry = ?',
        values: [lastLogEntry, imported.id, imported.lastLogEntry],
      });
      this.record(tx, imported, push, entries);
    });
    if (!isCommitted) throw new Error(`Another import has added to the log of push ${imported.pushId}.`);
    imported.lastLogEntry = lastLogEntry;
  }

  /**
   * Begins to store files that were missing when their push was imported, each with the id of its row, to be given to
   * `replaceMissing`. Undefined when the push has ended here.
   * @throws WrongPassphrase
   */
  async resumeUpload({ pushId }: ImportedPush, passphrase: string, now: Date): Promise<Upload | undefined> {
    const push = await this.pushes.findById(pushId);
    if (!push || push.isExpired(now)) return undefined;
    const dataKey = await this.pushSeal.unsealDataKey(push, passphrase || undefined, NO_CLIENT_IP);
    return this.files.beginUpload(pushId, dataKey);
  }

  /** Makes the rows of files that were missing lead to them; false when there is such a row no more. */
  async replaceMissing({ files }: Upload): Promise<boolean> {
    let areAllReplaced = true;
    for (const file of files)
      areAllReplaced &&= await this.unitOfWork.write((tx) => {
        this.files.replaceMissing(tx, file);
      });
    return areAllReplaced;
  }

  /**
   * Counts here what the other service has recorded since the push was imported. Views are never given back.
   * @param viewsThere all of them
   */
  async catchUp(
    imported: ImportedPush,
    viewsThere: number,
    recorded: Omit<RecordedElsewhere, 'views'>,
    now: Date,
  ): Promise<boolean> {
    const push = await this.pushes.findById(imported.pushId);
    if (!push) return false;
    const views = Math.max(0, viewsThere - imported.viewsImported);
    const { change } = await this.pushes.apply(
      push,
      (current) => current.catchUp({ ...recorded, views }, now),
      (tx, current, { expiredOn }) => {
        tx.execute({
          sql: 'UPDATE imported_pushes SET views_imported = ? WHERE id = ?',
          values: [imported.viewsImported + views, imported.id],
        });
        if (expiredOn && current.filesCount > 0) this.files.revoke(tx, [current.id], now);
      },
    );
    return change !== undefined;
  }

  private record(
    tx: Transaction,
    { pushId }: ImportedPush,
    { urlToken }: Pick<PushToImport, 'urlToken'>,
    entries: EntryToImport[],
  ): void {
    for (const { number, createdAt, visitor, ...event } of entries) {
      const id = idAt(createdAt, number);
      this.audit.record(tx, { ...event, id, pushId, urlToken }, { ...visitor, baseUrl: '' }, createdAt);
    }
  }

  private async build(push: PushToImport, upload: Upload | undefined): Promise<Push> {
    const { number, urlToken, payload, passphrase, endedOn, name, note, ...columns } = push;
    const id = upload?.pushId ?? idAt(push.createdAt, number);
    const bound = { id, tokenDigest: digestOf(urlToken), userId: push.userId };
    const texts = { name, note };
    const ownerFields =
      push.userId === null ? undefined : { urlToken, ...ownerTexts((text) => texts[text] || undefined) };
    const secret = { payload, passphrase: passphrase || undefined };
    const sealed = await this.pushSeal.seal(
      bound,
      secret,
      upload?.dataKey ?? newKey(),
      ownerFields,
      NO_CLIENT_IP,
    );
    const row: PushColumns = {
      ...columns,
      ...bound,
      clientEncrypted: false,
      ownerOnly: false,
      namesSender: false,
      hidesContents: false,
      expireAfterFirstView: null,
      opensAt: null,
      allowedNetworks: null,
      oncePerRecipient: false,
      notifyOn: 0,
      passphraseNoticeAt: null,
      expiredOn: endedOn,
      ended: false,
      version: 0,
      filesCount: upload?.files.length ?? 0,
      ...sealed,
      ...(endedOn && ENDED),
    };
    return Object.assign(new Push(), row);
  }
}

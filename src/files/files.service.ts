import { createSecretKey } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere } from 'typeorm';
import { In, IsNull, LessThan, Repository } from 'typeorm';
import { PreparedStatements, statementOf } from '../platform/database/statements/statements.js';
import type { Transaction } from '../platform/database/transactions/unit-of-work.js';
import { unseal, seal } from '../platform/sealing/secretbox.js';
import { UnreadableRows } from '../platform/sealing/unreadable-rows.js';
import { sealContentKey } from './content-seal.js';
import type { FileLinkDto } from './file-link.dto.js';
import { FileStore } from './file-store.js';
import { StoredFile } from './file.entity.js';
import type { TicketKind } from './tickets.js';
import { Tickets } from './tickets.js';
import type { ArrivedFile, UploadedFile } from './upload.js';
import { Upload } from './upload.js';

/** A file whose content was in the request's JSON body. */
export interface InlineFile {
  name: string;
  contentType: string;
  size: number;
  /** Base64 in pieces. */
  content: readonly string[];
}

/** Code units of base64 that are decoded at a time. */
const DECODED_AT_A_TIME = 256 * 1024;

/** Links to the files of a push, which somebody has just been given. */
export interface FileLinks {
  files: FileLinkDto[];
  /** The names of files that were missing where the push was imported from: no link leads to them. */
  missing: string[];
  /** Of each file, in bytes. */
  sizes: number[];
  /** A link to all of them, as one archive. */
  archiveUrl: () => string;
  validUntil: Date;
  /** Whether they end with the access of whoever was given them. */
  isForHolder: boolean;
}

/** What its owner sees of the files of a push. */
export interface FileNames {
  /** In the order in which they were sent; none while they cannot be read without the passphrase, and after the end. */
  names: string[];
  /** How many were missing where the push was imported from. */
  missing: number;
  missingNames: string[];
}

/** Who is given links to the files of a push. */
interface LinkHolder {
  baseUrl: string;
  /** Whether it is the owner of the push. */
  isOwner: boolean;
  /** From which networks the push can be opened; null for all. */
  allowedNetworks: string[] | null;
  /** As in `Ticket`. */
  holder?: string;
}

/** The files of pushes. It knows a push only by its id. */
@Injectable()
export class FilesService {
  private readonly statements: PreparedStatements<StoredFile>;

  constructor(
    @InjectRepository(StoredFile) private readonly files: Repository<StoredFile>,
    private readonly store: FileStore,
    private readonly tickets: Tickets,
    private readonly unreadableRows: UnreadableRows,
  ) {
    this.statements = new PreparedStatements(files.manager.dataSource, StoredFile);
  }

  /** Begins to store the files of a push that is about to be created. */
  beginUpload(pushId?: string, dataKey?: Buffer): Upload {
    return new Upload(this.store, pushId, dataKey);
  }

  /** Stores files that are already in memory. */
  async uploadInline(files: InlineFile[]): Promise<Upload> {
    const upload = this.beginUpload();
    try {
      for (const { name, contentType, content } of files) {
        await upload.add(name, contentType, Readable.from(decoded(content)));
      }
      return upload;
    } catch (error) {
      await upload.discard(error);
      throw error;
    }
  }

  /** Adds uploaded files, in the transaction of their push. */
  add(tx: Transaction, { pushId, dataKey, allFiles }: Upload): void {
    for (const [position, file] of allFiles.entries()) {
      const columns = { pushId, position, ...sealedColumns(file, dataKey) };
      this.statements.insert(tx, Object.assign(new StoredFile(), columns));
    }
  }

  /** New links to the files of a push, in the order in which the files were sent. */
  async createLinks(
    pushId: string,
    dataKey: Buffer,
    { baseUrl, isOwner: isForOwner, allowedNetworks, holder }: LinkHolder,
    now: Date,
  ): Promise<FileLinks> {
    const all = await this.files.find({ where: { pushId }, order: { position: 'ASC' } });
    const [missing, files] = [all.filter((file) => file.isMissing), all.filter((file) => !file.isMissing)];
    const validUntil = this.tickets.endOfLinks(now);
    const ticketFor = (kind: TicketKind, subjectId: string) =>
      this.tickets.seal(kind, { subjectId, dataKey, validUntil, isForOwner, allowedNetworks, holder });
    return {
      files: files.map((file) => ({
        ...this.describe(file, dataKey),
        url: `${baseUrl}/files/${ticketFor('ticket', file.id)}`,
      })),
      missing: missing.map((file) => this.describe(file, dataKey).filename),
      sizes: files.map(({ size }) => size),
      archiveUrl: () => `${baseUrl}/files/all/${ticketFor('archive', pushId)}`,
      validUntil,
      isForHolder: holder !== undefined,
    };
  }

  /**
   * The names of the files of a push, in the order in which they were sent, and which of them are missing.
   * @param dataKey without it nothing but their number is known
   */
  async names(pushId: string, dataKey: Buffer | undefined): Promise<FileNames> {
    const files = await this.files.find({ where: { pushId }, order: { position: 'ASC' } });
    const names = dataKey ? files.map((file) => this.describe(file, dataKey).filename) : [];
    const missingNames = names.filter((_, index) => files[index]?.isMissing);
    return { names, missing: files.filter((file) => file.isMissing).length, missingNames };
  }

  /** How many files of a push there are, without those that are missing, and how large they are. */
  async total(pushId: string): Promise<{ count: number; bytes: number }> {
    const files = await this.files.find({ select: { size: true, storageKey: true }, where: { pushId } });
    const sizes = files.filter((file) => !file.isMissing).map(({ size }) => size);
    return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  /** A missing file is no longer missing: it was uploaded with the id of its row. */
  replaceMissing(tx: Transaction, { id, storageKey, size }: UploadedFile): void {
    tx.updateOrAbort({
      rowId: id,
      sql: "UPDATE files SET storage_key = ?, size = ? WHERE id = ? AND storage_key = ''",
      values: [storageKey, size, id],
    });
  }

  /** The name and type of a file; others in their place if they cannot be read, because the row is damaged. */
  describe({ id, name, contentType, position }: StoredFile, dataKey: Buffer): Omit<FileLinkDto, 'url'> {
    const key = createSecretKey(dataKey);
    const text = (sealed: Buffer, field: string) =>
      this.unreadableRows.readIfPossible(`file ${id}`, () =>
        unseal(key, sealed, `file/${id}/${field}`).toString(),
      );
    return {
      filename: text(name, 'name') ?? `file-${position + 1}`,
      content_type: text(contentType, 'contentType') ?? 'application/octet-stream',
    };
  }

  /** Keeps the files until links created now expire; never shortens the time for earlier ones. */
  keepForNewLinks(tx: Transaction, pushId: string, now: Date): void {
    this.update(tx, { linksUntil: this.tickets.endOfLinks(now) }, { pushId, linksUntil: IsNull() });
    this.keepForLinks(tx, pushId, now);
  }

  /** Keeps files whose links have not been revoked for as long as a link created now would. */
  keepForLinks(tx: Transaction, pushId: string, now: Date): void {
    const linksUntil = this.tickets.endOfLinks(now);
    this.update(tx, { linksUntil }, { pushId, linksUntil: LessThan(linksUntil) });
  }

  /** Ends the files of pushes that a limit has ended: they are removed once the last link to them has expired. */
  end(tx: Transaction, pushIds: string[], now: Date): void {
    this.update(tx, { endedOn: now }, { pushId: In(pushIds), endedOn: IsNull() });
  }

  /** Ends the files of deleted pushes, and all links to them immediately. */
  revoke(tx: Transaction, pushIds: string[], now: Date): void {
    this.update(tx, { endedOn: now, linksUntil: null }, { pushId: In(pushIds) });
  }

  private update(tx: Transaction, set: Partial<StoredFile>, where: FindOptionsWhere<StoredFile>): void {
    tx.execute(statementOf(this.files.createQueryBuilder().update().set(set).where(where)));
  }
}

function* decoded(base64: readonly string[]): Generator<Buffer> {
  let rest = '';
  for (const piece of base64) {
    for (let start = 0; start < piece.length; start += DECODED_AT_A_TIME) {
      const text = rest + piece.slice(start, start + DECODED_AT_A_TIME);
      const end = text.length - (text.length % 4);
      rest = text.slice(end);
      yield Buffer.from(text.slice(0, end), 'base64');
    }
  }
}

function sealedColumns(file: UploadedFile | ArrivedFile, dataKey: Buffer) {
  const key = createSecretKey(dataKey);
  return {
    id: file.id,
    name: seal(key, file.name, `file/${file.id}/name`),
    contentType: seal(key, file.contentType, `file/${file.id}/contentType`),
    contentKey: 'contentKey' in file ? sealContentKey(file.id, file.contentKey, dataKey) : null,
    size: file.size,
    storageKey: file.storageKey,
    linksUntil: null,
    endedOn: null,
    downloadsAudited: 0,
  };
}

import { createSecretKey } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, In, IsNull, LessThan } from 'typeorm';
import { Table } from '../database/table.js';
import type { NewRow } from '../database/write.js';
import { open, seal } from '../sealing/box.js';
import type { FileLinkDto } from './file-link.dto.js';
import { FileStore } from './file-store.js';
import { StoredFile } from './file.entity.js';
import { Tickets } from './tickets.js';
import type { UploadedFile } from './upload.js';
import { Upload } from './upload.js';

/** A file whose content came along in the request's JSON. */
export interface InlineFile {
  name: string;
  contentType: string;
  content: Buffer;
}

/** The files of pushes. It knows a push by its id alone. */
@Injectable()
export class FilesService {
  private readonly table: Table<StoredFile>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: FileStore,
    private readonly tickets: Tickets,
  ) {
    this.table = new Table(dataSource, StoredFile);
  }

  /** Begins to take in the files of a push to be. */
  beginUpload(): Upload {
    return new Upload(this.store);
  }

  /** Takes in files that are in memory already. */
  async uploadInline(files: InlineFile[]): Promise<Upload> {
    const upload = this.beginUpload();
    try {
      for (const { name, contentType, content } of files) {
        await upload.add(name, contentType, Readable.from(content.length > 0 ? [content] : []));
      }
      return upload;
    } catch (error) {
      await upload.discard(error);
      throw error;
    }
  }

  /** The rows of uploaded files, to be kept together with their push. */
  newRows({ pushId, dataKey, files }: Upload): NewRow[] {
    return files.map((file, position) =>
      this.table.newRow(
        Object.assign(new StoredFile(), { pushId, position, ...sealedColumns(file, dataKey) }),
      ),
    );
  }

  /** Fresh links to the files of a push, in the order in which they were sent. */
  async links(pushId: string, dataKey: Buffer, address: string, now: Date): Promise<FileLinkDto[]> {
    const files = await this.dataSource.manager.find(StoredFile, {
      where: { pushId },
      order: { position: 'ASC' },
    });
    return files.map((file) => ({
      ...openColumns(file, dataKey),
      url: `${address}/files/${this.tickets.write(file.id, dataKey, now)}`,
    }));
  }

  /** Keeps the bytes for the links that are given out now, and never shorter than for others. */
  async extendLinks(manager: EntityManager, pushId: string, now: Date): Promise<void> {
    const linksUntil = this.tickets.endOfLinks(now);
    await manager.update(StoredFile, { pushId, linksUntil: IsNull() }, { linksUntil });
    await manager.update(StoredFile, { pushId, linksUntil: LessThan(linksUntil) }, { linksUntil });
  }

  /** A limit has ended these pushes: their bytes go when the last link given out has ended. */
  async end(manager: EntityManager, pushIds: string[], now: Date): Promise<void> {
    await manager.update(StoredFile, { pushId: In(pushIds), endedOn: IsNull() }, { endedOn: now });
  }

  /** Someone has deleted this push: all its links end at once. */
  revoke(manager: EntityManager, pushId: string, now: Date): Promise<void> {
    return this.revokeAll(manager, [pushId], now);
  }

  async revokeAll(manager: EntityManager, pushIds: string[], now: Date): Promise<void> {
    await manager.update(StoredFile, { pushId: In(pushIds) }, { endedOn: now, linksUntil: null });
  }
}

function sealedColumns(file: UploadedFile, dataKey: Buffer) {
  const key = createSecretKey(dataKey);
  return {
    id: file.id,
    name: seal(key, file.name, `file/${file.id}/name`),
    contentType: seal(key, file.contentType, `file/${file.id}/contentType`),
    size: file.size,
    storageKey: file.storageKey,
    linksUntil: null,
    endedOn: null,
    downloadsAudited: 0,
  };
}

/** The name and type of a file. */
export function openColumns(
  { id, name, contentType }: StoredFile,
  dataKey: Buffer,
): Omit<FileLinkDto, 'url'> {
  const key = createSecretKey(dataKey);
  return {
    filename: open(key, name, `file/${id}/name`).toString(),
    content_type: open(key, contentType, `file/${id}/contentType`).toString(),
  };
}

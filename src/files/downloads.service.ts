import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { MAX_AUDITED } from '../audit/audit-entry.entity.js';
import { AuditService } from '../audit/audit.service.js';
import type { Visitor } from '../platform/http/visitor.js';
import { isDuplicate } from '../platform/database/errors/database-error.js';
import { writeWithin } from '../platform/database/statements/statements.js';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import type { ByteRange } from '../platform/sealing/chunk-streams.js';
import { UnsealingStream, sealedRange } from '../platform/sealing/chunk-streams.js';
import { sealedSize } from '../platform/sealing/chunk-seal.js';
import { contentSeal } from './content-seal.js';
import { FileStore, StoreUnavailable } from './file-store.js';
import { StoredFile } from './file.entity.js';
import { FilesService } from './files.service.js';
import { LinkHolders } from './link-holders.js';
import type { Ticket } from './tickets.js';
import { invalidLink, Tickets } from './tickets.js';

/** A file that a download link gives access to. */
export interface Download {
  ticket: Ticket;
  file: StoredFile;
  filename: string;
  contentType: string;
}

/** A link and the push that it belongs to. */
export interface DownloadLinkUse {
  linkId: string;
  pushId: string;
  /** Which file of the push it leads to, as in `AuditEntry`. */
  fileNumber: number;
  /** Whether the owner of the push was given the link. */
  isForOwner: boolean;
}

/** Thrown to roll back an entry that exceeds the limit. */
class AuditLimitReached extends Error {}

/** Serves download links. */
@Injectable()
export class DownloadsService {
  constructor(
    @InjectRepository(StoredFile) private readonly storedFiles: Repository<StoredFile>,
    private readonly files: FilesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditService,
    private readonly store: FileStore,
    private readonly tickets: Tickets,
    private readonly holders: LinkHolders,
  ) {}

  /** @throws ForbiddenException when the link is invalid, has expired, or is not for this IP address */
  async find(ticketText: string, ip: string, now = new Date()): Promise<Download> {
    const ticket = this.tickets.read(ticketText, ip, now);
    const file = await this.storedFiles.findOneBy({ id: ticket.subjectId });
    if (!file?.mayBeFetched(now) || file.isMissing) throw invalidLink();
    await this.holders.assertCurrent(file.pushId, ticket);

    const { filename, content_type: contentType } = this.files.describe(file, ticket.dataKey);
    return { ticket, file, filename, contentType };
  }

  /**
   * A part of the content; its first chunk has been verified when this resolves. It ends with an error soon after the
   * holder of the link has lost access.
   */
  async open({ ticket, file }: Pick<Download, 'ticket' | 'file'>, range: ByteRange): Promise<Readable> {
    const seal = contentSeal(file, ticket.dataKey);
    const sealed = await this.store.read(file.storageKey, sealedRange(range, sealedSize(file.size)));
    const opening = new UnsealingStream(seal, file.size, range);
    sealed.once('error', (error) => opening.destroy(new StoreUnavailable(error)));
    const content = pipeline(sealed, opening, () => undefined); // readers of the content get the same error
    await once(content, 'readable');
    return ticket.holder === undefined ? content : this.holders.whileCurrent(content, file.pushId, ticket);
  }

  /** Audits the first request of each link, but not resumed and repeated ones. */
  async recordDownload(
    { linkId, pushId, fileNumber, isForOwner }: DownloadLinkUse,
    visitor: Visitor,
    now = new Date(),
  ): Promise<void> {
    if (await this.audit.hasDownload(linkId)) return;
    try {
      await this.unitOfWork.run(async (manager) => {
        // first, because it locks the push: retrievals also lock it before its files; another order would deadlock
        const event = { pushId, kind: 'file_download', linkId, fileNumber, byOwner: isForOwner } as const;
        await writeWithin(manager, (tx) => {
          this.audit.record(tx, event, visitor, now);
        });
        // counted in the push's first file, so that the limit is exact with any number of concurrent requests
        const firstFile = { pushId, position: 0, downloadsAudited: LessThan(MAX_AUDITED) };
        const { affected } = await manager.increment(StoredFile, firstFile, 'downloadsAudited', 1);
        if (affected !== 1) throw new AuditLimitReached();
      });
    } catch (error) {
      // another request of this link was recorded first, or the log is full
      if (!isDuplicate(error) && !(error instanceof AuditLimitReached)) throw error;
    }
  }
}

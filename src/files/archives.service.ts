import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { makeZip, predictLength } from 'client-zip';
import { Repository } from 'typeorm';
import { ALL_FILES } from '../audit/audit-entry.entity.js';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import { archiveNames } from '../shared/archive-names.js';
import type { DownloadLinkUse } from './downloads.service.js';
import { DownloadsService } from './downloads.service.js';
import { StoredFile } from './file.entity.js';
import { FilesService } from './files.service.js';
import { LinkHolders } from './link-holders.js';
import type { Ticket } from './tickets.js';
import { invalidLink, Tickets } from './tickets.js';
import { MINUTE_MS } from '../platform/settings/units.js';

/** Interval, shorter than the lifetime of links. */
const EXTEND_EVERY_MS = 5 * MINUTE_MS;
const MAX_EXTENDED_MS = 60 * MINUTE_MS;

type Clock = () => Date;

interface ArchiveEntry {
  file: StoredFile;
  /** The name of the file in the archive. */
  name: string;
}

/** All files of a push, to which one link gives access. */
export interface Archive extends DownloadLinkUse {
  ticket: Ticket;
  entries: ArchiveEntry[];
  /** Size of the whole archive, in bytes. */
  size: bigint;
}

/** Serves all files of a push as one zip archive, which is written while it is read. Nothing of it is stored. */
@Injectable()
export class ArchivesService {
  constructor(
    @InjectRepository(StoredFile) private readonly storedFiles: Repository<StoredFile>,
    private readonly unitOfWork: UnitOfWork,
    private readonly files: FilesService,
    private readonly downloads: DownloadsService,
    private readonly tickets: Tickets,
    private readonly holders: LinkHolders,
  ) {}

  /** @throws ForbiddenException when the link is invalid, has expired, or is not for this IP address */
  async find(ticketText: string, ip: string, now = new Date()): Promise<Archive> {
    const ticket = this.tickets.read(ticketText, ip, now, 'archive');
    const pushId = ticket.subjectId;
    const all = await this.storedFiles.find({ where: { pushId }, order: { position: 'ASC' } });
    const files = all.filter((file) => !file.isMissing);
    if (files.length === 0 || !files.every((file) => file.mayBeFetched(now))) throw invalidLink();
    await this.holders.assertCurrent(pushId, ticket);

    const names = archiveNames(files.map((file) => this.files.describe(file, ticket.dataKey).filename));
    const entries = files.map((file, index) => ({ file, name: names[index] ?? file.id }));
    const size = predictLength(entries.map(({ file, name }) => ({ name, size: file.size })));
    const { linkId, isForOwner } = ticket;
    return { ticket, linkId, isForOwner, pushId, fileNumber: ALL_FILES, entries, size };
  }

  /**
   * The archive; the first chunk of its first file has been verified when this resolves. Only one of the files is open
   * at a time. A file that fails, or a push that is deleted in the meantime, makes it fail before its end.
   */
  async open(archive: Archive, clock: Clock = () => new Date()): Promise<Readable> {
    const [first] = archive.entries;
    if (!first) throw invalidLink();
    const content = await this.contentOf(first, archive);
    const zip = Readable.fromWeb(makeZip(this.inputs(archive, content, clock)) as ReadableStream);
    return zip.once('close', () => content.destroy()); // closed before the first file was asked for
  }

  private async *inputs(archive: Archive, firstContent: Readable, clock: Clock) {
    const retention = new FileRetention(clock, (now) => this.extendRetention(archive, now));
    for (const [index, entry] of archive.entries.entries()) {
      const content = index === 0 ? firstContent : await this.nextContent(entry, archive, clock());
      try {
        yield { name: entry.name, size: entry.file.size, input: retention.whileReading(content) };
      } finally {
        content.destroy(); // the archive was closed
      }
    }
  }

  private async nextContent(entry: ArchiveEntry, archive: Archive, now: Date): Promise<Readable> {
    const file = await this.storedFiles.findOneBy({ id: entry.file.id });
    if (!file?.mayBeFetched(now)) throw invalidLink(); // deleted in the meantime
    await this.holders.assertCurrent(archive.pushId, archive.ticket);
    return this.contentOf(entry, archive);
  }

  private contentOf({ file }: ArchiveEntry, { ticket }: Archive): Promise<Readable> {
    return this.downloads.open({ ticket, file }, { start: 0, end: file.size - 1 });
  }

  private async extendRetention({ pushId }: Archive, now: Date): Promise<void> {
    await this.unitOfWork.write((tx) => {
      this.files.keepForLinks(tx, pushId, now);
    });
  }
}

/** Keeps the later files of an archive that is sent for longer than links last, for an hour at most. */
class FileRetention {
  private readonly until: number;
  private nextAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly extend: (now: Date) => Promise<void>,
  ) {
    const startedAt = clock().getTime();
    this.until = startedAt + MAX_EXTENDED_MS;
    this.nextAt = startedAt + EXTEND_EVERY_MS;
  }

  async *whileReading(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of content) {
      await this.extendWhenDue();
      yield chunk;
    }
  }

  private async extendWhenDue(): Promise<void> {
    const now = this.clock();
    if (now.getTime() < this.nextAt || now.getTime() > this.until) return;
    this.nextAt = now.getTime() + EXTEND_EVERY_MS;
    await this.extend(now);
  }
}

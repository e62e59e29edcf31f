import { Injectable } from '@nestjs/common';
import { ArchivesService } from '../../files/archives.service.js';
import type { Download } from '../../files/downloads.service.js';
import { DownloadsService } from '../../files/downloads.service.js';
import type { FileLinkDto } from '../../files/file-link.dto.js';
import type { DownloadLinks } from '../views/linked-files.js';

@Injectable()
export class LinkedFilesService {
  constructor(
    private readonly downloads: DownloadsService,
    private readonly archives: ArchivesService,
  ) {}

  /** The files to which the links of a retrieval give access. */
  async describe(links: FileLinkDto[], baseUrl: string, now = new Date()): Promise<DownloadLinks> {
    const found = await Promise.all(links.map(({ url }) => this.find(url, now)));
    const ends = found.map((download) => download?.ticket.validUntil.getTime() ?? now.getTime());
    return {
      files: links.map(({ filename, url }, i) => ({ filename, url, size: found[i]?.file.size })),
      archiveUrl: await this.archiveOf(links, baseUrl, now),
      lifetime: Math.min(...ends) - now.getTime(),
    };
  }

  private find(url: string, now: Date): Promise<Download | undefined> {
    return this.downloads.find(ticketIn(url), now).catch(() => undefined);
  }

  private async archiveOf(
    [first, second]: FileLinkDto[],
    baseUrl: string,
    now: Date,
  ): Promise<string | undefined> {
    if (!first || !second) return undefined;
    return this.archives.linkToAll(ticketIn(first.url), baseUrl, now).catch(() => undefined);
  }
}

function ticketIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

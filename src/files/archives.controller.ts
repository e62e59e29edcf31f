import { Controller, Get, Head, Param, Res } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Response } from 'express';
import { Public } from '../auth/access.decorators.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import { StreamsResponse } from '../platform/limits/streamed-responses.js';
import type { Visitor } from '../platform/http/visitor.js';
import { CurrentVisitor } from '../platform/http/visitor.js';
import type { Archive } from './archives.service.js';
import { ArchivesService } from './archives.service.js';
import { DownloadsService } from './downloads.service.js';
import { sendContent } from './send-content.js';

const FILE_NAME = 'files.zip';

/** All files of a push in one download. */
@Controller('files/all')
@OnGateway()
export class ArchivesController {
  constructor(
    private readonly archives: ArchivesService,
    private readonly downloads: DownloadsService,
  ) {}

  /** Describes the archive without sending it. */
  @Head(':ticket') // before GET, which would also handle it
  @Public()
  async describe(
    @Param('ticket') ticket: string,
    @CurrentVisitor() { ip }: Visitor,
    @Res() response: Response,
  ): Promise<void> {
    headersFor(await this.archives.find(ticket, ip), response).end();
  }

  /** Downloads all files of a push as a zip archive. */
  @Get(':ticket')
  @StreamsResponse()
  @Public()
  async download(
    @Param('ticket') ticket: string,
    @CurrentVisitor() visitor: Visitor,
    @Res() response: Response,
  ): Promise<void> {
    const archive = await this.archives.find(ticket, visitor.ip);
    await this.downloads.recordDownload(archive, visitor);
    const content = await this.archives.open(archive);
    await sendContent(content, headersFor(archive, response));
  }
}

function headersFor({ size }: Archive, response: Response): Response {
  return response.set({
    'Content-Type': 'application/zip',
    'Accept-Ranges': 'none',
    'Content-Disposition': contentDisposition.create(FILE_NAME, { type: 'attachment' }),
    'Content-Length': String(size),
    'Content-Security-Policy': "sandbox; default-src 'none'",
  });
}

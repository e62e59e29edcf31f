import { pipeline } from 'node:stream/promises';
import { Controller, Get, Head, HttpException, Param, Req, Res } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import parseRange from 'range-parser';
import { Public } from '../auth/openness.js';
import type { Visitor } from '../common/visitor.js';
import { CurrentVisitor } from '../common/visitor.js';
import type { ByteRange } from '../sealing/chunk-streams.js';
import type { Download } from './downloads.service.js';
import { DownloadsService } from './downloads.service.js';

@Controller('files')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  /** Tells of a file without sending it. Comes before GET, which would answer HEAD too. */
  @Head(':ticket')
  @Public()
  async describe(@Param('ticket') ticket: string, @Res() response: Response): Promise<void> {
    const download = await this.downloads.find(ticket);
    headersFor(download, wholeOf(download), response).end();
  }

  /** Downloads a file, or a part of it. */
  @Get(':ticket')
  @Public()
  async download(
    @Param('ticket') ticket: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const download = await this.downloads.find(ticket);
    const range = rangeOf(request, download, response);
    await this.downloads.audited(download, visitor);
    const content = await this.downloads.open(download, range);
    await pipeline(content, headersFor(download, range, response));
  }
}

/** Files never change, so the validator of RFC 9110 is their id. */
function entityTag({ file }: Download): string {
  return `"${file.id}"`;
}

function wholeOf({ file }: Download): ByteRange {
  return { start: 0, end: file.size - 1 };
}

/**
 * The one range that is asked for (RFC 9110, 14.2), where `If-Range` still holds; else the whole file.
 * @throws HttpException 416 when no byte of the file is in it
 */
function rangeOf({ headers }: Request, download: Download, response: Response): ByteRange {
  const ifRange = headers['if-range'];
  if (headers.range === undefined || (ifRange !== undefined && ifRange !== entityTag(download))) {
    return wholeOf(download);
  }
  const { size } = download.file;
  const ranges = parseRange(size, headers.range);
  if (ranges === -1) {
    response.set('Content-Range', `bytes */${size}`);
    throw new HttpException('The file has no such range.', 416);
  }
  const [range] = ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1 ? [] : ranges;
  return range ?? wholeOf(download);
}

/** Always an attachment, never shown or run on our own origin. */
function headersFor(download: Download, { start, end }: ByteRange, response: Response): Response {
  const { size } = download.file;
  const length = end - start + 1;
  response.setHeader('Content-Type', download.contentType); // set() would add a charset that nobody declared
  if (length < size) response.status(206).set('Content-Range', `bytes ${start}-${end}/${size}`);
  return response.set({
    'Accept-Ranges': 'bytes',
    'Content-Disposition': contentDisposition.create(download.filename, { type: 'attachment' }),
    'Content-Length': String(length),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: entityTag(download),
  });
}

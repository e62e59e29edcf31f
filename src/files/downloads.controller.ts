import { Controller, Get, Head, HttpException, Param, Req, Res } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.decorators.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import { StreamsResponse } from '../platform/limits/streamed-responses.js';
import type { Visitor } from '../platform/http/visitor.js';
import { CurrentVisitor } from '../platform/http/visitor.js';
import type { ByteRange } from '../platform/sealing/chunk-streams.js';
import type { Download, DownloadLinkUse } from './downloads.service.js';
import { DownloadsService } from './downloads.service.js';
import { sendContent } from './send-content.js';
import { Problem } from '../platform/errors/problem.js';

@Controller('files')
@OnGateway()
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  /** Describes a file without sending it. */
  @Head(':ticket') // before GET, which would also handle it
  @Public()
  async describe(
    @Param('ticket') ticket: string,
    @CurrentVisitor() { ip }: Visitor,
    @Res() response: Response,
  ): Promise<void> {
    const download = await this.downloads.find(ticket, ip);
    headersFor(download, undefined, response).end();
  }

  /** Downloads a file, or a part of it. */
  @Get(':ticket')
  @StreamsResponse()
  @Public()
  async download(
    @Param('ticket') ticket: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const download = await this.downloads.find(ticket, visitor.ip);
    const range = rangeOf(request, download, response);
    await this.downloads.recordDownload(linkUseOf(download), visitor);
    const content = await this.downloads.open(download, range ?? wholeRangeOf(download));
    await sendContent(content, headersFor(download, range, response));
  }
}

function linkUseOf({ ticket: { linkId, isForOwner }, file }: Download): DownloadLinkUse {
  return { linkId, pushId: file.pushId, fileNumber: file.position + 1, isForOwner };
}

/** Files never change, so the validator of RFC 9110 is their id. */
function entityTag({ file }: Download): string {
  return `"${file.id}"`;
}

function wholeRangeOf({ file }: Download): ByteRange {
  return { start: 0, end: file.size - 1 };
}

/**
 * The one range that is requested (RFC 9110, 14.2), if `If-Range` matches; undefined for the whole file.
 * @throws HttpException 416 when the range has no byte of the file
 */
function rangeOf({ headers }: Request, download: Download, response: Response): ByteRange | undefined {
  const ifRange = headers['if-range'];
  if (headers.range === undefined || (ifRange !== undefined && ifRange !== entityTag(download))) {
    return undefined;
  }
  const { size } = download.file;
  const range = parseRange(headers.range, size);
  if (range && range.start > range.end) {
    response.set('Content-Range', `bytes */${size}`);
    throw new HttpException(new Problem('range_not_satisfiable'), 416);
  }
  return range;
}

/** Always an attachment, never displayed or run on our origin. */
function headersFor(download: Download, range: ByteRange | undefined, response: Response): Response {
  const { size } = download.file;
  const { start, end } = range ?? wholeRangeOf(download);
  response.setHeader('Content-Type', download.contentType); // set() would add a charset that was not declared
  if (range) response.status(206).set('Content-Range', `bytes ${start}-${end}/${size}`);
  return response.set({
    'Accept-Ranges': 'bytes',
    'Content-Disposition': contentDisposition.create(download.filename, { type: 'attachment' }),
    'Content-Length': String(end - start + 1),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: entityTag(download),
  });
}

/**
 * The range in a `Range` header, limited to the size of the content (RFC 9110, 14.1.2). It starts after its end when it
 * is outside of the content. Undefined for more than one range, and for a header that is not valid.
 */
export function parseRange(header: string, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.trim()) ?? [];
  if (first !== '') {
    const range = { start: Number(first), end: last === '' ? size - 1 : Number(last) };
    return range.start > range.end && last !== ''
      ? undefined
      : { ...range, end: Math.min(range.end, size - 1) };
  } else {
    return last === '' ? undefined : { start: size - Math.min(Number(last), size), end: size - 1 };
  }
}

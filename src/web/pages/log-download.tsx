import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ForbiddenException, NotFoundException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendContent } from '../../files/send-content.js';
import { Problem } from '../../platform/errors/problem.js';
import type { LogFormat } from '../../platform/http/log-lines.js';
import { isLogFormat, LOG_FORMATS } from '../../platform/http/log-lines.js';
import { Buttons, LinkButton } from '../components/button.js';
import { Data, useTexts } from '../components/site.js';

/**
 * The format of a log that a page of ours links to.
 * @throws NotFoundException for another one
 * @throws ForbiddenException if another site has led here: it must not make people read the whole log
 */
export function requestedFormat({ query, headers }: Request): LogFormat {
  const { format } = query;
  if (!isLogFormat(format)) throw new NotFoundException();
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new ForbiddenException(new Problem('other_site'));
  return format;
}

/** Sends a log as a file, with the day in its name. The text is read as fast as the client reads. */
export async function sendLog(
  content: Readable,
  { name, format, response }: { name: string; format: LogFormat; response: Response },
): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  response.setHeader('Content-Type', LOG_FORMATS[format]); // set() would add a charset
  response.setHeader('Content-Disposition', `attachment; filename="${name}-${day}.${format}"`);
  await sendContent(content, response);
}

/** Resolves once the first part has been read, so that an error before it still has its page. */
export async function readableOf(texts: AsyncIterable<string>): Promise<Readable> {
  const content = Readable.from(texts, { objectMode: false });
  await once(content, 'readable');
  return content;
}

/** Links to a log in each format. @param to its path, with its parameters if it has some */
export function LogLinks({ to }: { to: string }) {
  const t = useTexts();
  return (
    <Buttons>
      {(['csv', 'ndjson'] as const).map((format) => (
        <LinkButton
          key={format}
          look="quiet"
          size="small"
          icon="download"
          short={<Data>{format.toUpperCase()}</Data>}
          to={`${to}${to.includes('?') ? '&' : '?'}format=${format}`}
        >
          {t.text('audit.downloadAs', { format: format.toUpperCase() })}
        </LinkButton>
      ))}
    </Buttons>
  );
}

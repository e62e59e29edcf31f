import { ResponseError, SealpushError } from '../errors.js';
import type { SendOptions } from '../new-push.js';
import { pause } from '../pause.js';
import type { Server } from '../server.js';
import { codeOfStatus } from '../server.js';
import type { Content } from './content.js';
import { Unreadable } from './content.js';
import type { ReceivedResponse, SentRequest } from './sent-request.js';
import { Ended, PROTOCOL, Refused, UploadInParts } from './upload-in-parts.js';

/** Every proxy takes parts of this size; smaller ones are tried when not. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Sends files in parts, one after the other, and returns the ids by which a push takes them. A connection that breaks
 * continues. What was sent is deleted if not all can be.
 * @throws SealpushError
 */
export async function sendInParts(
  server: Server,
  contents: readonly Content[],
  metadata: Record<string, string>,
  { onProgress, signal = new AbortController().signal }: SendOptions,
): Promise<string[]> {
  const target = {
    path: `${server.baseUrl}/api/v2/uploads`,
    partBytes: PART_BYTES,
    metadata,
    send: (request: SentRequest) => send(server, request),
    remove: (path: string) => {
      void server.send('DELETE', path, { headers: PROTOCOL }).catch(() => undefined); // it ends by itself later
    },
    wait: pause,
  };
  const uploads = contents.map((content) => new UploadInParts(content, target));
  const total = contents.reduce((sum, { size }) => sum + size, 0);
  try {
    for (const upload of uploads) {
      upload.onChange = () =>
        onProgress?.(
          uploads.reduce((sum, { sent }) => sum + sent, 0),
          total,
        );
      await upload.run(signal);
    }
  } catch (error) {
    for (const upload of uploads) upload.end();
    throw known(error);
  }
  return uploads.map(({ id }) => id);
}

async function send(
  server: Server,
  { method, url, headers, body, signal }: SentRequest,
): Promise<ReceivedResponse> {
  const { response, content } = await server.send(method, url, { headers, body, signal });
  return { status: response.status, content, header: (name) => response.headers.get(name) };
}

function known(error: unknown): unknown {
  if (error instanceof Unreadable)
    return new SealpushError('invalid', `${error.file.name} cannot be read, or has changed meanwhile.`);
  if (error instanceof Ended)
    return new SealpushError('ended', 'The server has deleted what it had of a file: its time was over.');
  if (!(error instanceof Refused)) return error;
  const { status, content } = error.response;
  const { error: said } = (content ?? {}) as { error?: unknown };
  return new ResponseError(
    codeOfStatus(status),
    typeof said === 'string' ? said : `The server refuses the file, with status ${status}.`,
    status,
  );
}

import { cleanContentType, cleanFileName } from '../../../src/shared/file-name.js';
import type { components } from './api-types.js';
import { continuedDownload } from './continued-download.js';
import { fileKeyOf } from './end-to-end/age-header.js';
import { EndToEndError } from './end-to-end/end-to-end-error.js';
import type { Envelope, EnvelopeFile, Kind } from './end-to-end/envelope.js';
import { decryptFileWith } from './end-to-end/files.js';
import { decryptPayload } from './end-to-end/payload.js';
import { proofOf } from './end-to-end/secret.js';
import { SealpushError } from './errors.js';
import type { PushLink } from './link.js';
import type { Server } from './server.js';

type RetrievedPush = components['schemas']['RetrievedPushDto'];
type FileLink = components['schemas']['FileLinkDto'];

export interface OpenOptions {
  /** If the sender has given one. */
  passphrase?: string;
  /** Of a recipient, if the push names them: see `askCode`. */
  recipient?: { email: string; code: string };
  signal?: AbortSignal;
}

/** A secret that was opened. Treat its text, and names and types of its files, as coming from a stranger. */
export interface OpenedPush {
  kind: Kind;
  /** Empty if there are only files. */
  text: string;
  files: OpenedFile[];
  /** Whether a client has encrypted it, and the server cannot read it. */
  isEncrypted: boolean;
  viewsRemaining: number;
  expiresAt: string;
  /** Names of files that the server does not have, because it did not have them when the push was imported. */
  missingFiles: string[];
}

/** A file of a secret. It can be downloaded for ten minutes. */
export interface OpenedFile {
  name: string;
  type: string;
  /** Bytes; undefined before it is downloaded if the server has encrypted it. */
  size: number | undefined;
  /**
   * Downloads it, and decrypts it meanwhile. A download that breaks continues. The stream fails if the file is not exactly
   * as it was sent, which is known only at its end: until then nothing of it may be used.
   */
  stream(signal?: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/** @throws SealpushError */
export async function openPush(server: Server, link: PushLink, options: OpenOptions): Promise<OpenedPush> {
  await assertFits(server, link, options.signal);
  const { fragment, urlToken } = link;
  const { passphrase = '', recipient, signal } = options;
  if (fragment?.needsPassphrase && passphrase === '')
    throw new SealpushError('passphrase_needed', 'This push needs its passphrase.');
  const proof = fragment ? await proofOf(fragment, passphrase) : passphrase;
  const access = { passphrase: proof, recipient, signal, isProof: fragment !== undefined };
  const push = await retrieve(server, urlToken, access).catch((error: unknown) => {
    // the key alone makes the proof of a link without a passphrase
    if (fragment && !fragment.needsPassphrase && codeIn(error) === 'passphrase_wrong')
      throw new SealpushError('invalid_link', 'The link does not fit this push: what follows # was altered.');
    throw error;
  });
  if (push.expired || push.payload === null)
    throw new SealpushError('ended', 'This push has ended: its limit was reached, or it was deleted.');
  if (!fragment) return openedAsItIs(server, push);
  return openedWith(server, push, await decryptPayload(push.payload, fragment, passphrase).catch(known));
}

/** A push of somebody else, or an answer, with what its envelope says. */
export function openedWith(server: Server, push: RetrievedPush, envelope: Envelope): OpenedPush {
  const links = filesOf(push);
  if (links.length !== envelope.files.length) known(new EndToEndError('damaged'));
  return {
    ...limitsOf(push),
    kind: envelope.kind,
    text: envelope.text,
    isEncrypted: true,
    files: envelope.files.map((file, i) => encryptedFile(server, file, links[i]?.url ?? '')),
  };
}

export function openedAsItIs(server: Server, push: RetrievedPush): OpenedPush {
  return {
    ...limitsOf(push),
    kind: push.kind,
    text: push.payload ?? '',
    isEncrypted: false,
    files: filesOf(push).map((file) => plainFile(server, file)),
  };
}

export async function retrieve(
  server: Server,
  urlToken: string,
  { passphrase = '', recipient, signal, isProof = false }: OpenOptions & { isProof?: boolean } = {},
): Promise<RetrievedPush> {
  const headers: Record<string, string> = {};
  let path = `/api/v2/pushes/${urlToken}`;
  if (passphrase !== '') {
    headers['X-Push-Passphrase'] = encodeURIComponent(passphrase);
    // others of this API know no header for it, and no proof
    if (!isProof && !(await server.isSealpush(signal)))
      path += `?passphrase=${encodeURIComponent(passphrase)}`;
  }
  if (recipient) {
    headers['X-Push-Recipient'] = encodeURIComponent(recipient.email);
    headers['X-Push-Code'] = codeOf(recipient);
  }
  const push = await server.json<RetrievedPush>('GET', path, { headers, signal });
  const isText = push.payload === null || typeof push.payload === 'string';
  if (!isText || typeof push.expired !== 'boolean') throw server.unexpected();
  return push;
}

/**
 * Errors of `fetch` repeat a header that it does not accept, so nothing but digits gets there.
 * @throws SealpushError
 */
function codeOf({ code }: { code: string }): string {
  const trimmed = code.trim();
  if (!/^\d{1,20}$/.test(trimmed)) throw new SealpushError('code_needed', 'The code must be digits.');
  return trimmed;
}

/** Other servers of this API leave them out if there are none. */
function filesOf({ files }: Partial<Pick<RetrievedPush, 'files'>>): FileLink[] {
  const isLink = (file: Partial<FileLink> | null) =>
    typeof file?.url === 'string' && typeof file.filename === 'string';
  return Array.isArray(files) ? files.filter(isLink) : [];
}

/** No view is used to learn that a link does not fit what the server has. */
async function assertFits(
  server: Server,
  { urlToken, fragment }: PushLink,
  signal?: AbortSignal,
): Promise<void> {
  const path = `/api/v2/pushes/${urlToken}/preview`;
  const preview = await server.json<{ client_encrypted?: boolean }>('GET', path, { signal });
  if (preview.client_encrypted && !fragment)
    throw new SealpushError('invalid_link', 'The link is incomplete: the key, which follows #, is missing.');
  if (!preview.client_encrypted && fragment)
    throw new SealpushError(
      'invalid_link',
      'The link does not fit this push, which the server can read: it was replaced.',
    );
}

function limitsOf({ views_remaining, expires_at, missing_files }: RetrievedPush) {
  return { viewsRemaining: views_remaining, expiresAt: expires_at, missingFiles: missing_files ?? [] };
}

function plainFile(server: Server, { filename, content_type, url }: FileLink): OpenedFile {
  return {
    name: cleanFileName(filename),
    type: cleanContentType(content_type),
    size: undefined,
    stream: async (signal) =>
      withErrors(await downloaded(server, url, signal), (error) => {
        signal?.throwIfAborted();
        throw error instanceof SealpushError ? error : interrupted();
      }),
  };
}

function encryptedFile(server: Server, file: EnvelopeFile, url: string): OpenedFile {
  const { name, type, size } = file;
  const stream = async (signal?: AbortSignal) => {
    const failed = (error: unknown): never => {
      signal?.throwIfAborted();
      return known(error);
    };
    const encrypted = await downloaded(server, url, signal);
    return withErrors(await decryptFileWith(encrypted, file, fileKeyOf).catch(failed), failed);
  };
  return { name, type, size, stream };
}

/** @param rethrow throws what the stream fails with, in place of the error that it is given */
function withErrors(
  content: ReadableStream<Uint8Array>,
  rethrow: (error: unknown) => never,
): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await reader.read().catch(rethrow);
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function downloaded(
  server: Server,
  url: string,
  signal = new AbortController().signal,
): Promise<ReadableStream<Uint8Array>> {
  const fetchPart = (headers: Record<string, string>) => server.download(url, headers, signal);
  const first = await fetchPart({});
  if (!first.ok) throw await server.refusalOf(first, signal);
  const fetchRest = async (headers: { Range: string }) => {
    const rest = await fetchPart(headers);
    return isRange(rest, headers.Range) ? rest : Response.error();
  };
  return continuedDownload(first.body ?? new Blob().stream(), fetchRest, signal);
}

/** What begins elsewhere must not be taken for the rest. Other hosts may hide where it begins. */
function isRange({ status, headers }: Response, asked: string): boolean {
  const sent = headers.get('Content-Range');
  return status !== 206 || sent === null || sent.startsWith(asked.replace('=', ' '));
}

function interrupted(): SealpushError {
  return new SealpushError('network', 'The download broke off.');
}

/** @throws SealpushError for errors of the format */
export function known(error: unknown): never {
  if (!(error instanceof EndToEndError)) throw error;
  switch (error.reason) {
    case 'unsupported':
      throw new SealpushError('unsupported', 'This version cannot read how the secret was encrypted.');
    case 'interrupted':
      throw interrupted();
    default:
      throw new SealpushError('damaged', 'What the server has cannot be decrypted: it was cut or altered.');
  }
}

function codeIn(error: unknown): string | undefined {
  return error instanceof SealpushError ? error.code : undefined;
}

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
  const push = await retrieve(server, urlToken, { passphrase: proof, recipient, signal }).catch(
    (error: unknown) => {
      // the key alone makes the proof of a link without a passphrase
      if (fragment && !fragment.needsPassphrase && codeIn(error) === 'passphrase_wrong')
        throw new SealpushError(
          'invalid_link',
          'The link does not fit this push: what follows # was altered.',
        );
      throw error;
    },
  );
  if (push.expired || push.payload === null)
    throw new SealpushError('ended', 'This push has ended: its limit was reached, or it was deleted.');
  if (!fragment) return openedAsItIs(server, push);
  return openedWith(server, push, await decryptPayload(push.payload, fragment, passphrase).catch(known));
}

/** A push of somebody else, or an answer, with what its envelope says. */
export function openedWith(server: Server, push: RetrievedPush, envelope: Envelope): OpenedPush {
  if (push.files.length !== envelope.files.length) known(new EndToEndError('damaged'));
  return {
    ...limitsOf(push),
    kind: envelope.kind,
    text: envelope.text,
    isEncrypted: true,
    files: envelope.files.map((file, i) => encryptedFile(server, file, push.files[i]?.url ?? '')),
  };
}

export function openedAsItIs(server: Server, push: RetrievedPush): OpenedPush {
  return {
    ...limitsOf(push),
    kind: push.kind,
    text: push.payload ?? '',
    isEncrypted: false,
    files: push.files.map((file) => plainFile(server, file)),
  };
}

export async function retrieve(
  server: Server,
  urlToken: string,
  { passphrase = '', recipient, signal }: OpenOptions = {},
): Promise<RetrievedPush> {
  const headers: Record<string, string> = {};
  let path = `/api/v2/pushes/${urlToken}`;
  if (passphrase !== '') {
    headers['X-Push-Passphrase'] = encodeURIComponent(passphrase);
    // others of this API know no header for it
    if (!(await server.isSealpush(signal))) path += `?passphrase=${encodeURIComponent(passphrase)}`;
  }
  if (recipient) {
    headers['X-Push-Recipient'] = encodeURIComponent(recipient.email);
    headers['X-Push-Code'] = recipient.code;
  }
  return server.json('GET', path, { headers, signal });
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
    name: filename,
    type: content_type,
    size: undefined,
    stream: (signal) => downloaded(server, url, signal),
  };
}

function encryptedFile(server: Server, file: EnvelopeFile, url: string): OpenedFile {
  const { name, type, size } = file;
  const stream = async (signal?: AbortSignal) =>
    withKnownErrors(
      await decryptFileWith(await downloaded(server, url, signal), file, fileKeyOf).catch(known),
    );
  return { name, type, size, stream };
}

function withKnownErrors(content: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await reader.read().catch(known);
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
  const { body } = await fetchPart({});
  return continuedDownload(body ?? new Blob().stream(), fetchPart, signal);
}

/** @throws SealpushError for errors of the format */
export function known(error: unknown): never {
  if (!(error instanceof EndToEndError)) throw error;
  switch (error.reason) {
    case 'unsupported':
      throw new SealpushError('unsupported', 'This version cannot read how the secret was encrypted.');
    case 'interrupted':
      throw new SealpushError('network', 'The download broke off.');
    default:
      throw new SealpushError('damaged', 'What the server has cannot be decrypted: it was cut or altered.');
  }
}

function codeIn(error: unknown): string | undefined {
  return error instanceof SealpushError ? error.code : undefined;
}

import type { components } from './api-types.js';
import { encryptedFileSize } from '../../../src/shared/age-size.js';
import { isInvisible } from '../../../src/shared/invisible-text.js';
import { urlError } from '../../../src/shared/payload-errors.js';
import type { Envelope, EnvelopeFile, Kind } from './end-to-end/envelope.js';
import { encryptFile } from './end-to-end/files.js';
import { newFragment } from './end-to-end/fragment.js';
import { newKey } from './end-to-end/key.js';
import { encryptPayload } from './end-to-end/payload.js';
import { proofOf } from './end-to-end/secret.js';
import { NetworkError, ResponseError, SealpushError } from './errors.js';
import { parsePushLink } from './link.js';
import { known } from './opened-push.js';
import { pause } from './pause.js';
import type { Server } from './server.js';
import type { Content } from './uploads/content.js';
import { EncryptedContent, PlainContent } from './uploads/content.js';
import { sendInParts } from './uploads/send-in-parts.js';
import { PROTOCOL } from './uploads/upload-in-parts.js';

type CreatedPush = components['schemas']['CreatedPushDto'];

/** One of text, URL, QR code and files; text may come with files. */
export interface Secret {
  text?: string;
  url?: string;
  /** The content of a QR code. */
  qr?: string;
  /** In Node.js a file on the disk is `new File([await openAsBlob(path)], name)`. */
  files?: readonly File[];
}

export interface SendOptions {
  /** Bytes of the files that were sent. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
}

/** A secret to send, with its limits. What is left out has the default of the installation. */
export interface NewPush extends Secret, SendOptions {
  /** That the recipient must know besides the link. */
  passphrase?: string;
  expireAfterViews?: number;
  expireAfterDays?: number;
  /** A step of the scale of docs/api.md, Create: 0 to 5 are 15, 30 and 45 minutes, 1, 6 and 12 hours. */
  expireAfterDuration?: number;
  /** Hours after the first view until it ends. */
  expireAfterFirstView?: number;
  opensAt?: Date;
  allowedNetworks?: readonly string[];
  /** Email addresses, or domains as `@example.com`: who may open it, with a code that is mailed to them. */
  recipients?: readonly string[];
  oncePerRecipient?: boolean;
  deletableByViewer?: boolean;
  retrievalStep?: boolean;
  hidesContents?: boolean;
  /** For the owner only; the server can read both. */
  name?: string;
  note?: string;
  notifyOn?: readonly string[];
  /**
   * Who encrypts the secret: this client, so that the server cannot read it, or the server. Never chosen by what the server
   * says of itself.
   */
  encryption?: 'end-to-end' | 'server';
}

/** A push that was created. */
export interface PushResult {
  /** What the recipient gets. It opens the secret: nothing else has its key. */
  link: string;
  urlToken: string;
  expiresAt: string;
  viewsRemaining: number;
  isEncrypted: boolean;
}

type Field = string | number | boolean | readonly string[] | undefined;

/** What is sent: fields, and files that are small or were sent before. */
export interface Body {
  fields: Record<string, Field>;
  files: readonly File[];
  uploads: readonly string[];
}

/** Files of more than this go in parts, if the server takes them. */
const IN_PARTS_FROM_BYTES = 8 * 1024 * 1024;
const TYPE = 'application/age';
const RETRIES_MS = [1000, 3000];

/** @throws SealpushError */
export async function sendPush(server: Server, push: NewPush): Promise<PushResult> {
  const { encryption = 'end-to-end', ...options } = push;
  const secret = secretOf(push);
  assertPassphrase(push.passphrase);
  if (encryption === 'server')
    return resultOf(server, await create(server, push, await plainBody(server, secret, push)));
  if (!(await server.isSealpush(options.signal))) throw encryptionUnsupported();

  const passphrase = push.passphrase ?? '';
  const fragment = newFragment({ needsPassphrase: passphrase !== '' });
  const envelope = envelopeOf(secret);
  const payload = await encryptPayload(envelope, fragment, passphrase).catch(known);
  const sent = await sendEncrypted(server, secret.files, envelope.files, push);
  const fields = { client_encrypted: true, payload, passphrase: await proofOf(fragment, passphrase) };
  const created = await create(server, push, { fields, ...sent });
  const result = resultOf(server, created);
  if (created.client_encrypted !== true) {
    await server.json('DELETE', `/api/v2/pushes/${result.urlToken}`).catch(() => undefined);
    throw encryptionUnsupported();
  }
  return { ...result, link: `${result.link}#${fragment.text}`, isEncrypted: true };
}

/**
 * Whoever gives an empty one does not mean none. The server cannot see whether one is empty.
 * @throws SealpushError
 */
export function assertPassphrase(passphrase: string | undefined): void {
  if (passphrase !== undefined && isInvisible(passphrase))
    throw new SealpushError('invalid', 'The passphrase is empty, or has only invisible characters.');
}

/** @throws SealpushError if it is not exactly one kind of secret */
export function secretOf({
  text,
  url,
  qr,
  files = [],
}: Secret): Required<Pick<Secret, 'files'>> & { kind: Kind; text: string } {
  const given = [text, url, qr].filter((one) => one !== undefined);
  if (given.length > 1 || (files.length > 0 && (url ?? qr) !== undefined))
    throw new SealpushError(
      'invalid',
      'A secret is a text, a URL, a QR code or files, of which only text may come with files.',
    );
  if (url !== undefined && urlError(url))
    throw new SealpushError('invalid', 'The URL must be a web address: http:// or https://, without spaces.');
  if (files.length > 0) return { kind: 'file', text: text ?? '', files };
  if (given[0] === undefined || given[0].trim() === '')
    throw new SealpushError('invalid', 'The secret is empty.');
  const kind = url === undefined ? (qr === undefined ? 'text' : 'qr') : 'url';
  return { kind, text: given[0], files };
}

export function envelopeOf({
  kind,
  text,
  files,
}: {
  kind: Kind;
  text: string;
  files: readonly File[];
}): Envelope {
  return {
    kind,
    text,
    files: files.map(({ name, type, size }) => ({ name, type, size, key: newKey() })),
  };
}

/** Encrypts files, each with its key, and sends those that are large. */
export async function sendEncrypted(
  server: Server,
  files: readonly File[],
  keys: readonly Pick<EnvelopeFile, 'key'>[],
  options: SendOptions,
  metadata: Record<string, string> = {},
): Promise<Pick<Body, 'files' | 'uploads'>> {
  const contents = files.map((file, i) => {
    const encrypt = (content: ReadableStream<Uint8Array>) => encryptFile(content, keys[i]?.key ?? '');
    return new EncryptedContent(file, `${i}.age`, encryptedFileSize(file.size), encrypt);
  });
  if (files.some(({ size }) => size > IN_PARTS_FROM_BYTES))
    return { files: [], uploads: await sendInParts(server, contents, metadata, options) };
  return { files: await Promise.all(contents.map(inMemory)), uploads: [] };
}

/** The files as they are. Forms alter the line ends of a text, so files beside such a text go in parts as well. */
export async function sendPlain(
  server: Server,
  { files, text }: { files: readonly File[]; text: string },
  options: SendOptions,
  metadata: Record<string, string> = {},
): Promise<Pick<Body, 'files' | 'uploads'>> {
  const isForParts =
    files.some(({ size }) => size > IN_PARTS_FROM_BYTES) || (files.length > 0 && /[\r\n]/.test(text));
  if (!isForParts || !(await server.isSealpush(options.signal))) return { files, uploads: [] };
  const contents = files.map((file) => new PlainContent(file));
  return { files: [], uploads: await sendInParts(server, contents, metadata, options) };
}

/**
 * Sends a body, once: it is sent again only after there was no connection. When the server refuses it, what was uploaded
 * for it is deleted.
 * @throws SealpushError
 */
export async function sendBody<Content>(
  server: Server,
  path: string,
  object: 'push' | 'request',
  { fields, files, uploads }: Body,
  {
    signal = new AbortController().signal,
    headers = {},
  }: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Content> {
  const all = { ...fields, ...(uploads.length > 0 && { uploads }) };
  const body = files.length > 0 ? { body: formOf(object, all, files) } : { json: { [object]: all } };
  for (let attempt = 0; ; attempt++) {
    try {
      return await server.json('POST', path, { ...body, headers, signal });
    } catch (error) {
      const wait = error instanceof NetworkError && error.nothingSent ? RETRIES_MS[attempt] : undefined;
      if (error instanceof ResponseError) deleteUploads(server, uploads);
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

/** Nobody waits for it: what is not deleted ends by itself. */
function deleteUploads(server: Server, uploads: readonly string[]): void {
  for (const id of uploads)
    void server.send('DELETE', `/api/v2/uploads/${id}`, { headers: PROTOCOL }).catch(() => undefined);
}

async function plainBody(server: Server, secret: ReturnType<typeof secretOf>, push: NewPush): Promise<Body> {
  const fields = {
    kind: secret.kind,
    ...(secret.text !== '' && { payload: secret.text }),
    passphrase: push.passphrase,
  };
  return { fields, ...(await sendPlain(server, secret, push)) };
}

function create(server: Server, push: NewPush, { fields, ...rest }: Body): Promise<CreatedPush> {
  const all = { ...limitsOf(push), ...fields };
  return sendBody(server, '/api/v2/pushes', 'push', { fields: all, ...rest }, { signal: push.signal });
}

function limitsOf(push: NewPush): Body['fields'] {
  return {
    expire_after_views: push.expireAfterViews,
    expire_after_days: push.expireAfterDays,
    expire_after_duration: push.expireAfterDuration,
    expire_after_first_view: push.expireAfterFirstView,
    opens_at: push.opensAt?.toISOString(),
    allowed_networks: push.allowedNetworks,
    recipients: push.recipients,
    once_per_recipient: push.oncePerRecipient,
    deletable_by_viewer: push.deletableByViewer,
    retrieval_step: push.retrievalStep,
    hides_contents: push.hidesContents,
    name: push.name,
    note: push.note,
    notify_on: push.notifyOn,
  };
}

/** @throws SealpushError if the server gives no link */
function resultOf(
  server: Server,
  { html_url, url_token, expires_at, views_remaining }: CreatedPush,
): PushResult {
  if (!isLinkTo(html_url, url_token)) throw server.unexpected();
  return {
    link: html_url,
    urlToken: url_token,
    expiresAt: expires_at,
    viewsRemaining: views_remaining,
    isEncrypted: false,
  };
}

/** A fragment is added only to a link that has none: nobody else could open it with two. */
function isLinkTo(link: unknown, urlToken: unknown): boolean {
  try {
    return typeof link === 'string' && !link.includes('#') && parsePushLink(link).urlToken === urlToken;
  } catch {
    return false;
  }
}

/** Files come last: the server looks at what is before them when they arrive. */
function formOf(object: string, fields: Body['fields'], files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object') for (const one of value) form.append(`${object}[${name}][]`, one);
    else if (value !== undefined) form.append(`${object}[${name}]`, String(value));
  }
  for (const file of files) form.append(`${object}[files][]`, file);
  return form;
}

async function inMemory(content: Content): Promise<File> {
  return new File([await content.part(0, content.size)], content.name, { type: TYPE });
}

function encryptionUnsupported(): SealpushError {
  return new SealpushError(
    'encryption_unsupported',
    'The server cannot take what is encrypted end to end. Nothing of the secret was sent in clear.',
  );
}

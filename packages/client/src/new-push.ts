import type { components } from './api-types.js';
import { encryptedFileSize } from '../../../src/shared/age-size.js';
import type { Envelope, EnvelopeFile, Kind } from './end-to-end/envelope.js';
import { encryptFile } from './end-to-end/files.js';
import { newFragment } from './end-to-end/fragment.js';
import { newKey } from './end-to-end/key.js';
import { encryptPayload } from './end-to-end/payload.js';
import { proofOf } from './end-to-end/secret.js';
import { NetworkError, SealpushError } from './errors.js';
import { known } from './opened-push.js';
import { pause } from './pause.js';
import type { Server } from './server.js';
import type { Content } from './uploads/content.js';
import { EncryptedContent, PlainContent } from './uploads/content.js';
import { sendInParts } from './uploads/send-in-parts.js';

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
  if (encryption === 'server')
    return resultOf(await create(server, push, await plainBody(server, secret, push)));
  if (!(await server.isSealpush(options.signal))) throw encryptionUnsupported();

  const passphrase = push.passphrase ?? '';
  const fragment = newFragment({ needsPassphrase: passphrase !== '' });
  const envelope = envelopeOf(secret);
  const payload = await encryptPayload(envelope, fragment, passphrase).catch(known);
  const sent = await sendEncrypted(server, secret.files, envelope.files, push);
  const fields = { client_encrypted: true, payload, passphrase: await proofOf(fragment, passphrase) };
  const created = await create(server, push, { fields, ...sent });
  if (created.client_encrypted !== true) {
    await server.json('DELETE', `/api/v2/pushes/${created.url_token}`).catch(() => undefined);
    throw encryptionUnsupported();
  }
  return { ...resultOf(created), link: `${created.html_url}#${fragment.text}`, isEncrypted: true };
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

/** The files as they are. */
export async function sendPlain(
  server: Server,
  files: readonly File[],
  options: SendOptions,
  metadata: Record<string, string> = {},
): Promise<Pick<Body, 'files' | 'uploads'>> {
  const isLarge = files.some(({ size }) => size > IN_PARTS_FROM_BYTES);
  if (!isLarge || !(await server.isSealpush(options.signal))) return { files, uploads: [] };
  const contents = files.map((file) => new PlainContent(file));
  return { files: [], uploads: await sendInParts(server, contents, metadata, options) };
}

/**
 * Sends a body that may be sent again: the key has the server do it only once.
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
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const body = files.length > 0 ? { body: formOf(object, all, files) } : { json: { [object]: all } };
  for (const wait of RETRIES_MS) {
    try {
      return await server.json('POST', path, { ...body, headers: { ...key, ...headers }, signal });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      await pause(wait, signal);
    }
  }
  return server.json('POST', path, { ...body, headers: { ...key, ...headers }, signal });
}

async function plainBody(server: Server, secret: ReturnType<typeof secretOf>, push: NewPush): Promise<Body> {
  const fields = {
    kind: secret.kind,
    ...(secret.text !== '' && { payload: secret.text }),
    passphrase: push.passphrase,
  };
  return { fields, ...(await sendPlain(server, secret.files, push)) };
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

function resultOf({ html_url, url_token, expires_at, views_remaining }: CreatedPush): PushResult {
  return {
    link: html_url,
    urlToken: url_token,
    expiresAt: expires_at,
    viewsRemaining: views_remaining,
    isEncrypted: false,
  };
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

import type { EncryptedSecret } from './encrypt-secret.js';
import { sizeIn } from '../../texts/size.js';
import { locale, text } from '../page/texts.js';
import { controlsThatAreOff } from './chips.js';
import { isEncrypting } from './encryption-choice.js';
import { FIELDS_OF_SECRET, textOf } from './encrypt-secret.js';
import type { HandedOver } from './result-secrets.js';

const KEY_BYTES = 16;

/** What a form is about to send, with the key by which the server recognises a retry. */
export interface Submission {
  /** The form as it is filled in. */
  content: FormData;
  idempotencyKey: string;
  /** Whether the browser encrypts it. */
  isEncrypted: boolean;
  /** The files that the server has already, which are not sent again. */
  uploads?: string[];
  /** What is sent in place of the secret. It is kept: a retry must not create a push for another link. */
  encrypted?: EncryptedSecret;
}

const ACCOUNT = 'push[account]';
/** A form for an account has at least one of these, even if it is empty. */
const NOTICES = 'push[notify_on][]';
/** Set by the language of the page, which may change before it is sent again. */
export const LOCALE = 'push[notify_emails_to_locale]';
/** The name of a field that is used on the page only and not sent. */
const CHOICE = 'encryption';

/** The current content of the form; all else of `earlier` if that had the same content, for whatever account. */
export function submissionOf(form: HTMLFormElement, earlier?: Submission): Submission {
  const content = contentOf(form);
  const isSame = earlier !== undefined && haveSameContent(content, earlier.content);
  return { ...(isSame ? earlier : { idempotencyKey: newKey() }), content, isEncrypted: isEncrypting(form) };
}

/** What the form says about its chips: the content has what follows from that. */
const ABOUT_CHIPS = /^push\[(options_of|usually_deletable|with_\w+)\]$/;

/** What the form has now, without what is in options that are off. */
function contentOf(form: HTMLFormElement): FormData {
  const content = new FormData(form);
  const off = controlsThatAreOff(form);
  for (const { name } of off) content.delete(name);
  for (const { type, name, value, dataset, disabled } of off) {
    if (disabled) continue;
    if (type === 'hidden' && value === '') content.set(name, ''); // which says that none of several boxes is ticked
    if (dataset.standard === 'on') content.set(name, 'on');
  }
  for (const name of [...content.keys()]) if (ABOUT_CHIPS.test(name)) content.delete(name);
  return content;
}

/** The body of the request. */
export function bodyOf({ content, encrypted, uploads }: Submission): FormData {
  const body = new FormData();
  for (const [name, value] of content) body.append(name, value);
  body.delete(CHOICE);
  if (encrypted) replaceSecret(body, encrypted);
  if (uploads) replaceFiles(body, uploads);
  return filesLast(body);
}

/** What the page of the link shows of a submission: nothing that was changed while it was being sent. */
export function sentIn({ content, encrypted }: Submission, form: HTMLFormElement): HandedOver {
  return {
    fragment: encrypted?.fragment,
    passphrase: textOf(content, 'push[passphrase]'),
    shared: sharedInWords(content, form),
  };
}

/** The name, and the number and size of what is shared. */
function sharedInWords(content: FormData, form: HTMLFormElement): string {
  const kind = textOf(content, 'push[kind]');
  const radio = form.querySelector<HTMLInputElement>(`[name="push[kind]"][value="${CSS.escape(kind)}"]`);
  const label = radio?.labels?.[0]?.textContent ?? '';
  const what =
    kind === 'file' ? filesInWords(content) : kind === 'text' ? textInWords(content, label) : label;
  return [textOf(content, 'push[name]'), what].filter(Boolean).join(' · ');
}

function textInWords(content: FormData, label: string): string {
  const count = [...textOf(content, 'push[payload]')].length;
  return count === 1 ? label : text('script.sharedText', { count });
}

function filesInWords(content: FormData): string {
  const files = content.getAll('push[files][]') as File[];
  const size = sizeIn(
    locale(),
    files.reduce((sum, file) => sum + file.size, 0),
  );
  const shared = text('script.sharedFiles', { count: files.length, size });
  return textOf(content, 'push[payload]') === '' ? shared : `${shared} · ${text('script.sharedMessage')}`;
}

function replaceSecret(body: FormData, { payload, proof, files }: EncryptedSecret): void {
  for (const name of FIELDS_OF_SECRET) body.delete(name);
  body.append('push[client_encrypted]', 'true');
  body.append('push[payload]', payload);
  if (proof !== undefined) body.append('push[passphrase]', proof);
  for (const file of files) body.append('push[files][]', file);
}

function replaceFiles(body: FormData, uploads: string[]): void {
  body.delete('push[files][]');
  for (const id of uploads) body.append('push[uploads][]', id);
}

/** If a file is rejected, the server has read all other fields. */
function filesLast(content: FormData): FormData {
  const ordered = new FormData();
  const parts = [...content];
  for (const [name, value] of parts) if (typeof value === 'string') ordered.append(name, value);
  for (const [name, value] of parts) if (value instanceof File) ordered.append(name, value);
  return ordered;
}

/** Whether two states of a form have the same content, for whatever account and in whatever language. */
export function haveSameContent(a: FormData, b: FormData): boolean {
  const ignored = [ACCOUNT, LOCALE, ...(a.has(NOTICES) && b.has(NOTICES) ? [] : [NOTICES])];
  const [left, right] = [filledIn(a, ignored), filledIn(b, ignored)];
  return (
    left.length === right.length &&
    left.every(([name, value], i) => {
      const [otherName, other] = right[i] ?? [];
      return name === otherName && (value === other || isSameFile(value, other));
    })
  );
}

/** A form has more fields, still empty, once its user has signed in, and boxes as the account has chosen them. */
function filledIn(content: FormData, ignored: string[]): [string, FormDataEntryValue][] {
  return [...content].filter(
    ([name, value]) => !ignored.includes(name) && (value instanceof File ? value.name : value) !== '',
  );
}

/** Each FormData wraps a chosen file in a new object, so the objects cannot be compared. */
function isSameFile(a: FormDataEntryValue, b: FormDataEntryValue | undefined): boolean {
  return (
    a instanceof File &&
    b instanceof File &&
    a.name === b.name &&
    a.size === b.size &&
    a.lastModified === b.lastModified
  );
}

/** 128 random bits in hex; `crypto.randomUUID` is missing on pages loaded over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

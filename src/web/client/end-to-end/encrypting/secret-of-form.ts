import type { Envelope, EnvelopeFile, Kind } from '../envelope.js';
import { newKey } from '../key.js';

/** The part of a form that only recipients may read. */
export interface SecretOfForm {
  envelope: Envelope;
  /** The files, in the order of the envelope. */
  files: File[];
  /** The passphrase; empty if there is none. */
  passphrase: string;
}

/** The fields from which it is read: they are never sent together with the ciphertext. */
export const FIELDS_OF_SECRET = [
  'push[kind]',
  'push[payload]',
  'push[passphrase]',
  'push[passphrase_was_set]',
  'push[files][]',
];

export function secretOfForm(content: FormData): SecretOfForm {
  const kind = textOf(content, 'push[kind]') as Kind;
  const files = kind === 'file' ? filesOf(content) : [];
  const text = textOf(content, 'push[payload]').replaceAll('\r\n', '\n');
  return {
    envelope: { kind, text, files: files.map(inEnvelope) },
    files,
    passphrase: textOf(content, 'push[passphrase]'),
  };
}

function inEnvelope({ name, type, size }: File): EnvelopeFile {
  return { name, type, size, key: newKey() };
}

/** A field of files without any has one without a name. */
function filesOf(content: FormData): File[] {
  return content.getAll('push[files][]').filter((file) => file instanceof File && file.name !== '') as File[];
}

function textOf(content: FormData, name: string): string {
  const value = content.get(name);
  return typeof value === 'string' ? value : '';
}

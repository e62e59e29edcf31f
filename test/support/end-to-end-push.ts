import { buffer } from 'node:stream/consumers';
import type { Envelope, Kind } from '../../packages/client/src/end-to-end/envelope.js';
import { encryptFile } from '../../packages/client/src/end-to-end/files.js';
import { newFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { newKey } from '../../packages/client/src/end-to-end/key.js';
import { encryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import { proofOf } from '../../packages/client/src/end-to-end/secret.js';
import type { Client } from './client.js';
import type { TestFile } from './files.js';
import { created, formOf } from './files.js';

interface Secret {
  kind?: Kind;
  text?: string;
  files?: TestFile[];
  /** Asked for in addition to the link. */
  passphrase?: string;
}

export interface EndToEndPush {
  urlToken: string;
  /** `html_url` without the key. */
  url: string;
  fragment: string;
  link: string;
  proof: string;
}

/**
 * Encrypts a push and sends it, as a browser does.
 * @param alter changes what is sent
 */
export async function pushEndToEnd(
  client: Client,
  { kind = 'text', text = '', files = [], passphrase = '' }: Secret,
  fields: Record<string, string> = {},
  alter = (sent: { payload: string; files: Buffer[] }) => sent,
): Promise<EndToEndPush> {
  const fragment = newFragment({ needsPassphrase: passphrase !== '' });
  const described = files.map(({ name, type = '', content }) => {
    const bytes = Buffer.from(content);
    return { name, type, size: bytes.length, key: newKey(), bytes };
  });
  const envelope: Envelope = { kind, text, files: described.map(({ bytes: _, ...file }) => file) };
  const sent = alter({
    payload: await encryptPayload(envelope, fragment, passphrase),
    files: await Promise.all(described.map(({ bytes, key }) => sealed(bytes, key))),
  });
  const proof = await proofOf(fragment, passphrase);
  const all = { client_encrypted: 'true', payload: sent.payload, passphrase: proof, ...fields };
  const parts = sent.files.map((content, i) => ({ name: `${i}.age`, type: 'application/age', content }));
  const push = created(await client.post('/api/v2/pushes', formOf(parts, all)));
  if (push.client_encrypted !== true) throw new Error('not taken as encrypted');
  const { html_url: url, url_token: urlToken } = push as { html_url: string; url_token: string };
  return { urlToken, url, fragment: fragment.text, link: `${url}#${fragment.text}`, proof };
}

async function sealed(content: Buffer, key: string): Promise<Buffer> {
  return buffer(await encryptFile(new Blob([new Uint8Array(content)]).stream(), key));
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { fileKeyOf } from '../../packages/client/src/end-to-end/age-header.js';
import type { Envelope } from '../../packages/client/src/end-to-end/envelope.js';
import { decryptFileWith } from '../../packages/client/src/end-to-end/files.js';
import { newFragment, parseFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { decryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import { proofOf, agePassphraseOf } from '../../packages/client/src/end-to-end/secret.js';
import { hasAge, decryptWithAge, sayIfAgeIsMissing, encryptWithAge } from '../support/age.js';
import { streamOf } from './streams.js';

interface Vector {
  name: string;
  fragment: string;
  /** The same passphrase in several Unicode forms. */
  passphrases: string[];
  proof: string;
  secret: string;
  payload: string;
  envelope: Envelope;
  files: { sha256: string; sealed: string }[];
}

const vectors = JSON.parse(readFileSync('test/end-to-end/vectors.json', 'utf8')) as Vector[];
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe.each(vectors)('The end-to-end push "$name"', (vector) => {
  const fragment = parseFragment(vector.fragment) ?? newFragment({ needsPassphrase: false });

  it('has the same proof and secret in every Unicode form of its passphrase', async () => {
    expect(fragment.text).toBe(vector.fragment);
    for (const passphrase of vector.passphrases)
      expect(agePassphraseOf(fragment, passphrase)).toBe(vector.secret);
    expect(await proofOf(fragment, vector.passphrases.at(-1) ?? '')).toBe(vector.proof);
  });

  it('is opened, with its files', async () => {
    const envelope = await decryptPayload(vector.payload, fragment, vector.passphrases.at(-1) ?? '');

    expect(envelope).toEqual(vector.envelope);
    expect(envelope.files).toHaveLength(vector.files.length);
    for (const [i, { sha256, sealed }] of vector.files.entries()) {
      const file = envelope.files[i] ?? { key: '', size: 0 };
      const content = await decryptFileWith(streamOf(Buffer.from(sealed, 'base64')), file, fileKeyOf);
      expect(digestOf(await buffer(content))).toBe(sha256);
    }
  });
});

sayIfAgeIsMissing();

(hasAge ? describe : describe.skip)('The program age', () => {
  it.each(vectors)('opens "$name", with its files', async ({ payload, secret, envelope, files }) => {
    const opened = await decryptWithAge(payload, secret);

    expect(JSON.parse(opened.toString())).toEqual({ v: 1, ...envelope, pad: expect.stringMatching(/^ *$/) });
    expect(opened.length % 256).toBe(0);
    for (const [i, { sha256, sealed }] of files.entries()) {
      const content = await decryptWithAge(Buffer.from(sealed, 'base64'), envelope.files[i]?.key ?? '');
      expect(digestOf(content)).toBe(sha256);
    }
  });

  it('encrypts a payload that we decrypt', async () => {
    const fragment = newFragment({ needsPassphrase: false });
    const envelope = { kind: 'text', text: 'tulip', files: [] };

    const payload = await encryptWithAge(
      JSON.stringify({ v: 1, ...envelope }),
      agePassphraseOf(fragment, ''),
    );

    expect(await decryptPayload(payload.toString(), fragment, '')).toEqual(envelope);
  });
});

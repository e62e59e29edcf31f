import { armor, Encrypter } from 'age-encryption';
import { cleanFileName } from '../../src/shared/file-name.js';
import { headerOf } from '../../packages/client/src/end-to-end/age-header.js';
import { reasonOf } from '../../packages/client/src/end-to-end/end-to-end-error.js';
import type { Envelope } from '../../packages/client/src/end-to-end/envelope.js';
import {
  decodeEnvelope,
  encodeEnvelope,
  encryptedPayloadSize,
} from '../../packages/client/src/end-to-end/envelope.js';
import { newFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { newKey } from '../../packages/client/src/end-to-end/key.js';
import { decryptPayload, encryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import { proofOf, agePassphraseOf } from '../../packages/client/src/end-to-end/secret.js';

const fragment = newFragment({ needsPassphrase: false });
const text = (content: string): Envelope => ({ kind: 'text', text: content, files: [] });
const file = { name: 'a.txt', type: 'text/plain', size: 3, key: newKey() };

async function reasonFor(payload: string, opener = fragment): Promise<unknown> {
  try {
    return await decryptPayload(payload, opener, '');
  } catch (error) {
    return reasonOf(error) ?? error;
  }
}

describe('An encrypted payload', () => {
  let payload: string;
  let bytes: Uint8Array;

  beforeAll(async () => {
    payload = await encryptPayload(text('tulip'), fragment, '');
    bytes = armor.decode(payload);
  });

  it('is different each time, and as long as predicted, in steps', async () => {
    const sizes = new Set<number>();
    for (const length of [0, 100, 205, 206, 1000, 70_000]) {
      const envelope = text('x'.repeat(length));
      const encrypted = await encryptPayload(envelope, fragment, '');
      sizes.add(encrypted.length);

      expect(encrypted).toHaveLength(encryptedPayloadSize(envelope));
      expect(await decryptPayload(encrypted, fragment, '')).toEqual(envelope);
    }
    expect(sizes.size).toBe(4); // the first three texts have the same
    expect(await encryptPayload(text('tulip'), fragment, '')).not.toBe(payload);
  });

  it('says when the key is wrong, and is decrypted by the right one only', async () => {
    expect(await reasonFor(payload, newFragment({ needsPassphrase: false }))).toBe('wrong-secret');
    expect(await reasonFor(payload)).toEqual(text('tulip'));
  });

  it('needs a passphrase if its fragment says so', async () => {
    const withPassphrase = newFragment({ needsPassphrase: true });

    await expect(proofOf(withPassphrase, '')).rejects.toThrow(RangeError);
    await expect(encryptPayload(text('tulip'), withPassphrase, '')).rejects.toThrow(RangeError);
    expect(() => agePassphraseOf(withPassphrase, '')).toThrow(RangeError);
  });

  it('is not decrypted when it was cut anywhere or extended', async () => {
    for (let length = 0; length < payload.trimEnd().length; length += 7)
      expect(await reasonFor(payload.slice(0, length))).toBe('damaged');
    for (let length = 1; length < bytes.length; length += 40)
      expect(await reasonFor(armor.encode(bytes.slice(0, length)))).toBe('damaged');
    for (const added of ['x', payload, 'AAAA\n']) expect(await reasonFor(payload + added)).toBe('damaged');
    expect(await reasonFor(armor.encode(Uint8Array.from([...bytes, 0])))).toBe('damaged');
  });

  it('is not decrypted when any part of it was altered', async () => {
    const header = headerOf(bytes).length;
    const instances = [
      0,
      23,
      35,
      60,
      80,
      108,
      header - 40,
      header - 2,
      header,
      header + 15,
      header + 16,
      bytes.length - 1,
    ];
    for (const place of instances) {
      const altered = Uint8Array.from(bytes);
      altered[place] = (altered[place] ?? 0) ^ 2;

      expect([place, await reasonFor(armor.encode(altered))]).toEqual([
        place,
        expect.stringMatching(/^(damaged|wrong-secret)$/),
      ]);
    }
  });

  const withHeader = (change: (header: string) => string) => {
    const header = headerOf(bytes);
    const changed = Buffer.from(change(Buffer.from(header).toString('latin1')), 'latin1');
    return armor.encode(Uint8Array.from([...changed, ...bytes.slice(header.length)]));
  };
  const withWorkFactor = (factor: string) => withHeader((header) => header.replace(' 12\n', ` ${factor}\n`));

  it.each(['21', '22', '30', '64', '4294967308'])(
    'with the work factor %s is rejected before anything is computed',
    async (factor) => {
      expect(await reasonFor(withWorkFactor(factor))).toBe('unsupported');
    },
  );

  it.each(['0', '012', '-1', '1e1', '', '99999999999'])(
    'with the work factor %j is damaged',
    async (factor) => {
      expect(await reasonFor(withWorkFactor(factor))).toBe('damaged');
    },
  );

  it('with other recipients than one passphrase is rejected', async () => {
    const stanza = `-> scrypt ${'A'.repeat(22)} 10\n${'A'.repeat(43)}\n`;
    const other = `-> X25519 ${'A'.repeat(43)}\n${'A'.repeat(43)}\n`;

    for (const added of [stanza, other, '-> grease\n\n']) {
      expect(await reasonFor(withHeader((header) => header.replace('---', `${added}---`)))).toBe('damaged');
      expect(await reasonFor(withHeader((header) => header.replace('->', `${added}->`)))).toBe('damaged');
    }
    expect(await reasonFor(withHeader((header) => header.replace('-> scrypt', '-> X25519')))).toBe('damaged');
  });

  it('that encrypts anything but an envelope is rejected', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(fragment.text);
    encrypter.setScryptWorkFactor(10);

    expect(await reasonFor(armor.encode(await encrypter.encrypt('tulip')))).toBe('unsupported');
  });
});

describe('An envelope', () => {
  const decoded = (content: unknown) =>
    decodeEnvelope(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)));

  it.each([
    '',
    'null',
    '[]',
    '1',
    '{',
    '{}',
    '['.repeat(1e5),
    { v: 2, kind: 'text', text: 'a', files: [] },
    { v: '1', kind: 'text', text: 'a', files: [] },
    { kind: 'text', text: 'a', files: [] },
    { v: 1, kind: 'html', text: 'a', files: [] },
    { v: 1, kind: 'constructor', text: 'a', files: [] },
    { v: 1, kind: ['text'], text: 'a', files: [] },
    { v: 1, kind: 'text', text: ['a'], files: [] },
    { v: 1, kind: 'text', text: 'a', files: {} },
    { v: 1, kind: 'text', text: 'a', files: { length: 0 } },
    { v: 1, kind: 'text', text: 'a', files: [file] },
    { v: 1, kind: 'text', files: [] },
    { v: 1, kind: 'file', text: '', files: [] },
    { v: 1, kind: 'file', text: '', files: Array(1001).fill(file) },
    { v: 1, kind: 'file', text: '', files: [null] },
    { v: 1, kind: 'file', text: '', files: [[]] },
    { v: 1, kind: 'file', text: '', files: [file, { ...file, key: 'short' }] },
    { v: 1, kind: 'file', text: '', files: [{ ...file, key: undefined }] },
    { v: 1, kind: 'file', text: '', files: [{ ...file, name: 1 }] },
    { v: 1, kind: 'file', text: '', files: [{ ...file, type: {} }] },
    ...[-1, 0.5, 2 ** 53, '3', null].map((size) => ({
      v: 1,
      kind: 'file',
      text: '',
      files: [{ ...file, size }],
    })),
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      '//example.org',
      'https:\\\\example.org',
      ' https://a',
      '',
    ].map((url) => ({ v: 1, kind: 'url', text: url, files: [] })),
  ])('like %.100j is rejected (E1, I4)', (content) => {
    expect(() => decoded(content)).toThrow(expect.objectContaining({ reason: 'unsupported' }));
  });

  it('that is not UTF-8 is rejected', () => {
    const bytes = encodeEnvelope(text('tulip'));
    bytes[bytes.indexOf(0x74)] = 0xff;

    expect(() => decodeEnvelope(bytes)).toThrow(expect.objectContaining({ reason: 'unsupported' }));
  });

  it('keeps a text exactly, and nothing that it does not know', () => {
    const content = '\ud800 \u202e\0\r\n<script>"\\';
    const envelope = decodeEnvelope(encodeEnvelope(text(content)));

    expect(envelope).toEqual(text(content));
    expect(
      decoded('{"v":1,"kind":"text","text":"a","files":[],"__proto__":{"kind":"url"},"html":"b"}'),
    ).toEqual(text('a'));
  });

  it.each(['../../etc/passwd', 'C:\\a\\b.exe', 'exe.\u202egpj', '', '..', '\0', `${'x'.repeat(5000)}.txt`])(
    'has no file that is called %.30j (L21)',
    (name) => {
      const [decrypted] = decoded({
        v: 1,
        kind: 'file',
        text: '',
        files: [{ ...file, name, type: 'x' }],
      }).files;

      expect(decrypted).toEqual({ ...file, name: cleanFileName(name), type: 'application/octet-stream' });
      expect(decrypted?.name).not.toBe(name);
    },
  );
});

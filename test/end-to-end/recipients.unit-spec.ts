import { armor, Encrypter, generateX25519Identity, identityToRecipient, Stanza } from 'age-encryption';
import { reasonOf } from '../../packages/client/src/end-to-end/end-to-end-error.js';
import type { Envelope } from '../../packages/client/src/end-to-end/envelope.js';
import { encodeEnvelope, encryptedPayloadSizeFor } from '../../packages/client/src/end-to-end/envelope.js';
import { newFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { encryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import {
  decryptPayloadWith,
  encryptPayloadFor,
  newIdentity,
  recipientOf,
} from '../../packages/client/src/end-to-end/recipient-encryption.js';
import { recipientError } from '../../src/shared/age-recipient.js';
import { encoded, newRecipients } from '../support/age-recipients.js';

interface KeyPair {
  identity: string;
  recipient: string;
}

const text = (content: string): Envelope => ({ kind: 'text', text: content, files: [] });

async function newX25519(): Promise<KeyPair> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

async function reasonFor(payload: string, ...identities: string[]): Promise<unknown> {
  try {
    return await decryptPayloadWith(payload, identities);
  } catch (error) {
    return reasonOf(error) ?? error;
  }
}

/** A file as anyone can make it who has the link. */
async function payloadOf(
  content: string | Uint8Array,
  ...recipients: Parameters<Encrypter['addRecipient']>[0][]
) {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return armor.encode(await encrypter.encrypt(content));
}

/** Adds a stanza that no identity is for. */
const other = (bytes = 100) => ({ wrapFileKey: () => [new Stanza(['other', 'x'], new Uint8Array(bytes))] });

describe('A new identity', () => {
  it('is a hybrid one, different each time, with its recipient', async () => {
    const [first, second] = await Promise.all([newIdentity(), newIdentity()]);

    expect(first.identity).toMatch(/^AGE-SECRET-KEY-PQ-1[0-9A-Z]{58}$/);
    expect(first.recipient).toMatch(/^age1pq1[0-9a-z]{1952}$/);
    expect(recipientError(first.recipient)).toBeUndefined();
    expect(await recipientOf(first.identity)).toBe(first.recipient);
    expect(second.identity).not.toBe(first.identity);
  });

  it.each(['', 'AGE-SECRET-KEY-1', 'age1', 'AGE-PLUGIN-YUBIKEY-1QQQQ'])(
    'has no recipient if it is %j',
    async (identity) => {
      await expect(recipientOf(identity)).rejects.toMatchObject({ reason: 'unsupported' });
    },
  );
});

describe.each([
  ['hybrid', newIdentity],
  ['X25519', newX25519],
])('A payload for a recipient that is %s', (kind, newKeys) => {
  let keys: KeyPair;
  let stranger: KeyPair;
  let payload: string;
  let bytes: Uint8Array;
  let headerBytes: number;

  beforeAll(async () => {
    [keys, stranger] = await Promise.all([newKeys(), newKeys()]);
    payload = await encryptPayloadFor(text('tulip'), keys.recipient);
    bytes = armor.decode(payload);
    headerBytes = Buffer.from(bytes).indexOf('\n', Buffer.from(bytes).indexOf('\n---') + 1) + 1;
  });

  it('is different each time, and comes back exactly', async () => {
    for (const content of ['', 'tulip', 'Grüße \ud800 \0\r\n<script>', 'x'.repeat(70_000)]) {
      const encrypted = await encryptPayloadFor(text(content), keys.recipient);

      expect(await decryptPayloadWith(encrypted, [keys.identity])).toEqual(text(content));
    }
    expect(await encryptPayloadFor(text('tulip'), keys.recipient)).not.toBe(payload);
  });

  it('is decrypted by its own identity only, which may be any of those given', async () => {
    const others = await Promise.all([newIdentity(), newX25519()]);
    const wrong = [stranger.identity, ...others.map(({ identity }) => identity)];

    expect(await reasonFor(payload, ...wrong)).toBe('wrong-secret');
    expect(await reasonFor(payload)).toBe('wrong-secret');
    expect(await reasonFor(payload, ...wrong, keys.identity)).toEqual(text('tulip'));
  });

  it('is not decrypted when it was cut anywhere or extended', async () => {
    for (let length = 0; length < payload.trimEnd().length; length += 7)
      expect([length, await reasonFor(payload.slice(0, length), keys.identity)]).toEqual([length, 'damaged']);
    for (let length = 0; length < bytes.length; length += length < headerBytes ? 5 : 1)
      expect([length, await reasonFor(armor.encode(bytes.slice(0, length)), keys.identity)]).toEqual([
        length,
        'damaged',
      ]);
    for (const added of ['x', payload, 'AAAA\n'])
      expect(await reasonFor(payload + added, keys.identity)).toBe('damaged');
    for (const added of [Uint8Array.of(0), bytes, bytes.subarray(headerBytes)])
      expect(await reasonFor(armor.encode(Buffer.concat([bytes, added])), keys.identity)).toBe('damaged');
  });

  it('is not decrypted when any part of it was altered', async () => {
    const step = kind === 'X25519' ? 1 : 37;
    const last = [headerBytes - 1, headerBytes, headerBytes + 15, headerBytes + 16, bytes.length - 1];
    const places = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) => i * step);
    for (const place of [...places, ...last]) {
      const altered = Uint8Array.from(bytes);
      altered[place] = (altered[place] ?? 0) ^ 2;

      expect([place, await reasonFor(armor.encode(altered), keys.identity)]).toEqual([
        place,
        expect.stringMatching(/^(damaged|wrong-secret)$/),
      ]);
    }
  });

  it('that encrypts anything but an envelope is rejected', async () => {
    for (const content of [
      'tulip',
      '',
      '{"v":2,"kind":"text","text":"a","files":[]}',
      `{"v":1,"kind":"url","text":"javascript:alert(1)","files":[]}`,
    ])
      expect(await reasonFor(await payloadOf(content, keys.recipient), keys.identity)).toBe('unsupported');
  });

  it('may have other stanzas, but only a few', async () => {
    const content = encodeEnvelope(text('tulip'));
    const three = [other(0), other(48), other()];

    expect(await reasonFor(await payloadOf(content, ...three, keys.recipient), keys.identity)).toEqual(
      text('tulip'),
    );
    expect(
      await reasonFor(await payloadOf(content, keys.recipient, stranger.recipient), keys.identity),
    ).toEqual(text('tulip'));
    expect(await reasonFor(await payloadOf(content, ...three, other(), keys.recipient), keys.identity)).toBe(
      'unsupported',
    );
    expect(await reasonFor(await payloadOf(content, other(8192), keys.recipient), keys.identity)).toBe(
      'damaged',
    );
  });

  it('with a stanza of a passphrase is rejected before anything is computed', async () => {
    const scrypt = { wrapFileKey: () => [new Stanza(['scrypt', 'A'.repeat(22), '20'], new Uint8Array(32))] };
    const content = encodeEnvelope(text('tulip'));

    expect(await reasonFor(await payloadOf(content, scrypt), keys.identity)).toBe('unsupported');
    expect(await reasonFor(await payloadOf(content, scrypt, keys.recipient), keys.identity)).toBe(
      'unsupported',
    );
    expect(await reasonFor(await payloadOf(content, keys.recipient, scrypt), keys.identity)).toBe(
      'unsupported',
    );
    expect(
      await reasonFor(
        await encryptPayload(text('tulip'), newFragment({ needsPassphrase: false }), ''),
        keys.identity,
      ),
    ).toBe('unsupported');
  });

  it('is not decrypted with what is no identity', async () => {
    for (const wrong of ['', 'tulip', keys.recipient, keys.identity.toLowerCase(), `${keys.identity}Q`])
      expect(await reasonFor(payload, wrong)).toBe('unsupported');
  });
});

describe('A payload for a recipient', () => {
  it('of each kind is as long as predicted, in steps', async () => {
    for (const [kind, recipient] of await newRecipients()) {
      const sizes = new Set<number>();
      for (const length of [0, 100, 205, 206, 1000, 70_000]) {
        const envelope = text('x'.repeat(length));
        const encrypted = await encryptPayloadFor(envelope, recipient);
        sizes.add(encrypted.length);

        expect([kind, encrypted.length]).toEqual([kind, encryptedPayloadSizeFor(envelope, recipient)]);
      }
      expect(sizes.size).toBe(4); // the first three texts have the same
    }
  });

  it.each([
    ['an X25519 key that leads to no secret', encoded('age', Buffer.alloc(32))],
    ['no point of P-256', encoded('age1tag', Buffer.alloc(33, 255))],
    ['a plugin', encoded('age1yubikey', Buffer.alloc(33, 2))],
    ['text', 'tulip'],
  ])('that is %s is not made', async (_name, recipient) => {
    await expect(encryptPayloadFor(text('tulip'), recipient)).rejects.toMatchObject({
      reason: 'unsupported',
    });
  });
});

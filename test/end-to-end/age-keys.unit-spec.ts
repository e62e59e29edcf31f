import { generateX25519Identity } from 'age-encryption';
import { reasonOf } from '../../packages/client/src/end-to-end/end-to-end-error.js';
import { encodeEnvelope } from '../../packages/client/src/end-to-end/envelope.js';
import {
  decryptPayloadWith,
  encryptPayloadFor,
  identitiesIn,
  keyFileOf,
  newIdentity,
  recipientOf,
} from '../../packages/client/src/end-to-end/recipient-encryption.js';
import { encoded } from '../support/age-recipients.js';
import { findAge, findHybridAge } from '../support/find-age.js';

const ENVELOPE = { kind: 'text' as const, text: 'tulip', files: [] };
const CONTENT = Buffer.from(encodeEnvelope(ENVELOPE)).toString();
const createdAt = new Date('2026-11-26T16:45:30.123Z');

describe('A key file', () => {
  let x25519: string;
  let hybrid: string;

  beforeAll(async () => {
    x25519 = await generateX25519Identity();
    hybrid = (await newIdentity()).identity;
  });

  function reasonFor(keyFile: string): unknown {
    try {
      return identitiesIn(keyFile);
    } catch (error) {
      return reasonOf(error) ?? error;
    }
  }

  it('has the lines that age-keygen writes, and its identity is found in it', async () => {
    const recipient = await recipientOf(hybrid);
    const keyFile = keyFileOf({ identity: hybrid, recipient, createdAt });

    expect(keyFile).toBe(`# created: 2026-11-26T16:45:30Z\n# public key: ${recipient}\n${hybrid}\n`);
    expect(identitiesIn(keyFile)).toEqual([hybrid]);
  });

  it('may have comments, blank lines, several identities, and ends of lines of any system', () => {
    expect(identitiesIn(x25519)).toEqual([x25519]);
    expect(identitiesIn(`\ufeff# a\r\n\r\n${x25519}\r\n  \r\n#\r\n${hybrid}\r\n`)).toEqual([x25519, hybrid]);
    expect(identitiesIn(`\ufeff${x25519} \n`)).toEqual([x25519]);
    expect(identitiesIn(`${'#\n'.repeat(98)}${x25519}\n`)).toEqual([x25519]);
  });

  it('is not accepted with anything else, or when it is long', async () => {
    const recipient = await recipientOf(x25519);
    for (const content of [
      '',
      '\n',
      '# only a comment',
      `# ${x25519}`,
      `${x25519}\ntulip`,
      `${x25519} ${hybrid}`,
      x25519.toLowerCase(),
      x25519.slice(0, -1),
      `${x25519}Q`,
      x25519.replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q')),
      x25519.replace('KEY-1', 'KEY-PQ-1'),
      `AGE-SECRET-KEY-1${'Q'.repeat(58)}`,
      encoded('age-secret-key-', new Uint8Array(31)).toUpperCase(),
      recipient,
      recipient.toUpperCase(),
      'AGE-PLUGIN-YUBIKEY-1QQQQ',
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      `${'#\n'.repeat(100)}${x25519}`,
      `#${'a'.repeat(100_000)}\n${x25519}`,
      '\0'.repeat(50_000),
    ])
      expect([content.slice(0, 100), reasonFor(content)]).toEqual([content.slice(0, 100), 'unsupported']);
  });
});

describe.each([
  ['age', findAge(), generateX25519Identity],
  ['age with hybrid keys', findHybridAge(), async () => (await newIdentity()).identity],
])('The program %s', (_name, age, newKey) => {
  if (!age) {
    it.skip('is missing', () => undefined);
    return;
  }

  it('opens a payload of ours with a key file of ours, and with no other', async () => {
    const identity = await newKey();
    const recipient = await recipientOf(identity);
    const payload = await encryptPayloadFor(ENVELOPE, recipient);

    const keyFile = keyFileOf({ identity, recipient, createdAt });

    expect(age.recipientOf(keyFile)).toBe(recipient);
    expect(age.decrypt(payload, keyFile)).toBe(CONTENT);
    expect(() => age.decrypt(payload, age.newKeyFile())).toThrow('no identity matched');
  });

  it('makes keys and payloads that we open', async () => {
    const keyFile = age.newKeyFile();
    const identities = identitiesIn(keyFile);
    const payload = age.encrypt(CONTENT, age.recipientOf(keyFile));

    expect(identities).toHaveLength(1);
    expect(await recipientOf(identities[0] ?? '')).toBe(age.recipientOf(keyFile));
    expect(await decryptPayloadWith(payload, identities)).toEqual(ENVELOPE);
  });
});

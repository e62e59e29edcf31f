import { Encrypter } from 'age-encryption';
import { bytesIn, encoded, newRecipients } from '../../test/support/age-recipients.js';
import { Problem } from '../platform/errors/problem.js';
import { headerBytesFor, recipientError } from './age-recipient.js';

const NOT_AGE = new Problem('recipient_not_age');
const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

describe('A recipient of age', () => {
  let recipients: [string, string][];
  let x25519: string;

  beforeAll(async () => {
    recipients = await newRecipients();
    x25519 = recipients[0]?.[1] ?? '';
  });

  it('is of one of the kinds to which age-encryption encrypts, with a header of a known length', async () => {
    expect(recipients).toHaveLength(4);
    for (const [kind, recipient] of recipients) {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      const file = Buffer.from(await encrypter.encrypt(''));

      expect([kind, recipientError(recipient)]).toEqual([kind, undefined]);
      expect([kind, headerBytesFor(recipient)]).toEqual([
        kind,
        file.indexOf('\n', file.indexOf('\n---') + 1) + 1,
      ]);
    }
  });

  it('is not accepted with any character altered, left out or added', () => {
    for (const [, recipient] of recipients) {
      for (let i = 0; i < recipient.length; i++) {
        const [before, character, after] = [
          recipient.slice(0, i),
          recipient.charAt(i),
          recipient.slice(i + 1),
        ];
        const other = CHARACTERS.charAt((CHARACTERS.indexOf(character) + 1 + (i % 30)) % 32);
        const wrong = [before + other + after, before + after, before + other + character + after];

        expect(wrong.filter((text) => !recipientError(text))).toEqual([]);
      }
    }
  });

  it('has its own length, also where the checksum is right', () => {
    for (const [kind, recipient] of recipients) {
      const bytes = bytesIn(recipient);

      expect(recipientError(encoded(kind, bytes))).toBeUndefined();
      for (const wrong of [bytes.subarray(1), Buffer.concat([bytes, Buffer.alloc(1)]), Buffer.alloc(0)])
        expect([kind, recipientError(encoded(kind, wrong))]).toEqual([kind, NOT_AGE]);
    }
  });

  it.each([
    'age1yubikey',
    'age1plugin',
    'age-secret-key-',
    'bc',
    'constructor',
    '__proto__',
    'age1',
    'age1pq1',
  ])('is not of the kind %s', (kind) => {
    for (const length of [32, 33, 1216, 1249])
      expect(recipientError(encoded(kind, Buffer.alloc(length, 7)))).toEqual(NOT_AGE);
  });

  it('is text in lower case without anything around it', () => {
    for (const text of [
      x25519.toUpperCase(),
      `A${x25519.slice(1)}`,
      ` ${x25519}`,
      `${x25519}\n`,
      `${x25519}\0`,
      x25519 + x25519,
      x25519.replace('age1', 'age１'),
      '',
      'age1',
      '1',
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA',
      'AGE-SECRET-KEY-1QQQQ',
      'a'.repeat(1e6),
      `age1${'q'.repeat(1e6)}`,
    ])
      expect([text.slice(0, 80), recipientError(text)]).toEqual([text.slice(0, 80), NOT_AGE]);
    for (const value of [undefined, null, 1, true, {}, [x25519], { length: 62 }, Object(x25519)])
      expect(recipientError(value)).toEqual(NOT_AGE);
  });

  it.each(['', 'age', '1qqqq', 'age1yubikey1qqqq'])(
    'with the text %p has no header of a known length',
    (text) => {
      expect(() => headerBytesFor(text)).toThrow(RangeError);
    },
  );

  it('of more than 4000 characters is not even decoded', () => {
    const long = `age1${'q'.repeat(1e6)}`;
    const start = performance.now();
    for (let i = 0; i < 1000; i++) recipientError(long);

    expect(performance.now() - start).toBeLessThan(1000);
  });
});

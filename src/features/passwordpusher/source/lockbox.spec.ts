import { lockboxed } from '../../../../test/support/lockbox.js';
import { Lockbox, UnknownKey } from './lockbox.js';

const [CURRENT, PREVIOUS, OTHER] = ['11', '22', '33'].map((digits) => digits.repeat(32)) as [
  string,
  string,
  string,
];
const keyOf = (hex: string) => Buffer.from(hex, 'hex');

/** Made by the Ruby library. */
const BY_LOCKBOX = {
  key: '2cc5b3b1ff809e2bc29c748e5b36cc624564ee860409d865a93224ba87cbf66e',
  payload: 'qYeEGp3iqlw2/u3IEIhqD4FCTHscDZPk0FJbTxoAgz+sbjjrxtia1LmVs69VtxJnlIVs6cZsUb8=',
  passphrase: 'DsynXcxhVs/+meWYzi+RDVvIbyjybMv1pEk+ew==',
};

describe('What Lockbox has encrypted', () => {
  const lockbox = new Lockbox([CURRENT, PREVIOUS].map(keyOf));
  const decrypt = (ciphertext: string | null, column = 'note_ciphertext', table = 'pushes') =>
    lockbox.decrypt(table, column, ciphertext);
  const of = (key: string, text: string) => lockboxed(key, 'pushes', 'note_ciphertext', text);

  it('is decrypted as the Ruby library does', () => {
    const theirs = new Lockbox([keyOf(BY_LOCKBOX.key)]);

    expect(theirs.decrypt('pushes', 'payload_ciphertext', BY_LOCKBOX.payload)).toBe(
      'correct horse battery staple',
    );
    expect(theirs.decrypt('pushes', 'passphrase_ciphertext', BY_LOCKBOX.passphrase)).toBe('');
  });

  it('is decrypted with the current key and with earlier ones', () => {
    expect(decrypt(of(CURRENT, 'Grüße 🦊'))).toBe('Grüße 🦊');
    expect(decrypt(of(PREVIOUS, 'sealed before'))).toBe('sealed before');
  });

  it('is nothing when there is none', () => {
    expect([decrypt(null), decrypt('')]).toEqual(['', '']);
  });

  it.each([
    ['another key', of(OTHER, 'secret')],
    ['another column', lockboxed(CURRENT, 'pushes', 'payload_ciphertext', 'secret')],
    ['another table', lockboxed(CURRENT, 'users', 'note_ciphertext', 'secret')],
    ['no length', 'AAAA'],
    ['no base64', '***'],
    ['a changed byte', `A${of(CURRENT, 'secret').slice(1, -4)}AAAA`],
  ])('is refused with %s', (_, ciphertext) => {
    expect(() => decrypt(ciphertext)).toThrow(UnknownKey);
  });
});

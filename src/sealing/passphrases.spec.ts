import { Passphrases } from './passphrases.js';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

describe('A passphrase', () => {
  const passphrases = new Passphrases();
  const salt = passphrases.newSalt();
  const keyOf = async (passphrase: string, of = salt) =>
    (await passphrases.deriveKey(passphrase, of)).export().toString('hex');

  it('stands for one key of 32 bytes', async () => {
    expect(await keyOf('sesame')).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyOf('sesame')).toBe(await keyOf('sesame'));
  });

  it('stands for the same key however its characters were composed (B7)', async () => {
    expect(await keyOf(COMPOSED)).toBe(await keyOf(DECOMPOSED));
  });

  it.each([
    ['in case', 'Sesame'],
    ['by a space', 'sesame '],
    ['after a null byte', 'sesame\u0000'],
    ['in width', 'ｓesame'],
  ])('stands for another key when it differs %s (B7)', async (_, other) => {
    expect(await keyOf(other)).not.toBe(await keyOf('sesame'));
  });

  it('counts to its very end (B7)', async () => {
    expect(await keyOf(`${'x'.repeat(254)}a`)).not.toBe(await keyOf(`${'x'.repeat(254)}b`));
  });

  it('stands for another key under another salt', async () => {
    const other = passphrases.newSalt();

    expect(other).toHaveLength(16);
    expect(other.equals(salt)).toBe(false);
    expect(await keyOf('sesame', other)).not.toBe(await keyOf('sesame'));
  });
});

describe('A password', () => {
  const passphrases = new Passphrases();

  it('is kept as argon2id at OWASP’s cost, differently each time (J4)', async () => {
    const hashes = await Promise.all([1, 2].map(() => passphrases.hashPassword('correct horse')));

    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('is recognised however it was composed, and no other is', async () => {
    const stored = await passphrases.hashPassword(`correct horse ${COMPOSED}`);

    expect(await passphrases.verifyPassword(stored, `correct horse ${DECOMPOSED}`)).toBe(true);
    expect(await passphrases.verifyPassword(stored, 'correct horse cafe')).toBe(false);
    expect(await passphrases.verifyPassword(stored, '')).toBe(false);
  });
});

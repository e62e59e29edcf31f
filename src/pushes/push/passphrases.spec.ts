import { HashingQueues } from '../../platform/limits/hashing-queues.js';
import { MemoryBudget } from '../../platform/settings/memory-budget.js';
import { Passphrases } from './passphrases.js';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

describe('A passphrase', () => {
  const passphrases = new Passphrases(new HashingQueues(new MemoryBudget(1)));
  const salt = passphrases.newSalt();
  const keyOf = async (passphrase: string, of = salt) =>
    (await passphrases.deriveKey(passphrase, of, 'retrieval', { ip: '192.0.2.1' })).export().toString('hex');

  it('always gives the same key of 32 bytes', async () => {
    expect(await keyOf('sesame')).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyOf('sesame')).toBe(await keyOf('sesame'));
  });

  it('gives the same key for composed and decomposed characters (B7)', async () => {
    expect(await keyOf(COMPOSED)).toBe(await keyOf(DECOMPOSED));
  });

  it.each([
    ['in case', 'Sesame'],
    ['by a space', 'sesame '],
    ['after a null byte', 'sesame\u0000'],
    ['in width', 'ｓesame'],
  ])('gives another key when it differs %s (B7)', async (_, other) => {
    expect(await keyOf(other)).not.toBe(await keyOf('sesame'));
  });

  it('gives another key when only its last character differs (B7)', async () => {
    expect(await keyOf(`${'x'.repeat(254)}a`)).not.toBe(await keyOf(`${'x'.repeat(254)}b`));
  });

  it('is too long for any push when it has more than 1020 code points (B7, L4)', () => {
    expect(passphrases.isTooLong('🦊'.repeat(1020))).toBe(false);
    expect(passphrases.isTooLong('🦊'.repeat(1021))).toBe(true);
    expect(passphrases.isTooLong('x'.repeat(100_000))).toBe(true);
  });

  it('gives another key with another salt', async () => {
    const other = passphrases.newSalt();

    expect(other).toHaveLength(16);
    expect(other.equals(salt)).toBe(false);
    expect(await keyOf('sesame', other)).not.toBe(await keyOf('sesame'));
  });
});

import { HashingQueues } from '../../platform/throttling/hashing-queues.js';
import { MemoryBudget } from '../../platform/settings/memory-budget.js';
import { PasswordHashes } from './password-hashes.js';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

const CLIENT = { ip: '' };

describe('A password', () => {
  const passwords = new PasswordHashes(new HashingQueues(new MemoryBudget(1)));

  it('is stored as argon2id at OWASP’s cost, with a different hash each time (J4)', async () => {
    const hashes = await Promise.all([1, 2].map(() => passwords.hash('correct horse', CLIENT)));

    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('matches in any Unicode normalization form, and no other password matches', async () => {
    const stored = await passwords.hash(`correct horse ${COMPOSED}`, CLIENT);

    expect(await passwords.verify(stored, `correct horse ${DECOMPOSED}`, CLIENT)).toBe(true);
    expect(await passwords.verify(stored, 'correct horse cafe', CLIENT)).toBe(false);
    expect(await passwords.verify(stored, '', CLIENT)).toBe(false);
  });
});

import { HashingQueues } from '../../platform/limits/hashing-queues.js';
import { MemoryBudget } from '../../platform/settings/memory-budget.js';
import { hash as bcryptHash } from '@node-rs/bcrypt';
import { DUMMY_HASH, isAcceptableBcrypt, PasswordHashes } from './password-hashes.js';

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

  it('that was imported as a hash of bcrypt is right or wrong as any other', async () => {
    for (const cost of [4, 10]) {
      const stored = await bcryptHash('bob’s pässword', cost);
      expect(isAcceptableBcrypt(stored)).toBe(true);
      for (const isInUse of [true, false]) {
        expect(await passwords.verify(stored, 'bob’s pässword', CLIENT, isInUse)).toBe(true);
        expect(await passwords.verify(stored, 'bob’s passwörd', CLIENT, isInUse)).toBe(false);
      }
    }
    const other = await passwords.hash('correct horse', CLIENT);
    expect(await passwords.verify(other, 'correct horse', CLIENT, true)).toBe(true);
    expect(await passwords.verify(null, 'correct horse', CLIENT, true)).toBe(false);
  });

  it.each([
    '$2a$13$/OpSD68SyZPd92Z7idBw9eUfVCOYDD9RQcQNQ.ZI4sFN94DrhU8m6', // twice the cost
    '$2a$03$/OpSD68SyZPd92Z7idBw9eUfVCOYDD9RQcQNQ.ZI4sFN94DrhU8m6',
    '$2x$12$/OpSD68SyZPd92Z7idBw9eUfVCOYDD9RQcQNQ.ZI4sFN94DrhU8m6',
    '$2a$12$/OpSD68SyZPd92Z7idBw9eUfVCOYDD9RQcQNQ.ZI4sFN94DrhU8m',
    'plain',
    '',
  ])('is not imported as %j', (stored) => {
    expect(isAcceptableBcrypt(stored)).toBe(false);
  });

  it('takes the time of both kinds of hash while both are in use, whichever is stored, and if none is (D7)', async () => {
    const stored = {
      argon2: await passwords.hash('correct horse', CLIENT),
      bcrypt: await bcryptHash('correct horse', 12),
      cheaperBcrypt: await bcryptHash('correct horse', 8),
      nothing: null,
    };
    const times = new Map<string, number>();
    for (let round = 0; round < 5; round++)
      for (const [kind, hash] of Object.entries(stored)) {
        const time = await cpuTimeOf(() => passwords.verify(hash, 'wrong horse', CLIENT, true));
        times.set(kind, Math.min(times.get(kind) ?? Infinity, time));
      }
    const oneKind = await cpuTimeOf(() => passwords.verify(stored.argon2, 'wrong horse', CLIENT));

    const [fastest, slowest] = [Math.min(...times.values()), Math.max(...times.values())];
    expect(slowest / fastest).toBeLessThan(1.6); // bcrypt alone takes several times as long as argon2id
    expect(DUMMY_HASH).toMatch(/^\$argon2id\$/);
    expect(oneKind).toBeLessThan(slowest);
  });
});

/** In microseconds, with that of the threads that hash; what else the machine does hardly changes it. */
async function cpuTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

import type { KeyObject } from 'node:crypto';
import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { unseal, KEY_BYTES } from '../../src/platform/sealing/secretbox.js';
import { HashingQueues } from '../../src/platform/limits/hashing-queues.js';
import { PassphraseAttempt } from '../../src/pushes/passphrase/passphrase-throttle.js';
import { Passphrases } from '../../src/pushes/push/passphrases.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { PushSeal } from '../../src/pushes/push/push-seal.js';
import { clientEncryptedPush } from '../support/age-files.js';
import { tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { newestPush } from '../support/new-pushes.js';
import { startApp } from '../support/start-app.js';

const newProof = () => randomBytes(32).toString('base64url');

describe('A push that its client has encrypted', () => {
  const running = forAllTests(() => startApp({ LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' }));
  let hashing: jest.SpyInstance;

  beforeAll(() => (hashing = jest.spyOn(running.app.get(HashingQueues), 'run')));
  beforeEach(() => hashing.mockClear());

  const create = async (fields: Record<string, unknown> = {}) => {
    const sent = { ...clientEncryptedPush(), ...fields };
    const { url_token: urlToken } = await running.anonymous.push(sent);
    const { id } = await newestPush(running);
    return { ...sent, urlToken: urlToken as string, id };
  };
  const retrieve = (urlToken: string, passphrase: string) => running.anonymous.retrieve(urlToken, passphrase);
  const row = (id: string) => running.dataSource.manager.findOneByOrFail(Push, { id });
  const attempts = (pushId: string) => running.dataSource.manager.countBy(PassphraseAttempt, { pushId });

  it('is created and opened without a slow hash, and without counting an attempt', async () => {
    const { id, urlToken, passphrase, payload } = await create();
    const { status, body } = await retrieve(urlToken, passphrase);

    expect([status, body.payload]).toEqual([200, payload]);
    expect(hashing).not.toHaveBeenCalled();
    expect(await row(id)).toMatchObject({ viewsCounted: 1, passphraseAttempts: 0 });
    expect(await attempts(id)).toBe(0);
  });

  it('limits and records wrong proofs, and then takes the right one only from elsewhere (B1, B4)', async () => {
    const { id, urlToken, passphrase, payload } = await create();
    const wrong = await allAtOnce(7, () => retrieve(urlToken, newProof()));

    expect(wrong.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(await attempts(id)).toBe(5);
    expect(await row(id)).toMatchObject({ viewsCounted: 0, failuresAudited: 5 });
    expect((await retrieve(urlToken, passphrase)).status).toBe(429);
    const elsewhere = running.anonymous.with({ 'X-Forwarded-For': '198.51.100.2' });
    expect((await elsewhere.retrieve(urlToken, passphrase)).body.payload).toBe(payload);
    expect(hashing).not.toHaveBeenCalled();
  });

  it('checks no more proofs of a burst than may be wrong, and counts later ones before it checks them (B1)', async () => {
    const { id, urlToken, passphrase } = await create({ expire_after_views: 50 });
    const unseal = jest.spyOn(running.app.get(PushSeal), 'unseal');
    const burst = await allAtOnce(60, (i) => retrieve(urlToken, i < 40 ? newProof() : passphrase));
    const checked = unseal.mock.calls.length;
    unseal.mockClear();
    await allAtOnce(20, () => retrieve(urlToken, passphrase));

    expect(tally(burst.map(({ status }) => status))).toEqual({ 401: 5, 429: 55 });
    expect(checked).toBeLessThanOrEqual(10); // five that were under way at first, and five that were counted
    expect(unseal).not.toHaveBeenCalled();
    expect(await attempts(id)).toBe(5);
    unseal.mockRestore();
  });

  it.each([
    ['is too long', 'x'.repeat(4000)],
    ['has another last character', undefined],
  ])('does not open with a proof that %s', async (_what, proof) => {
    const { id, urlToken, passphrase } = await create();
    const others = passphrase.slice(0, -1) + (passphrase.endsWith('A') ? 'B' : 'A');

    expect((await retrieve(urlToken, proof ?? others)).status).toBe(401);
    expect((await row(id)).viewsCounted).toBe(0);
  });

  it('is opened exactly as often as it may be, with wrong proofs among the right ones', async () => {
    const { urlToken, passphrase, payload } = await create({ expire_after_views: 5 });
    const answers = await allAtOnce(24, (i) => retrieve(urlToken, i % 4 === 0 ? newProof() : passphrase));

    expect(answers.filter(({ body }) => body.payload === payload)).toHaveLength(5);
  });

  it('of before proofs were keys opens as before', async () => {
    const { id, urlToken, passphrase, payload } = await create({ client_encrypted: false });
    await running.dataSource.manager.update(Push, { id }, { clientEncrypted: true });

    expect((await retrieve(urlToken, newProof())).status).toBe(401);
    expect((await retrieve(urlToken, passphrase)).body.payload).toBe(payload);
    expect(hashing.mock.calls.map(([purpose]) => purpose)).toEqual(['creation', 'retrieval', 'retrieval']);
  });

  it.each([
    ['proof', true, [null, 0, 16, 31, 33]],
    ['passphrase', false, [null, 0, 32]],
  ])('has a row whose %s cannot become anything else (J1)', async (_what, isEncrypted, lengths) => {
    const { id, urlToken, passphrase } = await create({ client_encrypted: isEncrypted });
    const salt = Buffer.concat([(await row(id)).passphraseSalt ?? Buffer.of(), Buffer.alloc(17)]);
    for (const bytes of lengths) {
      const passphraseSalt = bytes === null ? null : salt.subarray(0, bytes);
      await running.dataSource.manager.update(Push, { id }, { passphraseSalt });

      expect([bytes, (await retrieve(urlToken, passphrase)).status]).toEqual([bytes, 500]);
    }
    expect((await row(id)).viewsCounted).toBe(0);
  });

  it('has its data key wrapped by HKDF of its proof, and a passphrase like it by argon2id, and neither by the other', async () => {
    const seal = running.app.get(PushSeal);
    const passphrases = running.app.get(Passphrases);
    for (const isEncrypted of [true, false]) {
      const { id, passphrase } = await create({ client_encrypted: isEncrypted });
      const push = await row(id);
      const [salt, dataKey] = [push.passphraseSalt ?? Buffer.of(), push.dataKey ?? Buffer.of()];
      const wrapped = seal['unwrapDataKey'](push, dataKey);
      const byArgon2 = await passphrases.deriveKey(passphrase, salt, 'retrieval', { ip: '192.0.2.1' });
      const opens = (key: KeyObject, kind: string) => {
        try {
          return unseal(key, wrapped, `push/${id}/${kind}`).length === KEY_BYTES;
        } catch {
          return false;
        }
      };
      const kinds = ['proof', 'passphrase'];
      const byHkdf = kinds.map((kind) => {
        const key = hkdfSync('sha256', passphrase, salt, `push/${id}/${kind}`, KEY_BYTES);
        return opens(createSecretKey(Buffer.from(key)), kind);
      });

      expect([isEncrypted, byHkdf, kinds.map((kind) => opens(byArgon2, kind))]).toEqual([
        isEncrypted,
        [isEncrypted, false],
        [false, !isEncrypted],
      ]);
    }
  });

  it.each([true, false])('opens after its keys were wrapped again: %p', async (isEncrypted) => {
    const seal = running.app.get(PushSeal);
    const { id, urlToken, passphrase, payload } = await create({ client_encrypted: isEncrypted });
    await running.dataSource.manager.update(Push, { id }, seal.rewrap(await row(id)));

    expect((await retrieve(urlToken, passphrase)).body.payload).toBe(payload);
  });
});

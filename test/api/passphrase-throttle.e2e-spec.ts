import { ServiceUnavailableException } from '@nestjs/common';
import { newId, digestOf } from '../../src/platform/random/random.js';
import { PassphraseAttempt } from '../../src/pushes/passphrase/passphrase-throttle.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { PushRepository } from '../../src/pushes/push/push.repository.js';
import { Passphrases } from '../../src/pushes/push/passphrases.js';
import { auditKinds, tally } from '../support/audit-kinds.js';
import type { ClientResponse } from '../support/client.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import type { TooManyRequests } from '../../src/platform/http/errors/too-many-requests.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/settings/units.js';
import { after, someVisitor } from '../support/new-pushes.js';

describe('Wrong passphrases', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' }));
  const owner = forAllTests(() => running.newUser());

  const share = async (): Promise<string> =>
    (await owner.client.push({ payload: 'tulip', passphrase: 'horse', expire_after_views: 50 })).url_token;
  const from = (ip: string) => running.anonymous.with({ 'X-Forwarded-For': ip });
  const failFrom = async (ip: string, token: string, times = 5) => {
    for (let i = 0; i < times; i++) expect((await from(ip).retrieve(token, `wrong ${i}`)).status).toBe(401);
  };
  const attempts = () => running.dataSource.manager.count(PassphraseAttempt);

  it('make an address wait after five in a minute, even with the correct one (B1)', async () => {
    const token = await share();
    await failFrom('198.51.100.1', token);

    for (const passphrase of ['wrong', 'horse']) {
      const { status, headers, body } = await from('198.51.100.1').retrieve(token, passphrase);
      expect([status, body]).toEqual([429, { error: expect.any(String) }]);
      expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    }
    expect(await auditKinds(owner.client, token)).toEqual([
      'creation',
      ...Array(5).fill('failed_passphrase'),
    ]);
  });

  it('do not make other addresses wait, nor the same address for another push (B4)', async () => {
    const [token, other] = [await share(), await share()];
    const open = (await running.anonymous.push({ payload: 'rose' })).url_token;
    await failFrom('198.51.100.1', token);

    expect((await from('198.51.100.2').retrieve(token, 'horse')).body.payload).toBe('tulip');
    expect((await from('198.51.100.1').retrieve(other, 'wrong')).status).toBe(401);
    expect((await from('198.51.100.1').retrieve(other, 'horse')).body.payload).toBe('tulip');
    expect((await from('198.51.100.1').retrieve(open)).body.payload).toBe('rose');
  });

  it('are counted whatever the form of the path and the query (B3)', async () => {
    const token = await share();
    const guesses = [
      `/api/v2/pushes/${token}.json?passphrase=1`,
      `/api/v2/pushes/${token}/?passphrase=2&n=1`,
      `//api//v2//pushes//${token}?n=2&passphrase=3`,
      `/api/v2/pushes/%${token.charCodeAt(0).toString(16)}${token.slice(1)}?passphrase=4`,
    ];
    for (const path of guesses) expect((await running.anonymous.get(path)).status).toBe(401);
    const byHeader = running.anonymous.with({ 'X-Push-Passphrase': '5' });
    expect((await byHeader.get(`/api/v2/pushes/${token}`)).status).toBe(401);

    for (const path of guesses) expect((await running.anonymous.get(path)).status).toBe(429);
    expect((await byHeader.get(`/api/v2/pushes/${token}`)).status).toBe(429);
  });

  it('are counted by the /64 of an IPv6 address', async () => {
    const token = await share();
    for (const host of ['::1', '::2', ':ffff:ffff:ffff:ffff', ':0:0:0:9', '::a']) {
      await failFrom(`2001:db8:1:2${host}`, token, 1);
    }

    expect((await from('2001:DB8:0001:2:5::').retrieve(token, 'horse')).status).toBe(429);
    expect((await from('2001:db8:1:3::1').retrieve(token, 'horse')).body.payload).toBe('tulip');
  });

  it('are counted by the /48 of an IPv6 address, with ten times the limit (L11)', async () => {
    const token = await share();
    const answers: ClientResponse[] = [];
    for (let first = 0; first < 320; first += 80) {
      const guess = (caller: number) =>
        from(`2001:db8:2:${(first + caller).toString(16)}::1`).retrieve(token, `wrong ${caller}`);
      answers.push(...(await allAtOnce(80, guess)));
    }

    expect(outcomes(answers, 'tulip')).toEqual({ 401: 50, 429: 270 });
    expect((await from('2001:db8:2:ffff::1').retrieve(token, 'horse')).status).toBe(429);
    expect((await from('2001:db8:3::1').retrieve(token, 'horse')).body.payload).toBe('tulip');
  });

  it('are counted for an IPv4 address also when it is written as IPv6', async () => {
    const token = await share();
    await failFrom('198.51.100.1', token);

    expect((await from('::ffff:198.51.100.1').retrieve(token, 'horse')).status).toBe(429);
    expect((await from('::ffff:c633:6401').retrieve(token, 'horse')).status).toBe(429);
    expect((await from('::ffff:198.51.100.2').retrieve(token, 'horse')).body.payload).toBe('tulip');
  });

  it('are counted by the address that the trusted proxy adds, not by what the caller sends (B2)', async () => {
    const token = await share();
    for (let i = 0; i < 5; i++) await failFrom(`203.0.113.${i}, 198.51.100.1`, token, 1);

    expect((await from('203.0.113.99, 198.51.100.1').retrieve(token, 'horse')).status).toBe(429);
  });

  it('are limited to five when many are tried concurrently (B5)', async () => {
    const token = await share();
    const answers = await allAtOnce(60, (caller) => from('198.51.100.1').retrieve(token, `wrong ${caller}`));

    expect(outcomes(answers, 'tulip')).toEqual({ 401: 5, 429: 55 });
    expect(tally(await auditKinds(owner.client, token))).toEqual({ creation: 1, failed_passphrase: 5 });
  });

  it('include attempts whose process died while it checked them (B5)', async () => {
    const token = await share();
    const now = Date.now();
    const { id } = await running.dataSource.manager.findOneByOrFail(Push, { tokenDigest: digestOf(token) });
    const row = (pendingUntil: number) => ({
      id: newId(),
      pushId: id,
      network: '198.51.100.1',
      wideNetwork: null,
      attemptedAt: new Date(now),
      pendingUntil: new Date(pendingUntil),
    });
    await running.dataSource.manager.insert(
      PassphraseAttempt,
      Array.from({ length: 4 }, () => row(now - 1)),
    );
    expect((await from('198.51.100.1').retrieve(token, 'horse')).body.payload).toBe('tulip');
    await running.dataSource.manager.insert(PassphraseAttempt, row(now + 1500));

    expect((await from('198.51.100.1').retrieve(token, 'horse')).status).toBe(429);
  });

  it('do not include missing or correct ones', async () => {
    const token = await share();
    const before = await attempts();
    for (let i = 0; i < 8; i++) {
      expect((await from('198.51.100.1').retrieve(token)).status).toBe(401);
      expect((await from('198.51.100.1').retrieve(token, '')).status).toBe(401);
      expect((await from('198.51.100.1').retrieve(token, 'horse')).status).toBe(200);
    }

    expect(await attempts()).toBe(before);
    await failFrom('198.51.100.1', token);
  });

  it('of more than 1020 code points are rejected without hashing (L4)', async () => {
    const token = await share();
    const long = encodeURIComponent('\u0301'.repeat(1021)); // a header may be 16 KiB
    const derive = jest.spyOn(running.app.get(Passphrases), 'deriveKey');
    const { status, body } = await from('198.51.100.1')
      .with({ 'X-Push-Passphrase': long })
      .get(`/api/v2/pushes/${token}`);
    const calls = derive.mock.calls.length;
    derive.mockRestore();

    expect([status, body.error, calls]).toEqual([401, 'The passphrase is wrong.', 0]);
    expect(await auditKinds(owner.client, token)).toEqual(['creation', 'failed_passphrase']);
  });

  it('do not include correct ones whose retrieval fails (L10)', async () => {
    const token = await share();
    const before = await attempts();
    const apply = jest
      .spyOn(running.app.get(PushRepository), 'apply')
      .mockRejectedValue(new ServiceUnavailableException());
    for (let i = 0; i < 6; i++)
      expect((await from('198.51.100.1').retrieve(token, 'horse')).status).toBe(503);
    apply.mockRestore();

    expect(await attempts()).toBe(before);
    expect((await from('198.51.100.1').retrieve(token, 'horse')).body.payload).toBe('tulip');
  });

  it('are not counted, nor is a view, after a server error (J2)', async () => {
    const token = await share();
    const before = await attempts();
    const [{ id, data_key }] = await running.dataSource.query(
      'SELECT id, data_key FROM pushes ORDER BY id DESC LIMIT 1',
    );
    const tampered = Buffer.from(data_key).fill(0, 20, 30);
    await running.query('UPDATE pushes SET data_key = ? WHERE id = ?', [tampered, id]);
    for (const passphrase of ['horse', 'wrong', 'a', 'b', 'c', 'd', 'horse']) {
      const { status, body } = await running.anonymous.retrieve(token, passphrase);
      expect([status, body]).toEqual([500, { error: expect.any(String) }]);
    }
    await running.query('UPDATE pushes SET data_key = ? WHERE id = ?', [data_key, id]);

    expect(await attempts()).toBe(before);
    expect(await auditKinds(owner.client, token)).toEqual(['creation']);
    expect((await running.anonymous.retrieve(token, 'horse')).body.views_remaining).toBe(49);
  });
});

describe('Without TRUSTED_PROXIES', () => {
  const running = forAllTests(startApp);

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP', 'X-Client-IP'])(
    'a client gets no more attempts by sending %s (B2)',
    async (header) => {
      const { url_token } = await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' });
      const statuses: number[] = [];
      for (let i = 0; i < 6; i++) {
        const ip = header === 'Forwarded' ? `for=198.51.100.${i}` : `198.51.100.${i}`;
        const { status } = await running.anonymous.with({ [header]: ip }).retrieve(url_token, 'wrong');
        statuses.push(status);
      }

      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    },
  );
});

describe('Over time, wrong passphrases', () => {
  const running = forAllTests(startApp);

  const share = async (): Promise<string> =>
    (await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' })).url_token;

  const start = new Date();

  /** Returns `shown`, or the status, followed by the seconds to wait if it is 429. */
  const retrieve = async (token: string, passphrase: string, ip: string, now: Date) => {
    try {
      await running.app.get(RetrievalsService).retrieve(token, { passphrase }, someVisitor({ ip }), now);
      return 'shown';
    } catch (error) {
      const status = (error as TooManyRequests).getStatus();
      return status === 429 ? `429 ${(error as TooManyRequests).retryAfterSeconds}` : String(status);
    }
  };

  it('make an address wait until the first of five is a minute old', async () => {
    const token = await share();
    const tryAt = (seconds: number, passphrase: string) =>
      retrieve(token, passphrase, '198.51.100.1', after(start, seconds * SECOND_MS));

    for (const seconds of [0, 10, 20, 30, 40]) expect(await tryAt(seconds, 'wrong')).toBe('401');
    expect(await tryAt(45, 'horse')).toBe('429 15');
    expect(await tryAt(59.999, 'horse')).toBe('429 1');
    expect(await tryAt(60, 'wrong')).toBe('401');
    expect(await tryAt(60, 'wrong')).toBe('429 10');
    expect(await tryAt(70, 'horse')).toBe('shown');
  });

  it('make an address wait until the first of twenty is an hour old', async () => {
    const token = await share();
    const tryAt = (minutes: number, passphrase: string) =>
      retrieve(token, passphrase, '198.51.100.1', after(start, minutes * MINUTE_MS));

    for (let i = 0; i < 20; i++) expect(await tryAt(i, 'wrong')).toBe('401');
    expect(await tryAt(25, 'horse')).toBe('429 2100');
    expect(await tryAt(59.9, 'horse')).toBe('429 6');
    expect(await tryAt(60, 'wrong')).toBe('401');
    expect(await tryAt(60.5, 'horse')).toBe('429 30');
    expect(await tryAt(61, 'horse')).toBe('shown');
  });

  it('of a hundred addresses make these wait, but no others (B4)', async () => {
    const token = await share();
    for (let i = 0; i < 100; i++) {
      expect(await retrieve(token, 'wrong', `203.0.113.${i}`, after(start, i * SECOND_MS))).toBe('401');
    }
    const now = after(start, 10 * MINUTE_MS);

    expect(await retrieve(token, 'horse', '203.0.113.0', now)).toBe('429 3000');
    expect(await retrieve(token, 'horse', '203.0.113.99', now)).toBe('429 3099');
    for (let i = 0; i < 3; i++) expect(await retrieve(token, 'horse', '198.51.100.1', now)).toBe('shown');
    expect(await retrieve(token, 'wrong', '198.51.100.2', now)).toBe('401');
    expect(await retrieve(token, 'horse', '198.51.100.2', now)).toBe('429 3600');
    expect(await retrieve(token, 'horse', '203.0.113.99', after(start, HOUR_MS + 99 * SECOND_MS))).toBe(
      'shown',
    );
  });
});

import { randomUUID } from 'node:crypto';
import { ServiceUnavailableException } from '@nestjs/common';
import { PasswordHashes } from '../../src/auth/passwords/password-hashes.js';
import { CredentialsService } from '../../src/auth/sign-in/credentials.service.js';
import { SignInThrottle } from '../../src/auth/sign-in/sign-in-throttle.js';
import { SignInAttempt } from '../../src/auth/entities/sign-in-attempt.entity.js';
import { TooManyRequests } from '../../src/platform/http/errors/too-many-requests.js';
import { HashingQueues } from '../../src/platform/limits/hashing-queues.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PASSWORD, PageClient } from '../support/page-client.js';
import { MINUTE_MS } from '../../src/platform/settings/units.js';

const NOW = new Date('2026-05-04T12:00:00Z');
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

describe('Wrong passwords', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  let throttle: SignInThrottle;

  beforeAll(() => (throttle = running.app.get(SignInThrottle)));

  it('make a client wait after five in a minute, whether the account exists or not', async () => {
    for (const email of [(await newSignedInUser(running)).email, `${randomUUID()}@example.org`]) {
      const pageClient = new PageClient(running.url, { 'X-Forwarded-For': '192.0.2.1' });
      for (let i = 0; i < 5; i++) expect((await pageClient.signIn(email, 'wrong')).status).toBe(422);

      const { status, headers, body } = await pageClient.signIn(email);

      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(body).toContain('Too many wrong passwords.');
    }
  });

  it('do not lock out an owner at another address (B4)', async () => {
    const { email } = await newSignedInUser(running);
    const stranger = new PageClient(running.url, { 'X-Forwarded-For': '192.0.2.2' });
    for (let i = 0; i < 6; i++) await stranger.signIn(email, 'wrong');

    const { status } = await new PageClient(running.url, { 'X-Forwarded-For': '192.0.2.3' }).signIn(email);

    expect(status).toBe(303);
  });

  it('do not lock out the owner even from a hundred addresses (B4)', async () => {
    const email = `${randomUUID()}@example.org`;
    for (let i = 0; i < 100; i++) await throttle.recordAttempt(email, `198.51.100.${i}`, NOW);

    await expect(throttle.recordAttempt(email, '198.51.100.7', later(30))).rejects.toThrow(TooManyRequests);
    await expect(throttle.recordAttempt(email, '203.0.113.9', later(30))).resolves.toMatchObject({
      network: '203.0.113.9',
    });
  });

  it('are limited to twenty an hour, and no longer count after it', async () => {
    const email = `${randomUUID()}@example.org`;
    for (let i = 0; i < 20; i++) await throttle.recordAttempt(email, '203.0.113.1', later(2 * i));

    await expect(throttle.recordAttempt(email, '203.0.113.1', later(45))).rejects.toThrow(TooManyRequests);
    await expect(throttle.recordAttempt(email, '203.0.113.1', later(61))).resolves.toBeDefined();
    await throttle.deleteOld(later(3 * 60));
    expect(await running.dataSource.manager.countBy(SignInAttempt, { network: '203.0.113.1' })).toBe(0);
  });

  it('count for all accounts together, so that one address cannot try one password at each', async () => {
    for (let i = 0; i < 60; i++)
      await throttle.recordAttempt(`${randomUUID()}@example.org`, '203.0.113.2', NOW);

    await expect(throttle.recordAttempt('one-more@example.org', '203.0.113.2', later(1))).rejects.toThrow(
      TooManyRequests,
    );
  });

  it('count for a whole /64 of IPv6', async () => {
    const email = `${randomUUID()}@example.org`;
    for (let i = 0; i < 5; i++) await throttle.recordAttempt(email, `2001:db8:1:2::${i}`, NOW);

    await expect(throttle.recordAttempt(email, '2001:db8:1:2:ffff::1', NOW)).rejects.toThrow(TooManyRequests);
    await expect(throttle.recordAttempt(email, '2001:db8:1:3::1', NOW)).resolves.toBeDefined();
  });

  it('count for a /48 of IPv6 too, with ten times the limit (L11)', async () => {
    const email = `${randomUUID()}@example.org`;
    for (let i = 0; i < 50; i++) await throttle.recordAttempt(email, `2001:db8:5:${i}::1`, NOW);

    await expect(throttle.recordAttempt(email, '2001:db8:5:ffff::1', NOW)).rejects.toThrow(TooManyRequests);
    await expect(throttle.recordAttempt(email, '2001:db8:6::1', NOW)).resolves.toBeDefined();
  });

  it('are not counted if the server fails (L10)', async () => {
    const { email } = await newSignedInUser(running);
    const credentials = running.app.get(CredentialsService);
    const verify = jest
      .spyOn(running.app.get(PasswordHashes), 'verify')
      .mockRejectedValue(new ServiceUnavailableException());
    for (let i = 0; i < 6; i++)
      await expect(credentials.authenticate(email, PASSWORD, '203.0.113.5', NOW)).rejects.toThrow(
        ServiceUnavailableException,
      );
    verify.mockRestore();

    expect(await credentials.authenticate(email, PASSWORD, '203.0.113.5', NOW)).toMatchObject({ email });
  });

  it('are rejected without hashing if they are longer than any password (L4)', async () => {
    const { email } = await newSignedInUser(running);
    const queues = jest.spyOn(running.app.get(HashingQueues), 'run');
    const signIn = await running.app
      .get(CredentialsService)
      .authenticate(email, `a${'\u0301'.repeat(30_000)}`, '203.0.113.6', NOW);
    const calls = queues.mock.calls.length;
    queues.mockRestore();

    expect([signIn, calls]).toEqual([undefined, 0]);
  });

  it('get no more attempts if they are sent at the same time (B5)', async () => {
    const email = `${randomUUID()}@example.org`;
    const tries = Array.from({ length: 30 }, () => throttle.recordAttempt(email, '203.0.113.3', NOW));

    const allowed = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');

    expect(allowed.length).toBeLessThanOrEqual(5);
  });

  it('are also counted within a session, if a form requires the password again', async () => {
    const { pageClient } = await newSignedInUser(running);
    for (let i = 0; i < 5; i++) {
      expect((await pageClient.post('/users/edit/delete', { password: 'wrong' })).status).toBe(422);
    }

    expect((await pageClient.post('/users/edit/delete', { password: PASSWORD })).status).toBe(429);
  });

  it('do not include right passwords', async () => {
    const { email } = await newSignedInUser(running);
    const credentials = running.app.get(CredentialsService);

    for (let i = 0; i < 8; i++) {
      expect(await credentials.authenticate(email, PASSWORD, '203.0.113.4', NOW)).toMatchObject({ email });
    }
  });
});

describe('Sign-ups', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));

  it('are limited to twenty an hour for a /64, and ten times as many for a /48 (L11)', async () => {
    const throttle = running.app.get(SignInThrottle);
    for (let i = 0; i < 20; i++) await throttle.recordSignUp(`2001:db8:1:1::${i}`, NOW);
    await expect(throttle.recordSignUp('2001:db8:1:1::ffff', later(59))).rejects.toThrow(TooManyRequests);
    for (let i = 0; i < 180; i++) await throttle.recordSignUp(`2001:db8:1:${i + 2}::1`, NOW);

    await expect(throttle.recordSignUp('2001:db8:1:ffff::1', later(59))).rejects.toThrow(TooManyRequests);
    await expect(throttle.recordSignUp('2001:db8:2::1', later(59))).resolves.toBeDefined();
    await expect(throttle.recordSignUp('2001:db8:1:1::ffff', later(61))).resolves.toBeDefined();
  });

  it('of 80 concurrent clients delay a right passphrase by less than half of them (L9)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' });
    let emailUnverified = 0;
    const strangers = allAtOnce(80, async (caller) => {
      const ip = `2001:db8:${caller.toString(16)}:${caller}::1`;
      const pageClient = new PageClient(running.url, { 'X-Forwarded-For': ip });
      const { status } = await pageClient.post('/users/sign_up', {
        email: `${randomUUID()}@example.org`,
        password: PASSWORD,
      });
      emailUnverified++;
      return status;
    });
    const { body } = await running.anonymous.retrieve(url_token, 'horse');
    const signedUpBefore = emailUnverified;

    expect(body.payload).toBe('tulip');
    expect(signedUpBefore).toBeLessThan(40);
    expect(new Set(await strangers)).toEqual(new Set([303]));
  });
});

describe('Attempts to change the email address', () => {
  const running = forAllTests(startApp);

  it('make a client wait after five that fail in a minute, with a message of their own', async () => {
    const { pageClient } = await newSignedInUser(running);
    const taken = (await newSignedInUser(running)).email;
    const change = () => pageClient.post('/users/edit/email', { email: taken, password: PASSWORD });
    for (let i = 0; i < 5; i++) expect((await change()).status).toBe(422);

    const { status, body } = await change();

    expect(status).toBe(429);
    expect(body).toContain('Too many attempts to change the email address.');
  });
});

import { randomUUID } from 'node:crypto';
import { MailLimits } from '../../src/auth/by-mail/mail-limits.js';
import { KnownNetwork } from '../../src/auth/entities/known-network.entity.js';
import { Session } from '../../src/auth/entities/session.entity.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { SignInsService } from '../../src/auth/sign-in/sign-ins.service.js';
import { KnownNetworksService } from '../../src/auth/sign-in/known-networks.service.js';
import { SignInThrottle } from '../../src/auth/sign-in/sign-in-throttle.js';
import { Leases, Lease } from '../../src/platform/database/leases.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { UploadQuota } from '../../src/files/upload-receiver.js';
import { TooManyRequests } from '../../src/platform/http/errors/too-many-requests.js';
import { MAX_RETRY_DELAY_MS, OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { OutboxService } from '../../src/platform/outbox/outbox.service.js';
import { PassphraseAttempt, PassphraseThrottle } from '../../src/pushes/passphrase/passphrase-throttle.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { digestOf } from '../../src/platform/random/random.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/platform/settings/units.js';
import { Webhook } from '../../src/features/webhooks/webhook.entity.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { after } from '../support/new-pushes.js';
import type { TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const IP = '192.0.2.1';

describe('After the clock was a month ahead', () => {
  const running = forAllTests(() => startApp({ UPLOAD_BYTES_PER_DAY: '1000', TRUSTED_PROXIES: '127.0.0.1' }));
  const user = forAllTests(() => running.newUser());
  const now = new Date();
  const ahead = after(now, 30 * DAY_MS);

  const get = <T>(type: abstract new (...parameters: any[]) => T) => running.app.get<T>(type);
  /** In how many seconds the client may try again; 0 at once. */
  const waitOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 0,
      (error: unknown) => {
        expect(error).toBeInstanceOf(TooManyRequests);
        return (error as TooManyRequests).retryAfterSeconds;
      },
    );
  const accountOf = async ({ email }: TestUser) => {
    const account = await get(UsersService).findByEmail(email);
    if (!account) throw new Error('no account');
    return account;
  };
  const times = async (count: number, attempt: () => Promise<unknown>) => {
    for (let i = 0; i < count; i++) await attempt();
  };

  it.each([
    [5, 60],
    [20, 3600],
  ])('%i wrong passphrases of that time make a client wait for %i seconds (M7)', async (count, seconds) => {
    const { url_token } = await user.client.push({ payload: 'tulip', passphrase: 'horse' });
    const push = await running.dataSource.manager.findOneByOrFail(Push, { tokenDigest: digestOf(url_token) });
    const throttle = get(PassphraseThrottle);
    const time = (i: number) => after(ahead, i * HOUR_MS); // none of them waits for another
    for (let i = 0; i < count; i++) await throttle.recordAttempt(push, IP, time(i));
    await running.dataSource.manager.update(PassphraseAttempt, { pushId: push.id }, { pendingUntil: null });

    expect(await waitOf(throttle.recordAttempt(push, IP, now))).toBe(seconds);
    const { status, headers } = await running.anonymous
      .with({ 'X-Forwarded-For': IP })
      .retrieve(url_token, 'horse');
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(seconds);
    expect(await waitOf(throttle.recordAttempt(push, IP, after(now, (seconds + 1) * SECOND_MS)))).toBe(0);
  });

  it('passphrases that were being checked then count as wrong (M7)', async () => {
    const { url_token } = await user.client.push({ payload: 'tulip', passphrase: 'horse' });
    const push = await running.dataSource.manager.findOneByOrFail(Push, { tokenDigest: digestOf(url_token) });
    const throttle = get(PassphraseThrottle);
    await times(5, () => throttle.recordAttempt(push, IP, ahead));

    await throttle.recordAttempt(push, '192.0.2.2', now);
    expect(await waitOf(throttle.recordAttempt(push, IP, after(now, 15 * SECOND_MS)))).toBe(45);
  });

  it('wrong passwords of that time make a client wait for a minute (M7)', async () => {
    const email = `${randomUUID()}@example.org`;
    const throttle = get(SignInThrottle);
    await times(5, () => throttle.recordAttempt(email, IP, ahead));

    expect(await waitOf(throttle.recordAttempt(email, IP, now))).toBe(60);
    expect(await waitOf(throttle.recordAttempt(email, IP, after(now, 61 * SECOND_MS)))).toBe(0);
  });

  it('networks of that time push out none from which an account is signed in to now (M7)', async () => {
    const account = await accountOf(user);
    const networks = get(KnownNetworksService);
    for (let i = 0; i < 10; i++) await networks.tryToRecord(account, `198.51.100.${i}`, after(ahead, i));
    await networks.tryToRecord(account, '203.0.113.1', now);

    expect(await networks.includes('203.0.113.1', now)).toBe(true);
    const later = after(now, SECOND_MS);
    await networks.tryToRecord(account, '203.0.113.2', later);
    expect(await networks.includes('203.0.113.2', later)).toBe(true);
  });

  it('networks of that time are forgotten when those of now are (M7)', async () => {
    const networks = get(KnownNetworksService);
    await networks.tryToRecord(await accountOf(user), '203.0.113.3', ahead);
    await networks.deleteOld(now);
    await networks.deleteOld(after(now, 91 * DAY_MS));

    expect(await running.dataSource.manager.findBy(KnownNetwork, { network: '203.0.113.3' })).toEqual([]);
  });

  it('mails of that time count for an hour (M7)', async () => {
    const limits = get(MailLimits);
    await times(20, () => limits.countClient(IP, ahead));

    expect(await waitOf(limits.countClient(IP, now))).toBe(3600);
    expect(await waitOf(limits.countClient(IP, after(now, HOUR_MS + SECOND_MS)))).toBe(0);
  });

  it('what an account used on a day of that time counts as used today (M7)', async () => {
    const quota = get(UploadQuota);
    const { id } = user;
    const use = async (bytes: number, at: Date) => {
      const update = await quota.prepareUpdate(id, bytes, at);
      await get(UnitOfWork).run((manager) => quota.countWithin(manager, id, update, at));
    };
    await use(900, ahead);

    expect(await quota.remaining(id, now)).toBe(100);
    expect(await waitOf(use(101, now))).toBeGreaterThan(0);
    await use(100, now);
    expect(await quota.remaining(id, now)).toBe(0);
    expect(await quota.remaining(id, after(now, DAY_MS))).toBe(1000);
    await use(1000, after(now, DAY_MS));
  });

  it('a message of that time is sent when one that failed now would be (M7)', async () => {
    const message = { channel: 'none', destination: randomUUID(), kind: 'test', userId: null, values: {} };
    await get(UnitOfWork).write((tx) => {
      get(OutboxService).add(tx, message, ahead);
    });
    const { destination } = message;
    const stored = () => running.dataSource.manager.findOneByOrFail(OutboxMessage, { destination });
    await get(OutboxSender).sendDue(undefined, () => now);
    await eventually(async () => {
      await get(OutboxSender).sendDue(undefined, () => after(now, MAX_RETRY_DELAY_MS)); // not while the app itself does
      return (await stored()).error !== null;
    });

    expect(await stored()).toMatchObject({ error: 'NO_CHANNEL', attempts: 1 });
  });

  it('a webhook that has failed since that time has failed since now (M7)', () => {
    const webhook = Object.assign(new Webhook(), { failingSince: ahead });

    expect(webhook.failed(now)).toEqual({ failingSince: now });
  });

  it('a lease of that time blocks no job (M7)', async () => {
    const row = { name: 'sweep', holder: randomUUID(), endsAt: ahead.getTime() };
    await get(UnitOfWork).run((manager) => manager.insert(Lease, row));

    expect(await get(Leases).runIfFree('sweep', () => Promise.resolve())).toBe(true);
  });

  it('a session of that time ends when one that began now would (M7)', async () => {
    const account = await accountOf(user);
    const token = await get(SignInsService).begin(account, undefined, ahead);

    expect(await get(SessionsService).authenticate(token, now)).toMatchObject({ user: { id: account.id } });
    const session = await running.dataSource.manager.findOneByOrFail(Session, { digest: digestOf(token) });
    expect(session.hasEnded(after(now, DAY_MS + SECOND_MS))).toBe(true);
    expect(session.endsAt.getTime()).toBeLessThanOrEqual(Session.endOf(now, 14).getTime() + SECOND_MS);
  });
});

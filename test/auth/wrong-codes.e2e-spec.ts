import { User } from '../../src/auth/entities/user.entity.js';
import { dayOf, DailyUsage } from '../../src/auth/quotas/daily-quota.js';
import { PasskeysService } from '../../src/auth/second-factor/passkeys.service.js';
import { SecondFactorChecks } from '../../src/auth/second-factor/second-factor-checks.js';
import { SecondFactorsService } from '../../src/auth/second-factor/second-factors.service.js';
import { WrongCodes } from '../../src/auth/second-factor/wrong-codes.js';
import { TooManyRequests } from '../../src/platform/http/errors/too-many-requests.js';
import { InstanceAuditEntry } from '../../src/platform/instance-audit/instance-audit-entry.entity.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import type { AuthenticatorApp } from '../support/authenticator-app.js';
import { addApp, codeOf, freshCode, makeAuthenticationsOld } from '../support/authenticator-app.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { mailsTo } from '../support/mailbox.js';
import { after } from '../support/new-pushes.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const STEP = '/users/sign_in/second_factor';
const HOME = '198.51.100.7';
const ELSEWHERE = '203.0.113.99';
const WRONG = '000000';
const PER_DAY = 100;

type Owner = SignedInUser & AuthenticatorApp & { user: User };

describe('Codes of an authenticator app that are wrong', () => {
  const mailServer = forAllTests(startMailServer);
  const running = forAllTests(() => startApp({ ...mailServer.env, TRUSTED_PROXIES: '127.0.0.1' }));
  let owner: Owner;
  let guesses: number;

  beforeEach(async () => {
    const member = await newSignedInUser(running);
    const app = await addApp(member.pageClient);
    await running.dataSource.manager.update(User, { id: member.id }, { emailUnverified: false });
    const user = await running.dataSource.manager.findOneByOrFail(User, { id: member.id });
    owner = { ...member, ...app, user };
    guesses = 0;
  });

  const verify = (code: string, ip: string, now = new Date(), at = running) =>
    at.app.get(SecondFactorChecks).verify(owner.user, code, ip, now);
  const rightCode = () => freshCode(running, owner, owner.secret);
  /** Each from another network. */
  const guess = (now?: Date) => verify(WRONG, `2001:db8:${(++guesses).toString(16)}::1`, now);
  const used = async () =>
    (await running.dataSource.manager.findOneByOrFail(DailyUsage, { userId: owner.id })).codes;
  const guessAll = async () => {
    await guess();
    await running.dataSource.manager.update(DailyUsage, { userId: owner.id }, { codes: PER_DAY });
  };
  const atStep = async (ip: string) => {
    const pageClient = new PageClient(running.url, { 'X-Forwarded-For': ip });
    await pageClient.signIn(owner.email);
    return pageClient;
  };

  it('are counted for the account whatever network they come from, and right ones are not (N6)', async () => {
    for (let i = 0; i < 3; i++) expect(await guess()).toBe(false);
    expect(await verify(await rightCode(), HOME)).toBe(true);

    expect(await used()).toBe(3);
  });

  it('end all tries from networks that are not known, also with the right code, after 100 in a day (N6)', async () => {
    await guessAll();
    const stranger = await atStep(ELSEWHERE);
    const { status, headers, body } = await stranger.post(STEP, { code: await rightCode() });

    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body).toContain('Use a passkey or a recovery code');
    expect(await stranger.isSignedIn()).toBe(false);
    expect(await used()).toBe(PER_DAY);
  });

  it('are no more than 100, however many are tried at once at two processes (B5, N6)', async () => {
    await guess();
    await running.dataSource.manager.update(DailyUsage, { userId: owner.id }, { codes: PER_DAY - 4 });
    const other = await forThisTest(startApp({}, { instance: running.instance }));
    const answers = await allAtOnce(16, (caller) =>
      verify(WRONG, `192.0.2.${caller + 1}`, new Date(), caller % 2 === 0 ? running : other).catch(
        (error: unknown) => error,
      ),
    );

    expect(answers.filter((answer) => answer === false)).toHaveLength(4);
    expect(answers.filter((answer) => answer instanceof TooManyRequests)).toHaveLength(12);
  });

  it('keep nobody out of a network from which the second factor was given (B4)', async () => {
    expect(await verify(await rightCode(), HOME)).toBe(true);
    await guessAll();
    expect(await verify(WRONG, HOME)).toBe(false);

    const home = await atStep(HOME);
    expect((await home.post(STEP, { code: await rightCode() })).status).toBe(303);
    expect(await home.isSignedIn()).toBe(true);
  });

  it('of a hundred others in an hour do not make a known network wait after a slip of its own (B4)', async () => {
    expect(await verify(await rightCode(), HOME)).toBe(true);
    expect(await verify(WRONG, HOME)).toBe(false);
    expect(await verify(WRONG, ELSEWHERE)).toBe(false);
    for (let i = 0; i < PER_DAY - 2; i++) await guess();

    await expect(verify(WRONG, ELSEWHERE)).rejects.toBeInstanceOf(TooManyRequests);
    expect(await verify(await rightCode(), HOME)).toBe(true);
  });

  it('cannot be continued from a network that the password alone was given from (N6)', async () => {
    await atStep(ELSEWHERE);
    await guessAll();

    await expect(verify(await rightCode(), ELSEWHERE)).rejects.toBeInstanceOf(TooManyRequests);
  });

  it('cannot be continued from a network of a second factor that was removed (N6)', async () => {
    expect(await verify(await rightCode(), HOME)).toBe(true);
    await running.app.get(SecondFactorsService).reset(owner.user);
    owner.user.hasSecondFactor = false;
    await owner.pageClient.signIn(owner.email);
    const { secret } = await addApp(owner.pageClient);
    owner = { ...owner, secret, user: { ...owner.user, hasSecondFactor: true } as User };
    await guessAll();

    await expect(verify(await codeOf(secret, 1), HOME)).rejects.toBeInstanceOf(TooManyRequests);
  });

  it('leave recovery codes and passkeys, which nobody guesses, from everywhere (B4)', async () => {
    await guessAll();
    expect(await verify(owner.recoveryCodes[0] ?? '', ELSEWHERE)).toBe(true);

    const answer = { passkey: '{"id":"unknown"}', state: '', baseUrl: 'https://secrets.example.org' };
    expect(await running.app.get(PasskeysService).verify(answer, '192.0.2.200', owner.user)).toBeUndefined();
  });

  it('are counted also where a form of a session asks for a code (N6)', async () => {
    await makeAuthenticationsOld(running, owner);
    const fields = { name: 'laptop', code: WRONG };
    expect((await owner.pageClient.post('/users/token', fields)).status).toBe(422);
    expect(await used()).toBe(1);

    await guessAll();
    const { status } = await owner.pageClient.post('/users/token', { ...fields, code: await rightCode() });
    expect(status).toBe(429);
  });

  it('are told to the owner by one mail a day, and recorded', async () => {
    const now = new Date();
    await guessAll();
    for (let i = 0; i < 3; i++) await expect(guess(now)).rejects.toBeInstanceOf(TooManyRequests);

    const told = async () =>
      (await mailsTo(running, mailServer, owner.email)).filter(({ subject }) =>
        subject?.includes('wrong codes'),
      );
    expect(await told()).toHaveLength(1);
    const kind = 'second_factor_limited';
    expect(await running.dataSource.manager.countBy(InstanceAuditEntry, { subjectId: owner.id, kind })).toBe(
      1,
    );

    const day = dayOf(after(now, -DAY_MS));
    await running.dataSource.manager.update(DailyUsage, { userId: owner.id }, { day });
    await guessAll();
    await expect(guess()).rejects.toBeInstanceOf(TooManyRequests);
    expect(await told()).toHaveLength(2);
  });

  it('do not count when our own error ended the check (L10)', async () => {
    const failing = () => Promise.reject(new Error('the database is away'));
    const wrongCodes = running.app.get(WrongCodes);
    await expect(wrongCodes.counted(owner.user, false, new Date(), failing)).rejects.toThrow('away');

    expect(await used()).toBe(0);
  });
});

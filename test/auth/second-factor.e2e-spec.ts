import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Authenticator } from '../../src/auth/entities/authenticator.entity.js';
import { RecoveryCode } from '../../src/auth/entities/recovery-code.entity.js';
import { Session } from '../../src/auth/entities/session.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { SignInNeeded } from '../../src/auth/errors/sign-in-needed.js';
import { SignInsService } from '../../src/auth/sign-in/sign-ins.service.js';
import { SecondFactorChecks } from '../../src/auth/second-factor/second-factor-checks.js';
import { SecondFactorsService } from '../../src/auth/second-factor/second-factors.service.js';
import { PendingSignIns } from '../../src/auth/sign-in/pending-sign-ins.js';
import { SignInStates } from '../../src/auth/sign-in/sign-in-states.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import { InstanceAuditEntry } from '../../src/platform/instance-audit/instance-audit-entry.entity.js';
import { MINUTE_MS, SECOND_MS } from '../../src/platform/settings/units.js';
import { newAdministrator } from '../support/administrator.js';
import type { AuthenticatorApp } from '../support/authenticator-app.js';
import {
  addApp,
  codeOf,
  freshCode,
  makeAuthenticationsOld,
  offeredIn,
  recoveryCodesIn,
} from '../support/authenticator-app.js';
import { command } from '../support/command.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { linkIn, mailsTo } from '../support/mailbox.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';
import { replaceKey } from '../support/replaced-key.js';
import { startApp } from '../support/start-app.js';

const STEP = '/users/sign_in/second_factor';
const SETUP = '/users/second_factor';
const NOT_FINISHED = '/users/sign_in?done=not_finished';

describe('A second factor', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  let visitors = 0;

  afterEach(() => jest.restoreAllMocks());

  /** Each from an address of its own, because wrong codes are counted by address. */
  const visitor = () => new PageClient(running.url, { 'X-Forwarded-For': `198.51.100.${++visitors % 250}` });
  const withApp = async (): Promise<SignedInUser & AuthenticatorApp> => {
    const member = await newSignedInUser(running);
    return { ...member, ...(await addApp(member.pageClient)) };
  };
  const atStep = async (email: string, pageClient = visitor()) => {
    const { status, headers } = await pageClient.signIn(email);
    expect([status, headers.get('location')]).toEqual([303, STEP]);
    return pageClient;
  };
  const kindsAbout = async (id: string) =>
    (await running.dataSource.manager.findBy(InstanceAuditEntry, { subjectId: id })).map(({ kind }) => kind);

  describe('in signing in', () => {
    it('is asked for after the password, and until then nobody is signed in (C10)', async () => {
      const owner = await withApp();
      const pageClient = await atStep(owner.email);

      for (const path of ['/users/edit', '/users/token', '/pushes', SETUP, '/admin']) {
        const { status, headers } = await pageClient.get(path);
        expect([path, status]).toEqual([path, 303]);
        expect(headers.get('location')).toContain('/users/sign_in?next=');
      }
      expect((await pageClient.get('/')).body).not.toContain(owner.email);
      const page = await pageClient.get(STEP);
      expect(page.status).toBe(200);
      expect(page.headers.get('cache-control')).toContain('no-store, no-transform');

      const code = await codeOf(owner.secret, 1);
      const done = await pageClient.post(STEP, {
        code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
        next: '/users/edit',
      });
      expect([done.status, done.headers.get('location')]).toEqual([303, '/users/edit']);
      expect(await pageClient.isSignedIn()).toBe(true);
      expect(pageClient.cookies).not.toContain('second-factor');
    });

    it('is not asked for after a wrong password, which looks the same with one as without (B6)', async () => {
      const [owner, member] = [await withApp(), await newSignedInUser(running)];
      const responses = [
        await visitor().signIn(owner.email, 'wrong'),
        await visitor().signIn(member.email, 'wrong'),
        await visitor().signIn(`${randomUUID()}@example.org`, 'wrong'),
      ];

      const shown = responses.map(({ status, headers, body }, i) => {
        const email = [owner.email, member.email, /value="([^"]+@example\.org)"/.exec(body)?.[1]][i] ?? '';
        return [status, headers.getSetCookie(), body.replaceAll(email, '')];
      });
      expect(shown[1]).toEqual(shown[0]);
      expect(shown[2]).toEqual(shown[0]);
      expect(shown[0]?.[0]).toBe(422);
    });

    it('leads on to the page that was asked for, and to no other site (D5)', async () => {
      const owner = await withApp();
      const pageClient = visitor();
      const fields = { email: owner.email, password: PASSWORD, next: '/users/token' };
      const asked = (await pageClient.post('/users/sign_in', fields)).headers.get('location') ?? '';
      expect(asked).toBe(`${STEP}?next=%2Fusers%2Ftoken`);
      expect((await pageClient.get(asked)).body).toContain('name="next" value="/users/token"');

      const done = await pageClient.post(STEP, {
        code: await codeOf(owner.secret, 1),
        next: '//evil.example/users/token',
      });
      expect(done.headers.get('location')).toBe('/pushes');
    });

    it('accepts a code once, also when it is sent eight times at once to two processes (B5)', async () => {
      const owner = await withApp();
      const other = await forThisTest(
        startApp({ TRUSTED_PROXIES: '127.0.0.1' }, { instance: running.instance }),
      );
      const clients = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          atStep(
            owner.email,
            new PageClient((i % 2 === 0 ? running : other).url, {
              'X-Forwarded-For': `203.0.113.${i + 1}`,
            }),
          ),
        ),
      );
      const code = await codeOf(owner.secret, 1);
      const next = clients.values();
      const answers = await allAtOnce(8, () => (next.next().value as PageClient).post(STEP, { code }));

      expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(7).fill(422)]);
      expect((await (await atStep(owner.email)).post(STEP, { code })).status).toBe(422);
    });

    it.each([
      ['of the step before', -1, true],
      ['of the step after', 1, true],
      ['of two steps before', -2, false],
      ['of two steps after', 2, false],
    ])('accepts a code %s: %s → %s', async (_, steps, isAccepted) => {
      const owner = await withApp();
      await freshCode(running, owner, owner.secret);
      const { id } = owner;
      const user = await running.dataSource.manager.findOneByOrFail(User, { id });
      const now = new Date(Math.floor(Date.now() / (30 * SECOND_MS)) * 30 * SECOND_MS + 15 * SECOND_MS);
      const code = await codeOf(owner.secret, steps, now);

      const checks = running.app.get(SecondFactorChecks);
      expect(await checks.verify(user, code, '192.0.2.9', now)).toBe(isAccepted);
    });

    it('accepts codes again after the clock was set back', async () => {
      const owner = await withApp();
      const ahead = Math.floor(Date.now() / SECOND_MS / 30) + 2880;
      await running.dataSource.manager.update(Authenticator, { userId: owner.id }, { lastStep: ahead });
      const pageClient = await atStep(owner.email);

      expect((await pageClient.post(STEP, { code: await codeOf(owner.secret) })).status).toBe(303);
    });

    it('makes who tries wrong codes wait, as with passwords, also across processes (B4)', async () => {
      const owner = await withApp();
      const other = await forThisTest(
        startApp({ TRUSTED_PROXIES: '127.0.0.1' }, { instance: running.instance }),
      );
      const from = { 'X-Forwarded-For': '192.0.2.77' };
      const here = await atStep(owner.email, new PageClient(running.url, from));
      const there = await atStep(owner.email, new PageClient(other.url, from));
      for (const client of [here, there, here, there, here])
        expect((await client.post(STEP, { code: '000000' })).status).toBe(422);

      const { status, headers, body } = await there.post(STEP, { code: await codeOf(owner.secret, 1) });
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body).toContain('Too many wrong codes.');
      expect(await kindsAbout(owner.id)).toEqual(expect.arrayContaining(['second_factor_failed']));
    });

    it.each([
      ['nothing', ''],
      ['letters', 'abcdef'],
      ['a long text', '1'.repeat(10_000)],
      ['digits of another script', '١٢٣٤٥٦'],
      ['markup', '<b>123456</b>'],
      ['a null byte', '12345\0'],
    ])('refuses %s', async (_, code) => {
      const pageClient = await atStep((await withApp()).email);
      const { status, body } = await pageClient.post(STEP, { code });

      expect(status).toBe(422);
      expect(body).not.toContain('<b>');
      expect(await pageClient.isSignedIn()).toBe(false);
    });

    it('ends after ten minutes, and does not accept another state of ours, an altered or a forged one', async () => {
      const owner = await withApp();
      const pageClient = await atStep(owner.email);
      const [, state = ''] = /second-factor=([^;]+)/.exec(pageClient.cookies) ?? [];
      const { app } = running;
      const request = { headers: { cookie: `sealpush-second-factor=${state}` }, protocol: 'http' } as never;
      const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);
      const pending = app.get(PendingSignIns);
      expect(await pending.of(request, inMinutes(9))).toMatchObject({ user: { id: owner.id } });
      expect(await pending.of(request, inMinutes(10))).toBeUndefined();

      const states = app.get(SignInStates);
      const content = { userId: owner.id, password: '' };
      const forged = [
        states.seal('authenticator', content, inMinutes(1)),
        states.seal('sealpush-second-factor', content, inMinutes(1)), // of another password
        `${state.slice(0, -4)}AAAA`,
        state.split('.')[0] ?? '',
        `${randomUUID()}.${state.split('.')[1]}`,
        'x'.repeat(3000),
      ];
      for (const cookie of forged) {
        const answer = await running.anonymous
          .with({ Cookie: `sealpush-second-factor=${cookie}`, 'Sec-Fetch-Site': 'same-origin' })
          .send('POST', STEP, new URLSearchParams({ code: await codeOf(owner.secret, 1) }));
        expect([answer.status, answer.headers.get('location')]).toEqual([303, NOT_FINISHED]);
      }
    });

    it('ends when the password changes or the account is disabled (D3)', async () => {
      const administration = running.app.get(AccountAdministration);
      for (const change of ['password', 'disable']) {
        const owner = await withApp();
        const pageClient = await atStep(owner.email);
        const user = await administration.find(owner.email);
        if (change === 'password') await administration.setPassword(user, 'nine tall blue mountains');
        else await administration.disable(user);

        const { headers } = await pageClient.post(STEP, { code: await codeOf(owner.secret, 1) });
        expect(headers.get('location')).toBe(NOT_FINISHED);
        expect(await pageClient.isSignedIn()).toBe(false);
      }
    });

    it('says that it has ended, and keeps the page to go to', async () => {
      const pageClient = visitor();
      const to = `${NOT_FINISHED}&next=%2Fusers%2Ftoken`;
      const { headers } = await pageClient.post(STEP, { code: '000000', next: '/users/token' });
      expect(headers.get('location')).toBe(to);
      expect((await pageClient.get(`${STEP}?next=/users/token`)).headers.get('location')).toBe(to);
      const { body } = await pageClient.get(to);
      expect(body).toContain('You did not finish signing in within ten minutes');
      expect(body).toContain('name="next" value="/users/token"');
    });
  });

  describe('that is an authenticator app', () => {
    it('is added with its code; all other browsers are signed out, and the secret is stored sealed (J1)', async () => {
      const member = await newSignedInUser(running);
      const elsewhere = visitor();
      await elsewhere.signIn(member.email);
      const { secret } = await addApp(member.pageClient);

      expect(await member.pageClient.isSignedIn()).toBe(true);
      expect(await elsewhere.isSignedIn()).toBe(false);
      const row = await running.dataSource.manager.findOneByOrFail(Authenticator, { userId: member.id });
      expect(row.sealed.includes(Buffer.from(secret))).toBe(false);
      expect((await member.pageClient.get(SETUP)).body).not.toContain(secret);
      expect(await kindsAbout(member.id)).toEqual(expect.arrayContaining(['second_factor_added']));
    });

    it('is not added without a right code, and shows the same secret again', async () => {
      const { pageClient, email } = await newSignedInUser(running);
      const { secret, state } = offeredIn((await pageClient.get(SETUP)).body);
      const refused = await pageClient.post(`${SETUP}/authenticator`, { state, new_code: '000000' });

      expect(refused.status).toBe(422);
      expect(offeredIn(refused.body).secret).toBe(secret);
      expect((await visitor().signIn(email)).headers.get('location')).toBe('/pushes');
    });

    it('is not added with the state of another account, and not twice', async () => {
      const [member, other] = [await newSignedInUser(running), await newSignedInUser(running)];
      const theirs = offeredIn((await other.pageClient.get(SETUP)).body);
      const path = `${SETUP}/authenticator`;
      const stolen = { state: theirs.state, new_code: await codeOf(theirs.secret) };
      expect((await member.pageClient.post(path, stolen)).status).toBe(422);

      const { secret, state } = offeredIn((await member.pageClient.get(SETUP)).body);
      const fields = { state, new_code: await codeOf(secret) };
      const answers = await allAtOnce(4, () => member.pageClient.post(path, fields));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
      for (const { body } of answers.filter(({ status }) => status === 422))
        expect(body).toContain('Your account has an authenticator app already. If you have not seen');
      expect(await running.dataSource.manager.countBy(Authenticator, { userId: member.id })).toBe(1);
      expect(await running.dataSource.manager.countBy(RecoveryCode, { userId: member.id })).toBe(10);
    });

    it('is removed with its recovery codes, and then the password is enough', async () => {
      const owner = await withApp();
      const elsewhere = await atStep(owner.email);
      await elsewhere.post(STEP, { code: await codeOf(owner.secret, 1) });
      const { headers } = await owner.pageClient.post(`${SETUP}/authenticator/remove`);

      expect(headers.get('location')).toBe(`${SETUP}?done=removed`);
      expect(await elsewhere.isSignedIn()).toBe(false);
      expect((await visitor().signIn(owner.email)).headers.get('location')).toBe('/pushes');
      expect(await running.dataSource.manager.countBy(RecoveryCode, { userId: owner.id })).toBe(0);
    });
  });

  it('that is added or removed while the password is checked needs another sign-in', async () => {
    const signIns = running.app.get(SignInsService);
    const member = await newSignedInUser(running);
    const find = () => running.dataSource.manager.findOneByOrFail(User, { id: member.id });
    const checked = await find();
    await addApp(member.pageClient);
    await expect(signIns.begin(checked)).rejects.toBeInstanceOf(SignInNeeded);

    const pageClient = await atStep(member.email);
    await running.app.get(SecondFactorsService).reset(await find());
    expect((await pageClient.get(STEP)).headers.get('location')).toBe(NOT_FINISHED);
  });

  it('is changed by no request whose session has ended since it began (D1)', async () => {
    const owner = await withApp();
    const { manager } = running.dataSource;
    const user = await manager.findOneByOrFail(User, { id: owner.id });
    const session = await manager.findOneByOrFail(Session, { userId: owner.id });
    await owner.pageClient.post('/users/sign_out_everywhere');
    const factors = running.app.get(SecondFactorsService);
    const change = { user, session };

    await expect(factors.removeAuthenticator(change)).rejects.toBeInstanceOf(SignInNeeded);
    await expect(factors.renewRecoveryCodes(change)).rejects.toBeInstanceOf(SignInNeeded);
    const insert = jest.fn();
    await expect(factors.add(change, insert)).rejects.toBeInstanceOf(SignInNeeded);
    expect(insert).not.toHaveBeenCalled();
  });

  describe('that was lost', () => {
    it('is replaced by a recovery code, each once, in any spelling', async () => {
      const owner = await withApp();
      const [first = '', second = ''] = owner.recoveryCodes;
      expect(new Set(owner.recoveryCodes).size).toBe(10);
      const rows = await running.dataSource.manager.findBy(RecoveryCode, { userId: owner.id });
      expect(JSON.stringify(rows)).not.toContain(first.replaceAll('-', ''));

      const clients = await Promise.all([atStep(owner.email), atStep(owner.email)]);
      const next = clients.values();
      const answers = await allAtOnce(2, () => (next.next().value as PageClient).post(STEP, { code: first }));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
      const again = await atStep(owner.email);
      const spelled = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
      expect((await again.post(STEP, { code: spelled })).status).toBe(303);
      expect((await again.get(SETUP)).body).toContain('8 recovery codes are left.');
      expect(await kindsAbout(owner.id)).toEqual(expect.arrayContaining(['recovery_code_used']));
    });

    it('has no use for the codes of another account, or for those from before they were renewed', async () => {
      const [owner, other] = [await withApp(), await withApp()];
      const renewed = await owner.pageClient.post(`${SETUP}/recovery_codes`);
      expect(recoveryCodesIn(renewed.body)).toHaveLength(10);

      const pageClient = await atStep(owner.email);
      const codes = [owner.recoveryCodes[0], other.recoveryCodes[0], recoveryCodesIn(renewed.body)[0]];
      const statuses: number[] = [];
      for (const code of codes) statuses.push((await pageClient.post(STEP, { code: code ?? '' })).status);
      expect(statuses).toEqual([422, 422, 303]);
    });

    it('is removed by an administrator or a command, which signs the account out', async () => {
      const administrator = await newAdministrator(running);
      for (const by of ['administrator', 'command']) {
        const owner = await withApp();
        if (by === 'administrator') {
          const path = `/admin/accounts/${owner.id}`;
          expect((await administrator.pageClient.get(path)).body).toContain('Remove the second factor');
          const done = await administrator.pageClient.post(`${path}/reset_second_factor`, {
            password: PASSWORD,
          });
          expect((await administrator.pageClient.get(done.headers.get('location') ?? '')).body).toContain(
            'The second factor was removed.',
          );
        } else {
          const { stdout, code } = await command(running.instance, ['user:reset-second-factor', owner.email]);
          expect([code, JSON.parse(stdout)]).toEqual([0, { email: owner.email, second_factor: false }]);
        }
        expect(await owner.pageClient.isSignedIn()).toBe(false);
        expect((await visitor().signIn(owner.email)).headers.get('location')).toBe('/pushes');
        expect(await kindsAbout(owner.id)).toEqual(expect.arrayContaining(['second_factor_reset']));
      }
    });
  });

  it('is not removed from an account that has none, whose sessions stay', async () => {
    const member = await newSignedInUser(running);
    const { stderr, code } = await command(running.instance, ['user:reset-second-factor', member.email]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The account has no second factor.')]);
    expect(await member.pageClient.isSignedIn()).toBe(true);
    expect(await kindsAbout(member.id)).not.toContain('second_factor_reset');
  });

  describe('whose last reauthentication is more than ten minutes old', () => {
    const FORMS: [string, Record<string, string>][] = [
      ['/users/edit/email', { email: 'new@example.org', password: PASSWORD }],
      ['/users/edit/password', { new_password: 'nine tall blue mountains', password: PASSWORD }],
      ['/users/edit/delete', { password: PASSWORD }],
      ['/users/token', { name: 'robot' }],
      [`${SETUP}/authenticator/remove`, {}],
      [`${SETUP}/recovery_codes`, {}],
    ];

    it.each(FORMS)('is asked for again by %s', async (path, fields) => {
      const owner = await withApp();
      await makeAuthenticationsOld(running, owner);
      const page = path.startsWith('/users/edit') ? '/users/edit' : path.startsWith(SETUP) ? SETUP : path;
      expect((await owner.pageClient.get(page)).body).toContain('name="code"');
      for (const code of ['', '000000']) {
        const refused = await owner.pageClient.post(path, { ...fields, code });
        expect(refused.status).toBe(422);
        expect(refused.body).toContain('This code is wrong, has been used or is too old.');
      }
      const code = await freshCode(running, owner, owner.secret);
      const email = `${randomUUID()}@example.org`;
      const done = await owner.pageClient.post(path, {
        ...fields,
        ...('email' in fields && { email }),
        code,
      });
      expect([201, 303]).toContain(done.status);
      if (!path.includes('delete'))
        expect((await owner.pageClient.get(page)).body).not.toContain('name="code"');
    });

    it('is asked for again by what gives rights to others', async () => {
      const administrator = await newAdministrator(running);
      const { secret } = await addApp(administrator.pageClient);
      const other = await newSignedInUser(running);
      await makeAuthenticationsOld(running, administrator);
      const promote = (code: string) =>
        administrator.pageClient.post(`/admin/accounts/${other.id}/promote`, { password: PASSWORD, code });

      expect((await promote('')).status).toBe(422);
      expect((await promote(await freshCode(running, administrator, secret))).status).toBe(303);
    });

    it('does not replace the password where that is asked for, nor the other way round', async () => {
      const owner = await withApp();
      await makeAuthenticationsOld(running, owner);
      const code = await freshCode(running, owner, owner.secret);
      const noPassword = await owner.pageClient.post('/users/edit/delete', { code });
      expect(noPassword.body).toContain('Wrong password.');
      const token = await owner.pageClient.post('/users/token', { name: 'robot', password: PASSWORD });
      expect(token.status).toBe(422);
    });

    it('is the password for an account without one, for a token and for the first app', async () => {
      const member = await newSignedInUser(running);
      await makeAuthenticationsOld(running, member);
      const { secret, state } = offeredIn((await member.pageClient.get(SETUP)).body);
      const fields = { state, new_code: await codeOf(secret) };
      const path = `${SETUP}/authenticator`;
      expect((await member.pageClient.post('/users/token', { name: 'robot' })).status).toBe(422);
      expect((await member.pageClient.post(path, fields)).status).toBe(422);
      expect((await member.pageClient.post(path, { ...fields, password: PASSWORD })).status).toBe(201);
    });
  });
});

describe('Replacing the master key', () => {
  it('keeps authenticator apps, which no longer need the old one', async () => {
    const { made, later } = await replaceKey(async (before) => {
      const owner = await newSignedInUser(before);
      return { ...owner, ...(await addApp(owner.pageClient)) };
    });
    const pageClient = new PageClient(later.url);
    await pageClient.signIn(made.email);

    expect((await pageClient.post(STEP, { code: await codeOf(made.secret, 1) })).status).toBe(303);
  });
});

describe('An instance that requires a second factor', () => {
  const running = forAllTests(() => startApp({ REQUIRE_SECOND_FACTOR: 'everyone' }));

  it('lets an account without one do nothing on the pages but set it up, and open links', async () => {
    const { pageClient } = await newSignedInUser(running);
    const { token, client } = await running.newUser();
    expect(token).not.toBe('');
    const push = await client.post('/api/v2/pushes', { push: { payload: 'for everyone' } });
    for (const path of ['/', '/pushes', '/users/edit', '/users/token']) {
      const { status, headers } = await pageClient.get(path);
      expect([path, status, headers.get('location')]).toEqual([path, 303, SETUP]);
    }
    const token2 = await pageClient.post('/users/token', { name: 'robot' });
    expect(token2.headers.get('location')).toBe(SETUP);
    expect((await pageClient.post(`/p/${push.body.url_token}`)).body).toContain('for everyone');
    expect((await pageClient.get(SETUP)).body).toContain('This site requires a second factor.');
    expect((await pageClient.post('/users/sign_out')).headers.get('location')).toContain('done=signed_out');
  });

  it('refuses API tokens of an account with a password and without one, until it has one', async () => {
    const { pageClient, email } = await newSignedInUser(running);
    const user = await running.dataSource.manager.findOneByOrFail(User, { email });
    const token = await running.app.get(TokensService).create(user, { name: 'robot' });
    const client = running.anonymous.with({ Authorization: `Bearer ${token}` });
    const refused = await client.get('/api/v2/pushes/active');
    expect(refused).toMatchObject({
      status: 403,
      body: { error: 'This account must set up a second factor on the pages first.' },
    });

    await addApp(pageClient);
    expect((await client.get('/api/v2/pushes/active')).status).toBe(200);
    expect((await pageClient.get('/users/edit')).status).toBe(200);
  });

  it('may require it of administrators alone', async () => {
    const limited = await forThisTest(
      startApp({ REQUIRE_SECOND_FACTOR: 'administrators' }, { instance: running.instance }),
    );
    const [member, administrator] = [await newSignedInUser(limited), await newAdministrator(limited)];
    expect((await member.pageClient.get('/users/edit')).status).toBe(200);
    expect((await administrator.pageClient.get('/admin')).headers.get('location')).toBe(SETUP);
    await addApp(administrator.pageClient);
    expect((await administrator.pageClient.get('/admin')).status).toBe(200);
  });
});

describe('A second factor on an instance that sends mail', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp(server.env));

  it('is announced to its owner when it is added, removed, or a recovery code is used, without a secret (H1)', async () => {
    const owner = await newSignedInUser(running);
    await running.app.get(DataSource).manager.update(User, { id: owner.id }, { emailUnverified: false });
    const { secret, recoveryCodes } = await addApp(owner.pageClient);
    const pageClient = new PageClient(running.url);
    await pageClient.signIn(owner.email);
    await pageClient.post(STEP, { code: recoveryCodes[0] ?? '' });
    await pageClient.post(`${SETUP}/authenticator/remove`);

    const mails = await mailsTo(running, server, owner.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'New second factor of your account',
      'A recovery code of your account was used',
      'New browser in your account',
      'A second factor of your account was removed',
    ]);
    for (const text of [secret, ...recoveryCodes]) expect(JSON.stringify(mails)).not.toContain(text);
  });

  it('of who signed up with the address of another ends when that one takes the account over (L12)', async () => {
    const squatter = await newSignedInUser(running);
    await addApp(squatter.pageClient);
    await new PageClient(running.url).post('/users/password', { email: squatter.email });
    const [mail] = await mailsTo(running, server, squatter.email);
    const password = 'nine tall blue mountains';
    const owner = new PageClient(running.url);
    await owner.post(linkIn(mail), { new_password: password, new_password_repeat: password });

    expect((await owner.signIn(squatter.email, password)).headers.get('location')).toBe('/pushes');
    expect(await running.dataSource.manager.countBy(RecoveryCode, { userId: squatter.id })).toBe(0);
  });
});

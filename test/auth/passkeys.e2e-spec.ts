import { Passkey } from '../../src/auth/entities/passkey.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { PasskeysService } from '../../src/auth/second-factor/passkeys.service.js';
import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import {
  codeOf,
  freshCode,
  makeAuthenticationsOld,
  addApp,
  recoveryCodesIn,
} from '../support/authenticator-app.js';
import { InstanceAuditEntry } from '../../src/platform/instance-audit/instance-audit-entry.entity.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';
import { SoftAuthenticator } from '../support/soft-authenticator.js';
import { startApp } from '../support/start-app.js';

const STEP = '/users/sign_in/second_factor';
const SETUP = '/users/second_factor';
const NEW = `${SETUP}/passkey/new`;
const SIGN_IN = '/users/sign_in/passkey';

interface Asked {
  options: { challenge: string; rpId?: string; rp: { id: string }; allowCredentials?: object[] };
  state: string;
}

describe('A passkey', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  let visitors = 0;

  const visitor = () => new PageClient(running.url, { 'X-Forwarded-For': `198.51.100.${++visitors % 250}` });
  /** The same browser at a host name: at an IP address the pages offer no passkeys. */
  const atName = ({ cookies }: PageClient) =>
    new PageClient(running.url.replace('127.0.0.1', 'localhost'), { Cookie: cookies });
  const ask = async (pageClient: PageClient, path: string): Promise<Asked> => {
    const { status, body } = await pageClient.get(path);
    expect(status).toBe(200);
    return body as unknown as Asked;
  };
  const add = async (
    pageClient: PageClient,
    name = '',
    changes: Parameters<SoftAuthenticator['create']>[1] = {},
  ) => {
    const authenticator = new SoftAuthenticator(running.url);
    const { options, state } = await ask(pageClient, NEW);
    const fields = { passkey: authenticator.create(options, changes), passkey_state: state, name };
    return { authenticator, answer: await pageClient.post(`${SETUP}/passkeys`, fields) };
  };
  const withPasskey = async (): Promise<SignedInUser & { authenticator: SoftAuthenticator }> => {
    const member = await newSignedInUser(running);
    const { authenticator, answer } = await add(member.pageClient);
    expect([answer.status, recoveryCodesIn(answer.body)]).toMatchObject([201, { length: 10 }]);
    return { ...member, authenticator };
  };
  const rowOf = ({ id }: { id: string }) => running.dataSource.manager.findOneBy(Passkey, { userId: id });

  const failuresOf = ({ id }: { id: string }) =>
    running.dataSource.manager.countBy(InstanceAuditEntry, { subjectId: id, kind: 'second_factor_failed' });

  describe('alone', () => {
    it('signs its owner in without password or code, and the session counts as proven', async () => {
      const owner = await withPasskey();
      const pageClient = visitor();
      const { options, state } = await ask(pageClient, SIGN_IN);
      expect(options.allowCredentials).toBeUndefined();
      const fields = { passkey: owner.authenticator.get(options), passkey_state: state, next: '/users/edit' };
      const { headers } = await pageClient.post(SIGN_IN, fields);

      expect(headers.get('location')).toBe('/users/edit');
      expect((await pageClient.get('/users/edit')).body).toContain(owner.email);
      expect((await pageClient.post('/users/token', { name: 'robot' })).status).toBe(201);
      expect((await rowOf(owner))?.lastUsedAt).not.toBeNull();
    });

    it('is accepted once for each challenge, also when it is sent five times at once', async () => {
      const owner = await withPasskey();
      const { options, state } = await ask(visitor(), SIGN_IN);
      const fields = { passkey: owner.authenticator.get(options), passkey_state: state };
      const answers = await allAtOnce(5, () => visitor().post(SIGN_IN, fields));

      expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422, 422]);
      expect((await visitor().post(SIGN_IN, fields)).body).toContain('The passkey was not accepted.');
    });

    it.each<[string, Parameters<SoftAuthenticator['get']>[1]]>([
      ['another origin', { origin: 'https://evil.example' }],
      ['another host', { rpId: 'evil.example' }],
      ['a challenge of somebody else', { challenge: 'AAAA' }],
      ['the answer to another question', { type: 'webauthn.create' }],
      ['nobody verified', { isUserVerified: false }],
      ['a frame in a page of another site', { crossOrigin: true }],
      ['such a page', { topOrigin: 'https://evil.example' }],
    ])('is refused with %s', async (_, changes) => {
      const owner = await withPasskey();
      const pageClient = visitor();
      const { options, state } = await ask(pageClient, SIGN_IN);
      const fields = { passkey: owner.authenticator.get(options, changes), passkey_state: state };

      expect((await pageClient.post(SIGN_IN, fields)).status).toBe(422);
      expect(await pageClient.isSignedIn()).toBe(false);
    });

    it('is refused with another key, an unknown id, a state of another kind, or anything else', async () => {
      const owner = await withPasskey();
      const pageClient = visitor();
      const { options, state } = await ask(pageClient, SIGN_IN);
      const right = owner.authenticator.get(options);
      const stranger = new SoftAuthenticator(running.url).get(options);
      const { id, rawId } = JSON.parse(right) as { id: string; rawId: string };
      const forNew = await ask(owner.pageClient, NEW);
      const forOwner = await ask(owner.pageClient, `${SETUP}/passkey`);
      const attempts: [string, string][] = [
        [JSON.stringify({ ...JSON.parse(stranger), id, rawId }), state],
        [stranger, state],
        [owner.authenticator.get(forNew.options), forNew.state],
        [owner.authenticator.get(forOwner.options), forOwner.state],
        [right, 'forged'],
        [right, ''],
        ['', state],
        ['null', state],
        ['[]', state],
        ['{"id":7}', state],
        [`{"id":${'['.repeat(500)}`, state],
        [JSON.stringify({ ...JSON.parse(right), response: null }), state],
        [JSON.stringify({ ...JSON.parse(right), response: { clientDataJSON: '\0' } }), state],
      ];
      for (const [passkey, passkey_state] of attempts) {
        const { status, headers } = await pageClient.post(SIGN_IN, { passkey, passkey_state });
        expect([passkey.slice(0, 40), status, headers.getSetCookie()]).toEqual([
          passkey.slice(0, 40),
          422,
          [],
        ]);
      }
      expect((await pageClient.post(SIGN_IN, { passkey: right, passkey_state: state })).status).toBe(303);
    });

    it('makes who sends wrong answers wait, and records them, but not those of unknown ones (B4)', async () => {
      const owner = await withPasskey();
      const pageClient = visitor();
      const post = async (authenticator: SoftAuthenticator, changes = {}) => {
        const { options, state } = await ask(pageClient, SIGN_IN);
        const fields = { passkey: authenticator.get(options, changes), passkey_state: state };
        return pageClient.post(SIGN_IN, fields);
      };
      const stranger = new SoftAuthenticator(running.url);
      for (let i = 0; i < 6; i++) expect((await post(stranger)).status).toBe(422);
      expect((await post(owner.authenticator)).status).toBe(303);
      for (let i = 0; i < 5; i++)
        expect((await post(owner.authenticator, { challenge: 'AAAA' })).status).toBe(422);

      expect((await post(owner.authenticator)).status).toBe(429);
      expect(await failuresOf(owner)).toBe(5);
    });

    it('is refused when its counter goes back, as that of a copy does', async () => {
      const owner = await withPasskey();
      const use = async (counter: number) => {
        owner.authenticator.counter = counter;
        const { options, state } = await ask(visitor(), SIGN_IN);
        const fields = { passkey: owner.authenticator.get(options), passkey_state: state };
        return (await visitor().post(SIGN_IN, fields)).status;
      };
      expect([await use(4_000_000_000), await use(7), await use(4_000_000_001)]).toEqual([303, 422, 303]);
    });

    it('is accepted again after the clock was set back, the second time', async () => {
      const owner = await withPasskey();
      const ahead = new Date(Date.now() + DAY_MS);
      await running.dataSource.manager.update(Passkey, { userId: owner.id }, { challengedAt: ahead });
      const use = async () => {
        const { options, state } = await ask(visitor(), SIGN_IN);
        const fields = { passkey: owner.authenticator.get(options), passkey_state: state };
        return (await visitor().post(SIGN_IN, fields)).status;
      };
      await use();
      expect(await use()).toBe(303);
    });

    it('does not sign in to a disabled account (D3)', async () => {
      const owner = await withPasskey();
      const administration = running.app.get(AccountAdministration);
      await administration.disable(await administration.find(owner.email));
      const { options, state } = await ask(visitor(), SIGN_IN);
      const fields = { passkey: owner.authenticator.get(options), passkey_state: state };
      expect((await visitor().post(SIGN_IN, fields)).status).toBe(422);
    });
  });

  describe('that does not work alone', () => {
    const TOLD = 'Use it after your password: it does not sign you in alone';

    it.each([
      [{ isUserVerified: false }, true],
      [{ isKept: false }, true],
      [{ isUserVerified: true, isKept: true }, false],
      [{}, false],
    ])('is told to who adds it, with the recovery codes and later: %j', async (changes, isTold) => {
      const { pageClient } = await newSignedInUser(running);
      const first = (await add(pageClient, '', changes)).answer;
      const second = (await add(pageClient, '', changes)).answer;
      const path = second.headers.get('location') ?? '';

      expect(recoveryCodesIn(first.body)).toHaveLength(10);
      expect(first.body.includes(TOLD)).toBe(isTold);
      expect((await pageClient.get(path)).body.includes(TOLD)).toBe(isTold);
    });

    it('is named to who signs in with it, and only if its signature is right', async () => {
      const owner = await newSignedInUser(running);
      const { authenticator } = await add(owner.pageClient, '', { isUserVerified: false });
      const { options, state } = await ask(visitor(), SIGN_IN);
      const post = (changes: object) => {
        const passkey = authenticator.get(options, { isUserVerified: false, ...changes });
        return visitor().post(SIGN_IN, { passkey, passkey_state: state });
      };
      const [right, wrong] = [await post({}), await post({ challenge: 'AAAA' })];

      expect([right.status, wrong.status]).toEqual([422, 422]);
      expect(right.body).toContain('Sign in with your password; you are asked for the passkey after that.');
      expect(wrong.body).toContain('The passkey was not accepted.');
      expect(await failuresOf(owner)).toBe(2);
    });
  });

  describe('as a second factor', () => {
    it('is asked for after the password, and needs nobody to be verified', async () => {
      const owner = await withPasskey();
      const pageClient = visitor();
      expect((await pageClient.signIn(owner.email)).headers.get('location')).toBe(STEP);
      const { options, state } = await ask(pageClient, `${STEP}/passkey`);
      expect(options.allowCredentials).toHaveLength(1);
      const passkey = owner.authenticator.get(options, { isUserVerified: false });
      const done = await pageClient.post(STEP, { passkey, passkey_state: state });
      expect(done.headers.get('location')).toBe('/pushes');
    });

    it('is not asked for at an IP address, where none works: a recovery code is, and the page says why', async () => {
      const owner = await withPasskey();
      const pageClient = visitor();
      await pageClient.signIn(owner.email);
      const { body } = await pageClient.get(STEP);

      expect(body).toContain('Passkeys do not work at the address of this site');
      expect(body).toContain('name="code"');
      expect(body).not.toContain('data-passkey');
      for (const path of ['/users/sign_in', SETUP])
        expect((await (path === SETUP ? owner.pageClient : visitor()).get(path)).body).not.toContain(
          'data-passkey',
        );
    });

    it('is asked for without a code where there is no app, or a recovery code is', async () => {
      const owner = await withPasskey();
      const pageClient = new PageClient(running.url.replace('127.0.0.1', 'localhost'));
      await pageClient.signIn(owner.email);
      const { body } = await pageClient.get(STEP);
      expect(body).toContain('Use your passkey');
      expect(body).toContain(`${STEP}?with=recovery_code`);
      expect(body).not.toContain('name="code"');
      const refused = await pageClient.post(STEP, { passkey: '{}', passkey_state: '' });
      expect(refused.body).toContain('The passkey was not accepted.');
      expect((await pageClient.get(`${STEP}?with=recovery_code`)).body).toContain('Recovery code');
      expect((await pageClient.post(STEP, { code: '1' })).body).toContain('Recovery code');

      await addApp(owner.pageClient); // ends what waits
      await pageClient.signIn(owner.email);
      expect((await pageClient.get(STEP)).body).toContain('name="code"');
    });

    it('is not asked for by the page of an account that has only an app', async () => {
      const owner = await newSignedInUser(running);
      await addApp(owner.pageClient);
      for (const url of [running.url, running.url.replace('127.0.0.1', 'localhost')]) {
        const pageClient = new PageClient(url);
        await pageClient.signIn(owner.email);
        const { body } = await pageClient.get(STEP);
        expect([body.includes('name="code"'), body.includes('data-passkey')]).toEqual([true, false]);
      }
    });

    it('is not that of another account, nor the state of one', async () => {
      const [owner, other] = [await withPasskey(), await withPasskey()];
      const pageClient = visitor();
      await pageClient.signIn(owner.email);
      const { options, state } = await ask(pageClient, `${STEP}/passkey`);
      const theirs = await ask(other.pageClient, `${SETUP}/passkey`);
      const attempts = [
        { passkey: other.authenticator.get(options), passkey_state: state },
        { passkey: other.authenticator.get(theirs.options), passkey_state: theirs.state },
        { passkey: owner.authenticator.get(theirs.options), passkey_state: theirs.state },
      ];
      for (const fields of attempts) expect((await pageClient.post(STEP, fields)).status).toBe(422);
    });

    it('makes who sends wrong answers wait, and records them (B4)', async () => {
      const owner = await withPasskey();
      const pageClient = visitor();
      await pageClient.signIn(owner.email);
      const post = async (changes = {}) => {
        const { options, state } = await ask(pageClient, `${STEP}/passkey`);
        const fields = { passkey: owner.authenticator.get(options, changes), passkey_state: state };
        return (await pageClient.post(STEP, fields)).status;
      };
      for (let i = 0; i < 5; i++) expect(await post({ challenge: 'AAAA' })).toBe(422);

      expect(await post()).toBe(429);
      expect(await failuresOf(owner)).toBe(5);
    });

    it('is not asked of who has not given the password (C10)', async () => {
      const { status, headers } = await visitor().get(`${STEP}/passkey`);
      expect([status, headers.get('location')?.split('?')[0]]).toEqual([303, '/users/sign_in']);
    });

    it('replaces the code where reauthentication is asked for, beside the password', async () => {
      const owner = await withPasskey();
      await makeAuthenticationsOld(running, owner);
      const { options, state } = await ask(owner.pageClient, `${SETUP}/passkey`);
      const fields = { passkey: owner.authenticator.get(options), passkey_state: state };
      const noPassword = await owner.pageClient.post('/users/edit/delete', fields);
      expect(noPassword.status).toBe(422);
      const { headers } = await owner.pageClient.post('/users/edit/delete', {
        ...fields,
        password: PASSWORD,
      });
      expect(headers.get('location')).toContain('done=deleted');
    });
  });

  it.each(['alone', 'as a second factor'])('begins no session once it was removed, %s (D1)', async (way) => {
    const owner = await withPasskey();
    await addApp(owner.pageClient);
    const pageClient = visitor();
    if (way !== 'alone') await pageClient.signIn(owner.email);
    const [from, to] = way === 'alone' ? [SIGN_IN, SIGN_IN] : [`${STEP}/passkey`, STEP];
    const { options, state } = await ask(pageClient, from);
    const fields = { passkey: owner.authenticator.get(options), passkey_state: state };
    const passkeys = running.app.get(PasskeysService);
    const verify = passkeys.verify.bind(passkeys);
    jest.spyOn(passkeys, 'verify').mockImplementationOnce(async (...given) => {
      const user = await verify(...given);
      await running.dataSource.manager.delete(Passkey, { userId: owner.id });
      return user;
    });

    const { headers } = await pageClient.post(to, fields);
    expect(headers.get('location')).toMatch(/^\/users\/sign_in/);
    expect(await pageClient.isSignedIn()).toBe(false);
  });

  describe('on the page of the account', () => {
    it('has a name, which is text, and is removed by its owner alone', async () => {
      const [owner, other] = [await newSignedInUser(running), await newSignedInUser(running)];
      await add(owner.pageClient, '<b>Telefon 🦊</b>');
      const second = await add(owner.pageClient);
      expect(second.answer.headers.get('location')).toBe(`${SETUP}?done=passkey`);
      const { body } = await owner.pageClient.get(SETUP);
      expect(body).toContain('&lt;b>Telefon 🦊&lt;/b>');
      expect(body).toContain('Passkey without a name');

      const row = await rowOf(owner);
      const path = `${SETUP}/passkeys/${row?.id}/remove`;
      await other.pageClient.post(path);
      expect(await running.dataSource.manager.countBy(Passkey, { userId: owner.id })).toBe(2);
      await owner.pageClient.post(path);
      expect(await running.dataSource.manager.countBy(Passkey, { userId: owner.id })).toBe(1);
      expect((await visitor().signIn(owner.email)).headers.get('location')).toBe(STEP);
    });

    it('says what ends with the last one, also where a second factor is required', async () => {
      const owner = await withPasskey();
      const last = 'your recovery codes end with it, and your password alone is then enough to sign in';
      expect((await owner.pageClient.get(SETUP)).body).toContain(last);
      const settings = { REQUIRE_SECOND_FACTOR: 'everyone' };
      const strict = await startApp(settings, { instance: running.instance });
      try {
        const { body } = await new PageClient(strict.url, { Cookie: owner.pageClient.cookies }).get(SETUP);
        expect(body).toContain('your recovery codes end with it, and you must set up another one to go on');
        expect(body).not.toContain(last);
      } finally {
        await strict.stop();
      }
      await add(owner.pageClient);
      expect((await owner.pageClient.get(SETUP)).body).toContain('Your other second factors stay.');
    });

    it('is refused when somebody else was asked, when it exists, and after twenty', async () => {
      const [owner, other] = [await newSignedInUser(running), await newSignedInUser(running)];
      const path = `${SETUP}/passkeys`;
      const authenticator = new SoftAuthenticator(running.url);
      const post = async (asked: Asked, changes = {}) => {
        const passkey = authenticator.create(asked.options, changes);
        return owner.pageClient.post(path, { passkey, passkey_state: asked.state, name: 'a' });
      };
      expect((await post(await ask(other.pageClient, NEW))).status).toBe(422);
      expect((await post(await ask(owner.pageClient, NEW), { origin: 'https://evil.example' })).status).toBe(
        422,
      );
      for (const framed of [{ crossOrigin: true }, { topOrigin: 'https://evil.example' }])
        expect((await post(await ask(owner.pageClient, NEW), framed)).status).toBe(422);
      expect((await post(await ask(owner.pageClient, NEW))).status).toBe(201);
      expect((await post(await ask(owner.pageClient, NEW))).body).toContain('has been added already');
      expect((await rowOf(owner))?.transports).toBe('internal');
      const unanswered = await atName(owner.pageClient).post(path, {
        passkey: '',
        passkey_state: '',
        name: 'b "c"',
      });
      expect(unanswered.body).toContain('value="b &quot;c&quot;"');

      for (let i = 1; i < 20; i++) expect((await add(owner.pageClient)).answer.status).toBe(303);
      expect((await add(owner.pageClient)).answer.body).toContain('An account can have 20 passkeys.');
    });

    it('is added after reauthentication, if the last one is old', async () => {
      const owner = await newSignedInUser(running);
      const { secret } = await addApp(owner.pageClient);
      await makeAuthenticationsOld(running, owner);
      expect((await atName(owner.pageClient).get(SETUP)).body).toContain('Confirm that it is you');
      expect((await add(owner.pageClient)).answer.status).toBe(422);
      expect((await owner.pageClient.post(`${SETUP}/proof`, { code: '000000' })).status).toBe(422);
      await owner.pageClient.post(`${SETUP}/proof`, { code: await freshCode(running, owner, secret) });
      expect((await add(owner.pageClient)).answer.status).toBe(303);
    });

    it('keeps the account protected when the app is removed', async () => {
      const owner = await newSignedInUser(running);
      const { secret } = await addApp(owner.pageClient);
      await add(owner.pageClient);
      await owner.pageClient.post(`${SETUP}/authenticator/remove`);
      const pageClient = visitor();
      expect((await pageClient.signIn(owner.email)).headers.get('location')).toBe(STEP);
      expect((await pageClient.post(STEP, { code: await codeOf(secret, 1) })).status).toBe(422);
      expect(await running.dataSource.manager.findOneBy(User, { id: owner.id })).toMatchObject({
        hasSecondFactor: true,
      });
    });
  });
});

describe('A passkey of an installation below a path', () => {
  it('is bound to the host of PUBLIC_URL, whatever the host of the request (E8)', async () => {
    const running = await forThisTest(startApp({ PUBLIC_URL: 'https://push.example.org/secrets' }));
    const { body } = await new PageClient(running.url).get(SIGN_IN);
    expect((body as unknown as Asked).options.rpId).toBe('push.example.org');
    const page = await new PageClient(running.url).get('/users/sign_in');
    expect(page.body).toContain('data-from="/secrets/users/sign_in/passkey"');
  });
});

import { randomUUID } from 'node:crypto';
import { SignInAttempt } from '../../src/auth/entities/sign-in-attempt.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { HashingQueues } from '../../src/platform/limits/hashing-queues.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PASSWORD, PageClient } from '../support/page-client.js';

const EMAIL_FAULT = 'Enter a valid email address.';
const LENGTH_FAULT = 'Use 10 to 128 characters.';
const PASSWORD_FAULT = 'Wrong password.';
const SIGN_IN_FAULT = 'The email address or password is wrong.';

/** Fields that no browser sends from our pages. */
const ODD_SHAPES: [string, (field: string) => Record<string, string>][] = [
  ['is missing', () => ({})],
  ['is a list', (field) => ({ [`${field}[]`]: 'tulip@example.org' })],
  ['is nested', (field) => ({ [`${field}[a]`]: 'tulip@example.org' })],
  ['is nested by the name of a property', (field) => ({ [`${field}[__proto__][toString]`]: 'tulip' })],
  ['has 10,000 characters', (field) => ({ [field]: 'tulip@example.org'.padEnd(10_000, 'x') })],
  ['has a null character', (field) => ({ [field]: 'a\u0000@b.org' })],
];

const newEmail = () => `${randomUUID()}@example.org`;

/** The error beside a field. */
const errorOf = (body: string, id: string) =>
  new RegExp(`id="${id}-error"><svg.*?</svg><span>([^<]*)</span>`).exec(body)?.[1]?.replaceAll('&#39;', "'");

/** The alert above a form. */
const alertOf = (body: string) => /role="alert".*?<div>([^<]*)<\/div>/.exec(body)?.[1];

const running = forAllTests(startApp);

describe('A form on a page', () => {
  const pageClient = forEachTest(() => new PageClient(running.url));

  describe.each(ODD_SHAPES)('with a field that %s', (_name, odd) => {
    it('does not sign in', async () => {
      const { email } = await newSignedInUser(running);
      for (const fields of [
        { password: PASSWORD, ...odd('email') },
        { email, ...odd('password') },
      ]) {
        const { status, body } = await pageClient.post('/users/sign_in', fields);

        expect([status, errorOf(body, 'password')]).toEqual([422, SIGN_IN_FAULT]);
        expect(body).toContain('name="next" value="/users/sign_in"'); // the choice of a language
        expect(alertOf(body)).toBeUndefined();
      }
    });

    it('creates no account', async () => {
      const email = newEmail();
      const withoutEmail = await pageClient.post('/users/sign_up', { password: PASSWORD, ...odd('email') });
      const withoutPassword = await pageClient.post('/users/sign_up', { email, ...odd('password') });

      expect([withoutEmail.status, withoutPassword.status]).toEqual([422, 422]);
      expect(errorOf(withoutEmail.body, 'email')).toBe(EMAIL_FAULT);
      expect(errorOf(withoutEmail.body, 'password')).toBeUndefined();
      expect(errorOf(withoutPassword.body, 'email')).toBeUndefined();
      expect(errorOf(withoutPassword.body, 'password')).toBe(LENGTH_FAULT);
      expect(withoutPassword.body).toContain(`value="${email}"`);
    });

    it('changes no account', async () => {
      const { pageClient: member } = await newSignedInUser(running);
      const post = (form: string, fields: Record<string, string>) =>
        member.post(`/users/edit/${form}`, fields);
      const answers = [
        await post('email', { password: PASSWORD, ...odd('email') }),
        await post('password', { password: PASSWORD, ...odd('new_password') }),
        await post('email', { email: newEmail(), ...odd('password') }),
        await post('password', { new_password: 'nine tall blue mountains', ...odd('password') }),
        await post('delete', odd('password')),
      ];
      const fields = ['email', 'new_password', 'email-password', 'password-password', 'delete-password'];

      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
      expect(answers.map(({ body }, index) => errorOf(body, fields[index] ?? ''))).toEqual([
        ...[EMAIL_FAULT, LENGTH_FAULT],
        ...[PASSWORD_FAULT, PASSWORD_FAULT, PASSWORD_FAULT],
      ]);
      for (const { body } of answers) expect(body.match(/class="error"/g)).toHaveLength(1);
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['no name', {}, 'Fill in this field.'],
    ['a list', { 'name[]': 'tulip' }, 'Fill in this field.'],
    ['a nested name', { 'name[a]': 'tulip' }, 'Fill in this field.'],
    ['a blank name', { name: ' \t\u00a0\ufeff' }, 'Fill in this field.'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'Enter at most 255 characters.'],
    ['a name of 256 characters', { name: '\u{1f331}'.repeat(256) }, 'Enter at most 255 characters.'],
  ])('creates no token with %s', async (_name, fields, error) => {
    const { pageClient: member } = await newSignedInUser(running);
    const { status, body } = await member.post('/users/token', fields);

    expect([status, errorOf(body, 'name')]).toEqual([422, error]);
    expect(body).toContain('No tokens yet.');
  });

  it('shows the existing tokens together with the error', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    await member.post('/users/token', { name: 'deploy script' });

    expect((await member.post('/users/token', { name: '' })).body).toContain('deploy script');
  });

  it.each(['passphrase[]', 'passphrase[a]'])('opens no push with a field %s', async (field) => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' });
    const { status, body } = await pageClient.post(`/p/${url_token}`, { [field]: 'horse' });

    expect(status).toBe(422);
    expect(body).toContain('name="passphrase"');
    expect(body).not.toContain('tulip');
  });

  it('shows an email address again as it was typed, but never a password', async () => {
    const typed = { email: ' Nobody@"B"', password: 'tiny <b>', next: '/users/edit' };
    for (const path of ['/users/sign_in', '/users/sign_up']) {
      const { status, body } = await pageClient.post(path, typed);

      expect(status).toBe(422);
      expect(body).toContain('value=" Nobody@&quot;B&quot;"');
      expect(body).not.toContain('tiny');
    }
    expect((await pageClient.post('/users/sign_in', typed)).body).toContain(
      'name="next" value="/users/edit"',
    );
  });

  it('shows no more of a text again than one that is accepted could have', async () => {
    const { status, body } = await pageClient.post('/users/sign_up', { email: '"'.repeat(20_000) });

    expect(status).toBe(422);
    expect(body.match(/&quot;/g)).toHaveLength(10_000);
  });

  it.each([
    ['', 'The two passwords differ. Enter both again.'],
    ['nine tall blue mountains', 'The two passwords differ. Enter both again.'],
    [PASSWORD, undefined],
  ])('takes a new password only if it is repeated; here it is repeated as %j', async (repeat, error) => {
    const { pageClient: member } = await newSignedInUser(running);
    const fields = { password: PASSWORD, new_password: PASSWORD, new_password_repeat: repeat };
    const changed = await member.post('/users/edit/password', fields);
    const emailUnverified = await pageClient.post('/users/sign_up', {
      email: newEmail(),
      password: PASSWORD,
      password_repeat: repeat,
    });

    expect([changed.status, emailUnverified.status]).toEqual(error === undefined ? [303, 303] : [422, 422]);
    expect(errorOf(changed.body, 'new_password_repeat')).toBe(error);
    expect(errorOf(emailUnverified.body, 'password_repeat')).toBe(error);
  });

  it('comes back at its field, also without scripts', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const focused = async (form: string, fields: Record<string, string>) => {
      const { body } = await member.post(`/users/edit/${form}`, fields);
      return [...body.matchAll(/<input [^>]*\bid="([^"]+)"[^>]* autofocus/g)].map(([, id]) => id);
    };

    expect(await focused('delete', { password: 'wrong' })).toEqual(['delete-password']);
    expect(await focused('email', { email: newEmail(), password: 'wrong' })).toEqual(['email-password']);
    expect(await focused('email', { email: 'nobody', password: PASSWORD })).toEqual(['email']);
    expect(await focused('password', { password: PASSWORD, new_password: 'tiny' })).toEqual(['new_password']);
    expect((await member.get('/users/edit')).body).not.toContain('autofocus');
  });

  it('reports all its errors at once', async () => {
    const { body } = await pageClient.post('/users/sign_up', { email: 'nobody', password: 'tiny' });

    expect([errorOf(body, 'email'), errorOf(body, 'password')]).toEqual([EMAIL_FAULT, LENGTH_FAULT]);
  });

  it('reports beside the field that an email address is already in use', async () => {
    const [{ pageClient: member }, { email }] = [
      await newSignedInUser(running),
      await newSignedInUser(running),
    ];
    const { status, body } = await member.post('/users/edit/email', { email, password: PASSWORD });

    expect(status).toBe(422);
    expect(errorOf(body, 'email')).toBe('An account with this email address already exists.');
  });

  it('rejects a password that equals the email address, in any spelling', async () => {
    const email = newEmail();
    const signUp = await pageClient.post('/users/sign_up', {
      email: ` ${email} `,
      password: email.toUpperCase(),
    });
    const member = await newSignedInUser(running);
    const change = { password: PASSWORD, new_password: member.email.toUpperCase() };
    const changed = await member.pageClient.post('/users/edit/password', change);

    expect([signUp.status, errorOf(signUp.body, 'password')]).toEqual([
      422,
      'This password is too easy to guess.',
    ]);
    expect([changed.status, errorOf(changed.body, 'new_password')]).toEqual([
      422,
      'This password is too easy to guess.',
    ]);
  });
});

describe('The order in which a form is checked', () => {
  const member = forEachTest(() => newSignedInUser(running));

  const attempts = () => running.dataSource.manager.count(SignInAttempt);

  it('costs a hash and an attempt for each sign-in, even with an invalid email address', async () => {
    const pageClient = new PageClient(running.url);
    const queues = jest.spyOn(running.app.get(HashingQueues), 'run');
    const pages = [];
    for (const email of [member.email, newEmail(), 'nobody', 'x'.repeat(10_000), 'a\u0000@b.org']) {
      const before = await attempts();
      queues.mockClear();
      const { status, body } = await pageClient.signIn(email, 'wrong');
      pages.push([
        status,
        body.replace(` value="${email}"`, ''),
        queues.mock.calls.length,
        (await attempts()) - before,
      ]);
    }
    queues.mockRestore();

    expect(pages[0]).toMatchObject({ 0: 422, 2: 1, 3: 1 });
    for (const page of pages) expect(page).toEqual(pages[0]);
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['password', { new_password: 'tiny' }],
  ])('checks the current password first in the %s form, and counts wrong ones', async (form, fields) => {
    for (let i = 0; i < 5; i++) {
      const { status, body } = await member.pageClient.post(`/users/edit/${form}`, {
        ...fields,
        password: 'wrong',
      });

      expect([status, errorOf(body, `${form}-password`)]).toEqual([422, PASSWORD_FAULT]);
      expect(body.match(/class="error"/g)).toHaveLength(1);
    }

    const right = { ...fields, password: PASSWORD };
    expect((await member.pageClient.post(`/users/edit/${form}`, right)).status).toBe(429);
  });

  it('counts no sign-up that creates no account', async () => {
    const before = await attempts();
    await new PageClient(running.url).post('/users/sign_up', { email: 'nobody', password: PASSWORD });

    expect(await attempts()).toBe(before);
  });
});

describe('The sign-up form where sign-ups are disabled', () => {
  const running = forAllTests(() => startApp({ DISABLE_SIGNUPS: 'true' }));

  it.each<Record<string, string>>([
    {},
    { email: 'nobody' },
    { email: 'ada@example.org', password: PASSWORD },
  ])('is a 404, whatever is sent: %j', async (fields) => {
    const pageClient = new PageClient(running.url);
    const answers = [await pageClient.get('/users/sign_up'), await pageClient.post('/users/sign_up', fields)];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    for (const { body } of [...answers, await pageClient.get('/')])
      expect(body).not.toContain('/users/sign_up"');
    expect(await running.dataSource.manager.count(User)).toBe(0);
  });
});

import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import { EmailLink } from '../../src/auth/entities/email-link.entity.js';
import { EmailLinksService } from '../../src/auth/links/email-links.service.js';
import { MailLimits } from '../../src/auth/by-mail/mail-limits.js';
import { MailCount } from '../../src/auth/entities/mail-count.entity.js';
import { LinkInvalid, PasswordLinksService } from '../../src/auth/links/password-links.service.js';
import { Session } from '../../src/auth/entities/session.entity.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { WebhooksService } from '../../src/features/webhooks/webhooks.service.js';
import { newAdministrator } from '../support/administrator.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { allSent, linkIn, mailsTo } from '../support/mailbox.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PASSWORD, PageClient } from '../support/page-client.js';
import { logStatements } from '../support/recorded-statements.js';
import { startApp } from '../support/start-app.js';

const NEW_PASSWORD = 'nine tall blue mountains';
const choice = { new_password: NEW_PASSWORD, new_password_repeat: NEW_PASSWORD };
const newEmail = () => `${randomUUID()}@example.org`;
const tokenOf = (path: string) => path.split('/').at(-1) ?? '';

describe('Accounts of an instance that sends mail', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp({ ...server.env, TRUSTED_PROXIES: '127.0.0.1' }));
  let visitors = 0;

  afterEach(() => {
    jest.restoreAllMocks();
    server.received.splice(0);
  });

  /** Each from an address of its own, because requests are counted by address. */
  const visitor = (headers: Record<string, string> = {}) =>
    new PageClient(running.url, { 'X-Forwarded-For': `198.51.100.${++visitors % 250}`, ...headers });
  const member = async (): Promise<SignedInUser> => {
    const { id, email } = await newSignedInUser(running);
    const pageClient = visitor();
    await pageClient.signIn(email);
    return { id, email, pageClient };
  };
  const verified = async () => {
    const owner = await member();
    await update(owner.id, { emailUnverified: false });
    return owner;
  };
  const update = (id: string, change: Partial<User>) =>
    running.app.get(UnitOfWork).run((manager) => manager.update(User, { id }, change));
  const find = (email: string) => running.app.get(UsersService).findByEmail(email);
  const disable = async ({ email }: SignedInUser) => {
    const accounts = running.app.get(AccountAdministration);
    await accounts.disable(await accounts.find(email));
  };
  const invite = async () => {
    const email = newEmail();
    await running.app.get(PasswordLinksService).invite(email);
    return email;
  };
  const ask = (path: string, email: string) => visitor().post(path, { email });
  const mailTo = async (email: string) => (await mailsTo(running, server, email)).at(-1);
  const linkFrom = async (path: string, email: string) => {
    await ask(path, email);
    return linkIn(await mailTo(email));
  };
  const signUpLink = (email: string) => linkFrom('/users/sign_up_link', email);
  const resetLink = (email: string) => linkFrom('/users/password', email);

  describe('signing up', () => {
    it('creates the account when the password is chosen with the link, and nothing before', async () => {
      const email = newEmail();
      const page = await visitor().get('/users/sign_up');
      const asked = await ask('/users/sign_up_link', email.toUpperCase());
      const link = linkIn(await mailTo(email));

      expect(page.body).not.toContain('type="password"');
      expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('We sent an email to')]);
      expect(await find(email)).toBeNull();
      expect((await visitor().get(link)).status).toBe(200);
      expect((await visitor().get(link)).body).toContain(email);
      expect((await visitor().post(link, { ...choice, new_password: 'short' })).status).toBe(422);
      const person = visitor();
      const { headers } = await person.post(link, choice);
      expect(headers.get('location')).toBe('/pushes');
      expect((await person.get('/users/edit')).body).toContain(email);
      expect(await find(email)).toMatchObject({ emailUnverified: false, administrator: false });
      expect((await visitor().signIn(email, NEW_PASSWORD)).status).toBe(303);
      expect(await running.dataSource.manager.countBy(EmailLink, { email })).toBe(0);
    });

    it.each([
      ['/?kind=file&views=1', '/?kind=file&views=1'],
      ['/users/signed_in', '/users/signed_in'],
      ['//example.org/', '/pushes'],
      [`/?${'spam'.repeat(30)}`, '/pushes'], // nobody may have a text of theirs mailed
      ['/?kind=%22%3Emoney', '/pushes'],
    ])('leads back to the form, if that is where it began: %s', async (next, expected) => {
      const email = newEmail();
      await visitor().post('/users/sign_up_link', { email, next });
      const person = visitor();
      const link = linkIn(await mailTo(email));
      const [, kept] = /name="next" value="([^"]*)"/.exec((await person.get(link)).body) ?? [];

      expect(kept?.replaceAll('&amp;', '&')).toBe(expected);
      const { headers } = await person.post(link.replace(/\?.*/, ''), { ...choice, next: expected });
      expect(headers.get('location')).toBe(expected);
    });

    it('does not accept a password without a link', async () => {
      const email = newEmail();
      const { status } = await visitor().post('/users/sign_up', { email, password: PASSWORD });

      expect(status).toBe(404);
      expect(await find(email)).toBeNull();
    });

    it('creates one account with a link that is used by two people at once, or twice, or two links', async () => {
      const email = newEmail();
      const links = [await signUpLink(email), await signUpLink(email)];
      const answers = await allAtOnce(6, (i) => visitor().post(links[i % 2] ?? '', choice));
      const again = await visitor().post(links[0] ?? '', choice);

      expect(links[0]).not.toBe(links[1]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410, 410]);
      expect(again.status).toBe(410);
      expect(await running.dataSource.manager.countBy(User, { email })).toBe(1);
    });

    it('has links that end after a day, and leave nothing behind', async () => {
      const email = newEmail();
      const token = tokenOf(await signUpLink(email));
      const links = running.app.get(EmailLinksService);
      const later = new Date(Date.now() + DAY_MS + 1000);

      await expect(links.findForSignUp(token, later)).rejects.toBeInstanceOf(LinkInvalid);
      await expect(links.signUp(token, PASSWORD, '', later)).rejects.toBeInstanceOf(LinkInvalid);
      await links.deleteEnded(later);
      await running.app.get(MailLimits).deleteEnded(later);
      expect(await running.dataSource.manager.count(EmailLink)).toBe(0);
      expect(await running.dataSource.manager.count(MailCount)).toBe(0);
      expect(await find(email)).toBeNull();
    });

    it('does not use a link of an address that has got an account in the meantime', async () => {
      const email = newEmail();
      const link = await signUpLink(email);
      await running.app.get(PasswordLinksService).invite(email);

      expect((await visitor().post(link, choice)).status).toBe(410);
      expect(await find(email)).toMatchObject({ passwordHash: null });
    });

    it('tells the owner of a taken address how to set a new password, and nobody of a disabled one', async () => {
      const [owner, disabled] = [await member(), await member()];
      await disable(disabled);
      await ask('/users/sign_up_link', owner.email);
      await ask('/users/sign_up_link', disabled.email);
      const mail = await mailTo(owner.email);

      expect(mail?.text).toContain('https://push.example.org/users/password\n');
      expect(linkIn(mail)).toBe('');
      expect(await mailTo(disabled.email)).toBeUndefined();
    });

    it.each([
      `x@example.org\r\nBcc: eve@example.org`,
      `${'a'.repeat(300)}@example.org`,
      `x@example.org, eve@example.org`,
      '"x" <eve@example.org>',
      'x@example.org\u0000',
      '',
    ])('and resets refuse the address %j beside its field', async (email) => {
      const before = await running.dataSource.manager.count(OutboxMessage);
      for (const path of ['/users/sign_up_link', '/users/password']) {
        const { status, body } = await ask(path, email);
        expect([status, body]).toEqual([422, expect.stringContaining('id="email-error"')]);
      }

      expect(await running.dataSource.manager.count(OutboxMessage)).toBe(before);
    });
  });

  describe('a new password', () => {
    it('is set with a link that works once, within an hour, and ends all sessions', async () => {
      const { email, pageClient, id } = await verified();
      const token = await tokenFor(email);
      await ask('/users/password', ` ${email.toUpperCase()} `);
      const link = linkIn(await mailTo(email));
      const links = running.app.get(PasswordLinksService);
      const later = new Date(Date.now() + HOUR_MS + 1000);
      await expect(links.accountOf(tokenOf(link), later)).rejects.toBeInstanceOf(LinkInvalid);
      await expect(links.use(tokenOf(link), NEW_PASSWORD, '', 'en', later)).rejects.toBeInstanceOf(
        LinkInvalid,
      );

      const answers = await allAtOnce(4, () => visitor().post(link, choice));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);
      expect((await visitor().post(link, choice)).status).toBe(410);
      expect(await pageClient.isSignedIn()).toBe(false);
      expect(await running.dataSource.manager.countBy(Session, { userId: id })).toBe(0);
      expect((await visitor().signIn(email)).status).toBe(422);
      expect((await visitor().signIn(email, NEW_PASSWORD)).status).toBe(303);
      expect(await isAccepted(token)).toBe(true);
    });

    it('can be set for an account without one, and not for a disabled or unknown one', async () => {
      const invited = await invite();
      const disabled = await member();
      await disable(disabled);
      const link = await resetLink(invited);

      expect((await visitor().post(link, choice)).status).toBe(303);
      expect((await visitor().signIn(invited, NEW_PASSWORD)).status).toBe(303);
      for (const email of [disabled.email, newEmail()]) expect(await resetLink(email)).toBe('');
    });

    it('can be set while somebody else is signed in, who stays signed in', async () => {
      const [owner, other] = [await member(), await member()];
      const { headers } = await other.pageClient.post(await resetLink(owner.email), choice);

      expect(headers.get('location')).toBe('/users/sign_in?done=password_set');
      expect((await other.pageClient.get('/users/edit')).body).toContain(other.email);
      expect((await visitor().signIn(owner.email, NEW_PASSWORD)).status).toBe(303);
    });

    it('takes a squatted account from whoever signed up with the address before mail was sent (L12)', async () => {
      const squatter = await member();
      const token = await tokenFor(squatter.email);
      const other = newEmail();
      await squatter.pageClient.post('/users/edit/email', { email: other, password: PASSWORD });
      const pending = linkIn(await mailTo(other));
      const webhooks = running.app.get(WebhooksService);
      await webhooks.add(squatter.id, { url: 'https://squatter.example/', events: ['push.created'] });
      await visitor().post(await resetLink(squatter.email), choice);

      expect(await squatter.pageClient.isSignedIn()).toBe(false);
      expect((await visitor().signIn(squatter.email)).status).toBe(422);
      expect(await isAccepted(token)).toBe(false);
      expect(await webhooks.list(squatter.id)).toEqual([]);
      expect(await find(squatter.email)).toMatchObject({ id: squatter.id, emailUnverified: false });
      const owner = visitor();
      await owner.signIn(squatter.email, NEW_PASSWORD);
      expect([pending !== '', (await owner.get(pending)).status]).toEqual([true, 410]);
    });

    it('has a link whose host is never that of the request', async () => {
      const { email } = await member();
      await request(running.url)
        .post('/users/password')
        .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'Sec-Fetch-Site': 'same-origin' })
        .send(new URLSearchParams({ email }).toString());
      const mail = await mailTo(email);

      expect(linkIn(mail)).not.toBe('');
      expect(mail?.raw).not.toContain('evil');
    });

    it('is sent to the stored address, whatever look-alike was typed', async () => {
      const { email } = await member();
      const typed = `ｘ${email}`;
      await running.app
        .get(UsersService)
        .create({ email: `x${email}`, password: PASSWORD, emailUnverified: true });
      await ask('/users/password', typed);
      await ask('/users/password', `х${email}`); // Cyrillic

      expect(await mailTo(`x${email}`)).toBeDefined();
      expect(server.received.flatMap(({ recipients }) => recipients)).toEqual([`x${email}`]);
    });

    it('is mailed in the language of the request', async () => {
      const { email } = await member();
      await visitor({ 'Accept-Language': 'de' }).post('/users/password', { email });

      expect(await mailTo(email)).toMatchObject({ subject: 'Neues Passwort wählen' });
    });
  });

  describe('the email address', () => {
    const change = async ({ pageClient }: SignedInUser, email: string) =>
      pageClient.post('/users/edit/email', { email, password: PASSWORD });

    it('is replaced by a new one when the link is used, and the old one is told', async () => {
      const owner = await verified();
      const email = newEmail();
      const reset = await resetLink(owner.email);
      const asked = await change(owner, email);
      const link = linkIn(await mailTo(email));
      expect(asked.headers.get('location')).toBe('/users/edit?done=email_sent');
      expect(await find(email)).toBeNull();

      expect((await owner.pageClient.get(link)).body).toContain(email);
      const { headers } = await owner.pageClient.post(link);
      expect(headers.get('location')).toBe('/users/edit?done=email_verified');
      expect(await find(email)).toMatchObject({ id: owner.id, emailUnverified: false });
      expect((await owner.pageClient.post(link)).status).toBe(410);
      expect((await visitor().get(reset)).status).toBe(410);
      expect(await mailTo(owner.email)).toMatchObject({
        subject: 'The email address of your account was changed',
      });
    });

    it('is not replaced without the password', async () => {
      const owner = await member();
      const { status } = await owner.pageClient.post('/users/edit/email', {
        email: newEmail(),
        password: 'x',
      });

      expect(status).toBe(422);
    });

    it('is verified only by the account that asked: others, and who is not signed in, cannot use its link', async () => {
      const [squatter, victim] = [await member(), await member()];
      await squatter.pageClient.post('/users/edit/verification');
      const link = linkIn(await mailTo(squatter.email));
      const stranger = await visitor().post(link);
      const other = await victim.pageClient.post(link);

      expect(stranger.headers.get('location')).toContain('/users/sign_in');
      expect((await visitor().get(link)).headers.get('location')).toBe(
        `/users/sign_in?next=${encodeURIComponent(link)}`,
      );
      expect([other.status, (await victim.pageClient.get(link)).status]).toEqual([403, 403]);
      expect(await find(squatter.email)).toMatchObject({ emailUnverified: true });
      expect((await squatter.pageClient.post(link)).status).toBe(303);
      expect(await find(squatter.email)).toMatchObject({ emailUnverified: false });
      expect((await squatter.pageClient.get('/users/edit')).body).not.toContain('/users/edit/verification');
    });

    it('cannot be one that another account has, and only its owner learns that', async () => {
      const [owner, holder] = [await member(), await member()];
      const asked = await change(owner, holder.email);
      const free = await change(owner, newEmail());

      expect([asked.status, asked.headers.get('location')]).toEqual([
        free.status,
        free.headers.get('location'),
      ]);
      expect(await mailTo(holder.email)).toMatchObject({ subject: 'You already have an account' });
      expect(linkIn(await mailTo(holder.email))).toBe('');
    });

    it('is not taken from an account that was created in the meantime', async () => {
      const owner = await member();
      const email = newEmail();
      await change(owner, email);
      const link = linkIn(await mailTo(email));
      await running.app.get(PasswordLinksService).invite(email);
      const { status, body } = await owner.pageClient.post(link);

      expect([status, body]).toEqual([422, expect.stringContaining('already exists')]);
      expect(await find(email)).not.toMatchObject({ id: owner.id });
    });

    it('has one link at a time, used once also by two requests at once', async () => {
      const owner = await member();
      const emails = [newEmail(), newEmail()];
      const links: string[] = [];
      for (const email of emails) {
        await change(owner, email);
        links.push(linkIn(await mailTo(email)));
      }
      expect((await owner.pageClient.post(links[0] ?? '')).status).toBe(410);
      const answers = await allAtOnce(3, () => owner.pageClient.post(links[1] ?? ''));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
    });
  });

  describe('requests for mails', () => {
    beforeEach(() => jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue());
    afterEach(() => running.app.get(OutboxSender).sendDue());

    it.each(['/users/sign_up_link', '/users/password'])(
      'by %s do the same and say the same whether the address is free, taken, invited or disabled (D7)',
      async (path) => {
        const [taken, disabled] = [await member(), await member()];
        await disable(disabled);
        const emails = [newEmail(), taken.email, await invite(), disabled.email];
        const seen: unknown[] = [];
        for (const email of emails) {
          const statements: string[] = [];
          const stop = await logStatements(running.app, (sql) => statements.push(sql));
          const { status, headers, body } = await ask(path, email);
          stop();
          const [row] = await running.dataSource.manager.find(OutboxMessage, {
            order: { id: 'DESC' },
            take: 1,
          });
          const { channel, destination, kind, userId, sealed, attempts } = row ?? {};
          seen.push({
            statements,
            status,
            body: body.replaceAll(email, 'ADDRESS'),
            headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
            row: { channel, destination, kind, userId, attempts, bytes: sealed?.length },
          });
        }

        for (const one of seen) expect(one).toEqual(seen[0]);
        expect(seen[0]).toMatchObject({ status: 200, row: { userId: null } });
      },
    );

    it('are at most three an hour to an address, however many are sent at once, and the others say the same', async () => {
      const email = newEmail();
      const before = await running.dataSource.manager.count(OutboxMessage);
      const paths = ['/users/sign_up_link', '/users/password'];
      const first = await allAtOnce(12, (i) => ask(paths[i % 2] ?? '', email));
      const later = await ask('/users/password', email.toUpperCase());

      expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));
      expect(later.status).toBe(200);
      expect(await running.dataSource.manager.count(OutboxMessage)).toBe(before + 3);
      const hour = new Date(Date.now() + HOUR_MS + 1000);
      const countWithin = await running.app.get(MailLimits).counterFor(email, hour);
      expect(await running.app.get(UnitOfWork).run(countWithin)).toBe(true);
    });

    it('are at most twenty an hour from a network, which is told so, however many are sent at once', async () => {
      const before = await running.dataSource.manager.count(OutboxMessage);
      const client = new PageClient(running.url, { 'X-Forwarded-For': '203.0.113.9' });
      const answers = await allAtOnce(30, (i) =>
        client.post(i % 2 === 0 ? '/users/sign_up_link' : '/users/password', { email: newEmail() }),
      );
      const refused = answers.filter(({ status }) => status === 429);

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
      expect(refused).toHaveLength(10);
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3000);
      expect(refused[0]?.body).toContain('Too many emails were requested from your network.');
      expect(await running.dataSource.manager.count(OutboxMessage)).toBe(before + 20);
    });

    it('are at most ten times as many from all networks of an IPv6 /48', async () => {
      const limits = running.app.get(MailLimits);
      const now = new Date();
      for (let i = 0; i < 200; i++) await limits.countClient(`2001:db8:77:${(i % 20).toString(16)}::1`, now);

      await expect(limits.countClient('2001:db8:77:ff::1', now)).rejects.toThrow('too_many_mails');
      await expect(limits.countClient('2001:db8:78:ff::1', now)).resolves.toBeUndefined();
    }, 30_000);
  });

  describe('an administrator', () => {
    let admin: SignedInUser;

    beforeEach(async () => {
      const { id, email } = await newAdministrator(running);
      const pageClient = visitor({ 'Accept-Language': 'de' });
      await pageClient.signIn(email);
      admin = { id, email, pageClient };
      await update(id, { emailUnverified: false });
    });
    const act = (id: string, name: string) =>
      admin.pageClient.post(`/admin/accounts/${id}/${name}`, { password: PASSWORD });

    it('invites by a mail with the link, which the page does not show', async () => {
      const email = newEmail();
      const answer = await admin.pageClient.post('/admin/accounts', { email });
      const { id = '' } = (await find(email)) ?? {};
      const mail = await mailTo(email);

      expect(answer.headers.get('location')).toBe(`/admin/accounts/${id}?done=invite`);
      expect((await admin.pageClient.get('/admin/accounts')).body).not.toContain('keine E-Mails');
      expect(mail?.subject).toBe('Ihr Konto bei Sealpush');
      expect(mail?.text).toContain('Ein Administrator von Sealpush hat das Konto');
      expect(mail?.text).not.toContain('nicht angefordert');
      expect((await visitor().post(linkIn(mail), choice)).status).toBe(303);
      expect((await visitor().signIn(email, NEW_PASSWORD)).status).toBe(303);
      expect((await admin.pageClient.post('/admin/accounts', { email })).status).toBe(422);
    });

    it('sends a link for a new password by mail, or shows one', async () => {
      const { id, email } = await member();
      const sent = await act(id, 'send_password_link');
      const link = linkIn(await mailTo(email));
      const shown = await act(id, 'password_link');

      expect(sent.headers.get('location')).toBe(`/admin/accounts/${id}?done=send_link`);
      expect((await visitor().get(link)).status).toBe(410); // the one that is shown has replaced it
      expect([link !== '', shown.body]).toEqual([true, expect.stringContaining('/users/password/')]);
    });

    it('does not send a link to an account that is disabled before the mail is written', async () => {
      jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue();
      const { id, email } = await member();
      await act(id, 'send_password_link');
      await act(id, 'disable');
      await running.app.get(OutboxSender).sendDue();

      expect(await mailTo(email)).toBeUndefined();
    });

    it('causes a notice by making an administrator, and by disabling', async () => {
      const { id, email } = await verified();
      await act(id, 'promote');
      await act(id, 'disable');

      expect((await mailsTo(running, server, email)).map(({ subject }) => subject)).toEqual([
        'Sie sind jetzt Administrator',
        'Ihr Konto wurde gesperrt',
      ]);
    });
  });

  describe('notices', () => {
    it('are sent for a new API token and a changed password, with a link for a new one', async () => {
      const { email, pageClient } = await verified();
      const id = '018f0000-0000-7000-8000-000000000000'.replace(/0{12}$/, randomUUID().slice(-12));
      for (let i = 0; i < 2; i++) await pageClient.post('/users/token', { name: 'deploy', id });
      await pageClient.post('/users/edit/password', { password: PASSWORD, ...choice });
      const mails = await mailsTo(running, server, email);

      expect(mails.map(({ subject }) => subject)).toEqual([
        'New API token for your account',
        'Your password was changed',
      ]);
      for (const { text } of mails) expect(text).toContain('https://push.example.org/users/password\n');
    });

    it('are not sent to an address that nobody has verified, nor when nothing changed', async () => {
      const unverified = await member();
      await unverified.pageClient.post('/users/token', { name: 'deploy' });
      await unverified.pageClient.post('/users/edit/password', { password: PASSWORD, ...choice });
      const other = await verified();
      await other.pageClient.post('/users/edit/password', { password: 'wrong', ...choice });
      await other.pageClient.post('/users/token', { name: '' });

      for (const { email } of [unverified, other]) expect(await mailTo(email)).toBeUndefined();
    });

    it('tell once that a token ends that is in use, seven days before', async () => {
      const { email } = await verified();
      const user = await find(email);
      if (!user) throw new Error('no account');
      const tokens = running.app.get(TokensService);
      const create = (name: string, daysAgo: number) =>
        tokens.create(user, { name, days: 30 }, new Date(Date.now() - daysAgo * DAY_MS));
      const early = await create('early', 22.9);
      const due = await create('deploy <script>', 23.1);
      await allSent(running);
      server.received.splice(0);
      await Promise.all([early, ...Array<string>(4).fill(due)].map((token) => tokens.authenticate(token)));
      await tokens.authenticate(due, new Date(Date.now() + 2 * HOUR_MS));
      const mails = await mailsTo(running, server, email);

      expect(mails.map(({ subject }) => subject)).toEqual(['An API token of your account ends soon']);
      expect(mails[0]?.text).toContain('“deploy <script>”');
      expect(mails[0]?.text).toContain('https://push.example.org/users/token\n');
    });

    it('are not written when the change is rolled back', async () => {
      const { email } = await verified();
      const user = await find(email);
      if (!user) throw new Error('no account');
      const tokens = running.app.get(TokensService);
      const before = await running.dataSource.manager.count(OutboxMessage);
      jest.spyOn(tokens, 'createWithin').mockRejectedValue(new Error('on purpose'));
      await expect(tokens.create(user, { name: 'deploy' })).rejects.toThrow('on purpose');

      expect(await running.dataSource.manager.count(OutboxMessage)).toBe(before);
    });
  });

  const tokenFor = async (email: string) => {
    const user = await find(email);
    if (!user) throw new Error(`${email} has no account`);
    const token = await running.app.get(TokensService).create(user, { name: 'of the account' });
    await allSent(running);
    server.received.splice(0);
    return token;
  };
  const isAccepted = async (token: string) =>
    (await running.anonymous.with({ Authorization: `Bearer ${token}` }).get('/api/v2/pushes/active'))
      .status === 200;
});

describe('An instance that sends mail where strangers may not sign up', () => {
  it('offers it nowhere, and resets passwords', async () => {
    const server = await forThisTest(startMailServer());
    const running = await forThisTest(startApp({ ...server.env, DISABLE_SIGNUPS: 'true' }));
    const { email, pageClient } = await newSignedInUser(running);

    expect((await pageClient.post('/users/sign_up_link', { email: newEmail() })).status).toBe(404);
    expect((await pageClient.post('/users/password', { email })).status).toBe(200);
    expect(linkIn((await mailsTo(running, server, email))[0])).not.toBe('');
  });
});

describe('An instance whose mail server is down', () => {
  it('answers as ever, and the mail comes later, with a link that works', async () => {
    const stopped = await startMailServer();
    const port = Number(new URL(stopped.env.MAIL_URL).port);
    await stopped.stop();
    const running = await forThisTest(startApp(stopped.env));
    jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue();
    const email = newEmail();
    const visitor = new PageClient(running.url);
    const { status } = await visitor.post('/users/sign_up_link', { email });
    const sender = running.app.get(OutboxSender);
    await sender.sendDue();
    const server = await forThisTest(startMailServer({}, port));
    await sender.sendDue(undefined, () => new Date(Date.now() + HOUR_MS));

    expect(status).toBe(200);
    expect((await visitor.post(linkIn(server.received[0]), choice)).status).toBe(303);
  });
});

describe('An instance that sends no mail', () => {
  it('has none of these pages', async () => {
    const running = await forThisTest(startApp());
    const { pageClient, id } = await newSignedInUser(running);
    const admin = await newAdministrator(running);
    const token = 'a'.repeat(43);
    const paths = [
      '/users/password',
      '/users/sign_up_link',
      `/users/sign_up_link/${token}`,
      `/users/email/${token}`,
    ];
    for (const path of paths) expect((await pageClient.post(path, { email: newEmail() })).status).toBe(404);
    for (const path of paths) expect((await pageClient.get(path)).status).toBe(404);
    const sent = await admin.pageClient.post(`/admin/accounts/${id}/send_password_link`, {
      password: PASSWORD,
    });

    expect([(await pageClient.post('/users/edit/verification')).status, sent.status]).toEqual([404, 404]);
    expect((await pageClient.get('/users/edit')).body).not.toContain('verification');
    expect(await running.dataSource.manager.count(OutboxMessage)).toBe(0);
  });
});

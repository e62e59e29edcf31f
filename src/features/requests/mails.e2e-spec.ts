import { CreationPolicy } from '../../pushes/create/creation-policy.js';
import { Settings } from '../../platform/settings/settings.js';
import { User } from '../../auth/entities/user.entity.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AnswersService } from './answers.service.js';
import { OpenSecretRequestsService } from './open-requests.service.js';
import { SecretRequestRules } from './secret-request-rules.js';
import { Jobs } from '../../platform/scheduling/jobs.js';
import { SecretRequestsService } from './requests.service.js';
import { SecretRequest } from './secret-request.entity.js';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../platform/outbox/outbox-sender.js';
import { OutboxSchedule } from '../../platform/outbox/outbox.schedule.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';
import { tally } from '../../../test/support/audit-kinds.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import type { ReceivedMail } from '../../../test/support/mail-server.js';
import { startMailServer } from '../../../test/support/mail-server.js';
import { after, someVisitor } from '../../../test/support/new-pushes.js';
import { newSignedInUser, PageClient, PASSWORD } from '../../../test/support/page-client.js';
import { ageRecipient, ask, respond, newAnswer } from '../../../test/support/requests.js';
import type { SpawnedServer } from '../../../test/support/spawn-server.js';
import { spawnServer } from '../../../test/support/spawn-server.js';
import type { TestUser } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

const ENABLED = { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0', MAILS_PER_DAY: '10' };

describe('Mails about requests', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp({ ...server.env, ...ENABLED }));
  let owner: TestUser;

  beforeEach(async () => {
    await sendAll(); // what an earlier test has left
    await running.dataSource.manager.deleteAll(SecretRequest);
    await running.dataSource.manager.deleteAll(OutboxMessage);
    server.received.length = 0;
    owner = await running.newUser();
  });

  const messages = () => running.dataSource.manager.find(OutboxMessage, { order: { id: 'ASC' } });
  const sendAll = async (): Promise<ReceivedMail[]> => {
    await eventually(async () => {
      // later, because some tests add mails at a later time
      await running.app.get(OutboxSender).sendDue(undefined, () => after(new Date(), DAY_MS));
      return (await messages()).every(({ endedAt }) => endedAt !== null);
    });
    return server.received;
  };
  /** Mails of `act` wait until `sendAll`. */
  const unsent = async <T>(act: () => Promise<T>): Promise<T> => {
    const wake = jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockImplementation(() => undefined);
    try {
      return await act();
    } finally {
      wake.mockRestore();
    }
  };
  const create = (fields: object, { client } = owner) =>
    client.post('/api/v2/requests', { request: { request: 'Your key, please', ...fields } });
  const close = (urlToken: string) => owner.client.delete(`/api/v2/requests/${urlToken}`);
  const answerAt = async (urlToken: string, now: Date) => {
    const { app } = running;
    const found = await app.get(OpenSecretRequestsService).find(urlToken, {}, someVisitor(), now);
    await app.get(AnswersService).answer(found, newAnswer(app), someVisitor(), { now });
  };
  const cleanUp = (now: Date) => running.app.get(Jobs).run('requests', now);

  describe('to its owner', () => {
    it('tell of the first answer, with its time or name and how many there are', async () => {
      const [named, unnamed] = [
        await ask(owner.client, { name: 'for the shop', note: 'a note', answers: 4 }),
        await ask(owner.client),
      ];
      await respond(running.anonymous, named.url_token, 'tulip');
      const [mail, ...others] = await sendAll();

      expect(others).toEqual([]);
      expect(mail).toMatchObject({ recipients: [owner.email], subject: 'Your request was answered' });
      expect(mail?.text).toContain('“for the shop”');
      expect(mail?.text).toContain('It has 1 answer now, and takes 4 in all.');
      expect(mail?.text).toMatch(new RegExp(`^https://push.example.org/requests/answered/[\\w-]{36}$`, 'm'));
      expect(mail?.raw).not.toContain(named.url_token);
      expect(mail?.raw).not.toMatch(/tulip|a note|password of the shop/);
      await respond(running.anonymous, unnamed.url_token, 'tulip');
      const [, second] = await sendAll();
      expect(second?.text).toContain(`Your request of ${new Date(unnamed.created_at).getUTCDate()} `);
    });

    describe('have a link', () => {
      const ID = /\/requests\/answered\/([\w-]{36})$/m;
      const answered = async () => {
        const { url_token } = await ask(owner.client, { name: 'for the shop' });
        await respond(running.anonymous, url_token, 'tulip');
        const [path = '', id = ''] = ID.exec((await sendAll())[0]?.text ?? '') ?? [];
        return { urlToken: url_token, path, id };
      };

      it('that leads its owner to that request, also by the sign-in form', async () => {
        const { urlToken, path } = await answered();
        await ask(owner.client, { name: 'another one' });
        const { id: other } = await newSignedInUser(running);
        const { passwordHash } = await running.dataSource.manager.findOneByOrFail(User, { id: other });
        await running.dataSource.manager.update(User, { id: owner.id }, { passwordHash });
        const browser = new PageClient(running.url);
        const asked = await browser.get(path);
        const signIn = asked.headers.get('location') ?? '';
        const { headers } = await browser.post('/users/sign_in', {
          email: owner.email,
          password: PASSWORD,
          next: new URL(signIn, running.url).searchParams.get('next') ?? '',
        });
        const after = await browser.get(headers.get('location') ?? '');

        expect([asked.status, signIn]).toEqual([303, expect.stringMatching(/^\/users\/sign_in\?next=/)]);
        expect(headers.get('location')).toBe(path);
        expect([after.status, after.headers.get('location')]).toEqual([303, `/requests/${urlToken}`]);
        expect((await browser.get(`/requests/${urlToken}`)).body).toContain('for the shop');
      });

      it('that is a 404 to every other account, and does not tell the link of the request (C1)', async () => {
        const { path, urlToken } = await answered();
        const { pageClient: stranger } = await newSignedInUser(running);
        const { status, body, headers } = await stranger.get(path);

        expect([status, headers.get('location')]).toEqual([404, null]);
        expect(body).not.toContain(urlToken);
      });

      it.each(['x', '..%2f..%2f', '//evil.example', "'", '0'.repeat(5000), '%00'])(
        'that leads nowhere for %j',
        async (id) => {
          const { pageClient } = await newSignedInUser(running);
          const { status, headers } = await pageClient.get(`/requests/answered/${id}`);

          expect([400, 404, 414, 431]).toContain(status);
          expect(headers.get('location')).toBeNull();
        },
      );
    });

    it('are in the language of the account', async () => {
      await running.dataSource.manager.update(User, { id: owner.id }, { language: 'de' });
      const { url_token } = await ask(owner.client);
      await respond(running.anonymous, url_token, 'tulip');

      expect((await sendAll())[0]?.html).toContain('lang="de"');
    });

    it('come at most once an hour for a request, the delayed one with all answers until then', async () => {
      const { url_token } = await ask(owner.client, { answers: 10 });
      const now = new Date();
      await allAtOnce(4, () => answerAt(url_token, now));
      expect(await messages()).toHaveLength(1);
      await answerAt(url_token, after(now, HOUR_MS / 2));
      await cleanUp(after(now, HOUR_MS - 1));
      expect(await messages()).toHaveLength(1);
      await Promise.all([cleanUp(after(now, HOUR_MS)), cleanUp(after(now, HOUR_MS))]);
      expect(await messages()).toHaveLength(2);
      await cleanUp(after(now, 3 * HOUR_MS)); // no answer since

      const mails = await sendAll();
      expect(mails).toHaveLength(2);
      expect(mails[1]?.text).toContain('It has 5 answers now, and takes 10 in all.');
      await answerAt(url_token, after(now, 3 * HOUR_MS));
      expect(await messages()).toHaveLength(3);
    });

    it('are counted for each request by itself', async () => {
      const tokens = await allAtOnce(3, async () => (await ask(owner.client)).url_token);
      for (const urlToken of tokens) await respond(running.anonymous, urlToken, 'tulip');

      expect(await sendAll()).toHaveLength(3);
    });

    it('come after an answer in the hour after a first one, also when it was the last', async () => {
      const { url_token } = await ask(owner.client, { answers: 2 });
      const now = new Date();
      await answerAt(url_token, now);
      await answerAt(url_token, after(now, 1));
      expect((await owner.client.get(`/api/v2/requests/${url_token}`)).body.state).toBe('closed');
      await cleanUp(after(now, HOUR_MS));

      expect((await sendAll()).at(-1)?.text).toContain('It has 2 answers now');
    });

    it('are never added for answers that were refused', async () => {
      const { url_token } = await ask(owner.client);
      await close(url_token);
      expect((await respond(running.anonymous, url_token, 'tulip')).status).toBe(410);
      await cleanUp(after(new Date(), 2 * HOUR_MS));

      expect(await messages()).toEqual([]);
    });

    it.each([[[]], [''], [['']]])('are not sent with notify_on %j', async (notify_on) => {
      const { url_token } = await ask(owner.client, { notify_on, answers: 3 });
      await respond(running.anonymous, url_token, 'tulip');
      await respond(running.anonymous, url_token, 'tulip');
      await cleanUp(after(new Date(), 2 * HOUR_MS));

      expect(await messages()).toEqual([]);
    });

    it.each([[['answered']], ['answered'], [undefined], [null]])(
      'are sent with notify_on %j',
      async (notify_on) => {
        const { url_token } = await ask(owner.client, { notify_on });
        await respond(running.anonymous, url_token, 'tulip');

        expect(await sendAll()).toHaveLength(1);
      },
    );

    it.each<[unknown]>([['views'], [['answered', 'x']], [[1]], [[['answered']]], [{ a: 1 }], [7], [true]])(
      'are refused for the events %j',
      async (notify_on) => {
        expect(await create({ notify_on })).toMatchObject({
          status: 422,
          body: { notify_on: ['must be a list of: answered'] },
        });
      },
    );

    it('are sent neither to an account that was disabled meanwhile nor to one that was deleted', async () => {
      const { url_token } = await ask(owner.client);
      await unsent(() => respond(running.anonymous, url_token, 'tulip'));
      await running.dataSource.manager.update(User, { id: owner.id }, { disabledAt: new Date() });

      expect(await sendAll()).toEqual([]);
      await running.query('DELETE FROM pushes WHERE user_id = ?', [owner.id]);
      await running.query('DELETE FROM users WHERE id = ?', [owner.id]);
      expect(await messages()).toEqual([]);
    });

    it('are one for many answers at once to two processes, and one later', async () => {
      const other: SpawnedServer = await forThisTest(
        spawnServer(running.instance, { ...server.env, ...ENABLED }),
      );
      const { url_token } = await ask(owner.client, { answers: 20 });
      const answers = await allAtOnce(12, (i) =>
        respond(i % 2 === 0 ? running.anonymous : other.anonymous, url_token, 'tulip'),
      );
      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 12 });
      expect(await messages()).toHaveLength(1);
      await Promise.all([1, 2, 3].map(() => cleanUp(after(new Date(), HOUR_MS + 1))));

      expect((await messages()).map(({ kind }) => kind)).toEqual(['request.answered', 'request.answered']);
    });
  });

  describe('with its link', () => {
    it('are sent once to each recipient, with nothing of the account', async () => {
      const { body } = await create({
        name: 'for the shop',
        note: 'a note',
        include_requestor: true,
        notify_emails_to: ['ada@example.org', 'bob@example.org'],
      });
      const mails = await sendAll();

      expect(
        mails
          .map(({ recipients }) => recipients)
          .flat()
          .sort(),
      ).toEqual(['ada@example.org', 'bob@example.org']);
      expect(mails[0]?.subject).toBe('Someone asks you for a secret with Sealpush');
      expect(mails[0]?.text).toContain(`${body.html_url}\n`);
      expect(mails[0]?.text).not.toContain('passphrase');
      expect(mails[0]?.text).toContain('This email does not say who asks.');
      for (const { raw } of mails) {
        expect(raw).not.toMatch(/Your key|for the shop|a note/);
        expect(raw).not.toContain(owner.email);
      }
    });

    it('have the fragment of a request that answers are encrypted for', async () => {
      const { recipient } = await ageRecipient();
      const { body } = await create({ recipient, notify_emails_to: 'ada@example.org', passphrase: 'sesame' });
      const [mail] = await sendAll();

      expect(body.html_url).toMatch(/#1[\w-]{43}$/);
      expect(mail?.text).toContain(`${body.html_url}\n`);
      expect(mail?.text).toContain('You also need a passphrase.');
      expect(mail?.raw).not.toContain('sesame');
    });

    it('are in the language that is named', async () => {
      await create({ notify_emails_to: 'ada@example.org', notify_emails_to_locale: 'de' });

      expect((await sendAll())[0]?.html).toContain('lang="de"');
    });

    it('name the account only if a person asks on a page', async () => {
      const { id, email } = await newSignedInUser(running);
      await running.dataSource.manager.update(User, { id }, { emailUnverified: false });
      const user = await running.app.get(AccountAdministration).findById(id);
      const fields = { request: 'Your key', notify_emails_to: 'ada@example.org' };
      const policy = new CreationPolicy(running.app.get(Settings));
      const asked = running.app.get(SecretRequestRules).validated(fields, user, policy, 'pages');
      await running.app
        .get(SecretRequestsService)
        .create(asked, someVisitor({ userId: id }), { isFromPage: true });

      expect((await sendAll())[0]?.subject).toBe(`${email} asks you for a secret with Sealpush`);
    });

    it.each(['closed', 'disabled', 'removed'])('are not sent when it is %s meanwhile', async (what) => {
      const { url_token } = (await unsent(() => create({ notify_emails_to: 'ada@example.org' }))).body;
      const { manager } = running.dataSource;
      if (what === 'closed') await close(url_token);
      else if (what === 'disabled') await manager.update(User, { id: owner.id }, { disabledAt: new Date() });
      else await manager.delete(SecretRequest, { userId: owner.id });
      await sendAll();

      expect(server.received).toEqual([]);
      expect(await messages()).toMatchObject([{ outcome: 'dropped', sealed: null }]);
    });

    it('fail if its row cannot be read, and others are sent (M8)', async () => {
      await unsent(async () => {
        await create({ notify_emails_to: 'ada@example.org' });
        const [row] = await running.dataSource.manager.findBy(SecretRequest, { userId: owner.id });
        const sealed = Buffer.alloc(row?.sealed.length ?? 0);
        await running.dataSource.manager.update(SecretRequest, { id: row?.id ?? '' }, { sealed });
        await create({ notify_emails_to: 'bob@example.org' });
      });
      await sendAll();

      expect(await messages()).toMatchObject([
        { outcome: 'failed', error: 'UNREADABLE', attempts: 1 },
        { outcome: 'delivered' },
      ]);
      expect(server.received.map(({ recipients }) => recipients)).toEqual([['bob@example.org']]);
    });

    it.each<[object, object]>([
      [{ notify_emails_to: 'ada' }, { notify_emails_to: ['contains invalid email(s)'] }],
      [
        { notify_emails_to: Array.from({ length: 6 }, (_, i) => `a${i}@example.org`) },
        { notify_emails_to: [expect.stringContaining('5')] },
      ],
      [
        { notify_emails_to: 'ada@example.org', notify_emails_to_locale: 'tlh' },
        { notify_emails_to_locale: [expect.any(String)] },
      ],
    ])('are refused for %j', async (fields, body) => {
      expect(await create(fields)).toMatchObject({ status: 422, body });
      expect(await messages()).toEqual([]);
    });

    it('count for MAILS_PER_DAY together with those of pushes, exactly', async () => {
      const named = (count: number) => ({
        notify_emails_to: Array.from({ length: count }, (_, i) => `a${i}@example.org`),
      });
      const push = { payload: 'tulip', ...named(4) };
      expect((await owner.client.post('/api/v2/pushes', { push })).status).toBe(201);
      const answers = await allAtOnce(8, () => create(named(2)));

      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 3, 422: 5 });
      expect(answers.find(({ status }) => status === 422)?.body).toEqual({
        base: ['The maximum number of emails has been reached for today'],
      });
      expect(await running.dataSource.manager.countBy(SecretRequest, { userId: owner.id })).toBe(3);
      expect((await messages()).filter(({ kind }) => kind === 'request.link')).toHaveLength(6);
      expect((await create({})).status).toBe(201);
    });
  });
});

describe('Without MAIL_URL, mails about requests', () => {
  it('are not available, and none is added', async () => {
    const running = await forThisTest(startApp(ENABLED));
    const { client } = await running.newUser();
    const { url_token } = await ask(client, { notify_on: [''], notify_emails_to: '' });
    await respond(running.anonymous, url_token, 'tulip');
    await running.app.get(Jobs).run('requests', after(new Date(), 2 * HOUR_MS));
    const request = { request: 'a', notify_on: ['answered'], notify_emails_to: 'ada@example.org' };

    expect(await client.post('/api/v2/requests', { request })).toMatchObject({
      status: 422,
      body: { notify_on: ['are not available'], notify_emails_to: ['are not available'] },
    });
    expect(await running.dataSource.manager.count(OutboxMessage)).toBe(0);
  });
});

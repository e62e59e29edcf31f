import { MailCount } from '../../src/auth/entities/mail-count.entity.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import type { Delivery } from '../../src/platform/outbox/outbox-channels.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { digestOf } from '../../src/platform/random/random.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { MINUTE_MS } from '../../src/platform/settings/units.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { OpenCode } from '../../src/pushes/recipients/open-code.entity.js';
import { auditKinds, tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { allSent } from '../support/mailbox.js';
import { after } from '../support/new-pushes.js';
import { PageClient } from '../support/page-client.js';
import { askForCode, codeIn, Recipients } from '../support/recipients.js';
import { logStatements } from '../support/recorded-statements.js';
import type { TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const ADA = 'ada@example.org';
const BOB = 'bob@example.org';
const REFUSED = { error: 'The code is wrong, has been used or is too old.' };

describe('The code of a recipient', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() =>
    startApp({ ...server.env, OPERATOR_NAME: 'Example Ltd', TRUSTED_PROXIES: '127.0.0.1' }),
  );
  const recipients = forAllTests(() => new Recipients(running, server));
  let owner: TestUser;
  let urlToken: string;

  beforeEach(async () => {
    await recipients.reset();
    owner = await running.newUser();
    urlToken = await push();
  });

  const push = async (fields: object = {}): Promise<string> =>
    (await owner.client.push({ payload: 'tulip', recipients: [ADA, BOB], ...fields })).url_token;
  const viewsLeft = async () =>
    (await owner.client.get('/api/v2/pushes/active')).body.find(
      (own: { url_token: string }) => own.url_token === urlToken,
    )?.views_remaining;
  const moveEnd = (milliseconds: number) =>
    running.dataSource.manager.updateAll(OpenCode, { expiresAt: after(new Date(), milliseconds) });
  const wrongCode = (code: string) => String((Number(code) + 1) % 1e8).padStart(8, '0');
  const expectRefused = async (opening: Promise<{ status: number; body: unknown }>) => {
    expect(await opening).toMatchObject({ status: 401, body: REFUSED });
    expect(await viewsLeft()).toBe(5);
  };

  it('is in a mail that leads to nothing else', async () => {
    const code = await recipients.codeFor(urlToken, ADA);
    const [mail] = server.received;

    expect(code).toMatch(/^\d{8}$/);
    expect(mail).toMatchObject({ recipients: [ADA], subject: 'Your code for a secret from Example Ltd' });
    expect(mail?.text).toContain('Example Ltd');
    expect(mail?.raw).not.toContain(urlToken);
    expect(mail?.html).not.toContain('<a ');
  });

  it('is mailed in the language that is asked for', async () => {
    await running.anonymous.post(`/api/v2/pushes/${urlToken}/code`, { email: ADA, locale: 'de-AT' });
    await allSent(running);

    expect(server.received[0]?.subject).toBe('Ihr Code für ein Geheimnis von Example Ltd');
    expect(
      await running.anonymous.post(`/api/v2/pushes/${urlToken}/code`, { email: ADA, locale: 'xx' }),
    ).toMatchObject({ status: 422, body: { locale: ['is not within the available options'] } });
  });

  it('is sent in a form too', async () => {
    const body = new URLSearchParams({ email: ADA });
    const { status } = await running.anonymous.send('POST', `/api/v2/pushes/${urlToken}/code`, body);

    expect([status, (await recipients.codesOf(ADA)).length]).toEqual([202, 1]);
  });

  it.each([
    undefined,
    null,
    7,
    [ADA],
    {},
    '',
    ADA.replace('@', ''),
    `${ADA}\r\nBcc: ${BOB}`,
    'a'.repeat(2000),
  ])('is not sent to what is no address, as in case %# (E10, I4)', async (email) => {
    expect(await askForCode(running.anonymous, urlToken, email)).toMatchObject({
      status: 422,
      body: { email: ['This is not an email address.'] },
    });
  });

  it('can be asked for only while the push is active and names recipients', async () => {
    const { url_token: open } = await owner.client.push({ payload: 'tulip' });
    const ended = await push();
    await owner.client.delete(`/api/v2/pushes/${ended}`);
    const unknown = 'x'.repeat(43);

    for (const token of [open, ended, unknown])
      expect(await askForCode(running.anonymous, token, ADA)).toMatchObject({
        status: 404,
        body: { error: 'not-found' },
      });
  });

  it('opens once', async () => {
    const code = await recipients.codeFor(urlToken, ADA);

    expect((await recipients.open(urlToken, ADA, code)).body.payload).toBe('tulip');
    expect(await recipients.open(urlToken, ADA, code)).toMatchObject({ status: 401, body: REFUSED });
    expect(await viewsLeft()).toBe(4);
  });

  it('opens once, however many use it at the same time (A1)', async () => {
    const code = await recipients.codeFor(urlToken, ADA);
    await running.dataSource.manager.updateAll(OpenCode, { triesLeft: 50 });
    const opened = await allAtOnce(50, () => recipients.open(urlToken, ADA, code));

    expect(tally(opened.map(({ status }) => status))).toEqual({ 200: 1, 401: 49 });
    expect(await viewsLeft()).toBe(4);
  });

  it('opens no other push', async () => {
    const other = await push();
    await recipients.codeFor(urlToken, ADA);
    const code = await recipients.codeFor(other, ADA);

    await expectRefused(recipients.open(urlToken, ADA, code));
  });

  it('opens for no other address', async () => {
    await recipients.codeFor(urlToken, BOB);

    await expectRefused(recipients.open(urlToken, BOB, await recipients.codeFor(urlToken, ADA)));
  });

  it('is replaced by the next one', async () => {
    const first = await recipients.codeFor(urlToken, ADA);
    const second = await recipients.codeFor(urlToken, ADA);

    await expectRefused(recipients.open(urlToken, ADA, first));
    expect((await recipients.open(urlToken, ADA, second)).body.payload).toBe('tulip');
  });

  it('is valid for ten minutes', async () => {
    const code = await recipients.codeFor(urlToken, ADA);
    await moveEnd(0);
    await expectRefused(recipients.open(urlToken, ADA, code));

    await moveEnd(9 * MINUTE_MS);
    expect((await recipients.open(urlToken, ADA, code)).body.payload).toBe('tulip');
  });

  it('is not valid when it was made while the clock was ahead (M7)', async () => {
    const code = await recipients.codeFor(urlToken, ADA);
    await moveEnd(60 * MINUTE_MS);

    await expectRefused(recipients.open(urlToken, ADA, code));
  });

  it('may be guessed five times (B1)', async () => {
    const code = await recipients.codeFor(urlToken, ADA);
    for (let guess = 0; guess < 5; guess++)
      await expectRefused(recipients.open(urlToken, ADA, wrongCode(code)));

    await expectRefused(recipients.open(urlToken, ADA, code));
  });

  it('may be guessed five times, however many guess at the same time (B5)', async () => {
    const code = await recipients.codeFor(urlToken, ADA);
    await allAtOnce(20, () => recipients.open(urlToken, ADA, wrongCode(code)));

    await expectRefused(recipients.open(urlToken, ADA, code));
  });

  it.each(['', ' ', '1234567', '1e9', 'NaN', '%zz', '__proto__', '٠'.repeat(8), '9'.repeat(8000)])(
    'is not %j',
    async (code) => {
      await recipients.codeFor(urlToken, ADA);
      const headers = { 'X-Push-Recipient': ADA, 'X-Push-Code': encodeURIComponent(code) };

      expect((await running.anonymous.with(headers).retrieve(urlToken)).status).toBe(401);
    },
  );

  it('needs an address that is percent-encoded correctly', async () => {
    const headers = { 'X-Push-Recipient': '%zz', 'X-Push-Code': '12345678' };

    expect(await running.anonymous.with(headers).retrieve(urlToken)).toMatchObject({
      status: 400,
      body: { error: 'X-Push-Recipient must be percent-encoded UTF-8.' },
    });
  });

  it('is not used up by a wrong passphrase, of which it allows five (A10, B1)', async () => {
    urlToken = await push({ passphrase: 'horse' });
    const open = (code: string, passphrase: string) =>
      running.anonymous.with({ 'X-Push-Recipient': ADA, 'X-Push-Code': code }).retrieve(urlToken, passphrase);
    const code = await recipients.codeFor(urlToken, ADA);

    expect(await open(code, 'wrong')).toMatchObject({
      status: 401,
      body: { error: 'The passphrase is wrong.' },
    });
    expect(await open(wrongCode(code), 'horse')).toMatchObject({ status: 401, body: REFUSED });
    expect((await open(code, 'horse')).body.payload).toBe('tulip');
    expect(await auditKinds(owner.client, urlToken)).toEqual([
      'creation',
      'failed_passphrase',
      'failed_code',
      'view',
    ]);
  });

  it('lets no wrong passphrase be checked without it (B1)', async () => {
    urlToken = await push({ passphrase: 'horse' });
    await recipients.codeFor(urlToken, ADA);
    const headers = { 'X-Push-Recipient': ADA, 'X-Push-Code': '00000000' };
    for (let attempt = 0; attempt < 6; attempt++)
      expect((await running.anonymous.with(headers).retrieve(urlToken, 'horse')).body).toMatchObject(REFUSED);
  });

  it('opens only once for each recipient where that is chosen', async () => {
    urlToken = await push({ recipients: [ADA, '@example.com'], once_per_recipient: true });
    const open = async (email: string) =>
      (await recipients.open(urlToken, email, await recipients.codeFor(urlToken, email))).body.payload;
    expect([await open(ADA), await open('cleo@example.com'), await open('dan@example.com')]).toEqual(
      Array(3).fill('tulip'),
    );
    await askForCode(running.anonymous, urlToken, ADA);
    await askForCode(running.anonymous, urlToken, 'cleo@example.com');

    expect((await recipients.codesOf(ADA)).length).toBe(1);
    expect((await recipients.codesOf('cleo@example.com')).length).toBe(1);
    expect(await viewsLeft()).toBe(2);
  });

  describe('that somebody who is not named asks for', () => {
    const MALLORY = 'mallory@example.net';

    const askBoth = async () => {
      const named = await askForCode(running.anonymous, urlToken, ADA);
      const unnamed = await askForCode(running.anonymous, urlToken, MALLORY);
      await allSent(running);
      return [named, unnamed];
    };
    const comparable = ({ status, headers, body }: Awaited<ReturnType<typeof askForCode>>) => ({
      status,
      body: body as unknown,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'etag'].includes(name)),
    });
    /** The statements of a request, without their values. */
    const statementsOf = async (act: () => Promise<unknown>) => {
      const statements: string[] = [];
      const stop = await logStatements(running.app, (sql) => statements.push(sql));
      await act();
      stop();
      return statements;
    };

    it('is answered in the same way, and not sent (B9)', async () => {
      const [named, unnamed] = await askBoth();

      expect(named?.status).toBe(202);
      expect(comparable(unnamed as never)).toEqual(comparable(named as never));
      expect(server.received.map(({ recipients: to }) => to)).toEqual([[ADA]]);
      expect(await auditKinds(owner.client, urlToken)).toEqual(['creation', 'code_refused']);
    });

    it('takes the same work to ask for (B9)', async () => {
      await askBoth(); // begins the hours of the limits
      const wake = jest
        .spyOn(running.app.get(OutboxSchedule), 'sendSoon')
        .mockImplementation(() => undefined);
      const named = await statementsOf(() => askForCode(running.anonymous, urlToken, ADA));
      const unnamed = await statementsOf(() => askForCode(running.anonymous, urlToken, MALLORY));
      wake.mockRestore();

      expect(unnamed).toEqual(named);
    });

    it('takes the same work and the same answer to guess (B9)', async () => {
      const code = await recipients.codeFor(urlToken, ADA);
      const answers: unknown[] = [];
      const guess = (email: string) => async () => {
        answers.push(comparable(await recipients.open(urlToken, email, wrongCode(code))));
      };
      const named = await statementsOf(guess(ADA));
      const unnamed = await statementsOf(guess(MALLORY));

      expect(unnamed).toEqual(named);
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]).toMatchObject({ status: 401, body: REFUSED });
    });
  });

  describe('that was asked for on a page', () => {
    const askOnPage = async (browser: PageClient) => {
      const before = server.received.length;
      await browser.post(`/p/${urlToken}/code`, { email: ADA });
      await allSent(running);
      return codeIn(server.received.slice(before).at(-1));
    };

    it('opens in that browser only', async () => {
      const [browser, other] = [new PageClient(running.url), new PageClient(running.url)];
      await askOnPage(other);
      const code = await askOnPage(browser);

      const elsewhere = await other.post(`/p/${urlToken}`, { code });
      await expectRefused(recipients.open(urlToken, ADA, code));
      const opened = await browser.post(`/p/${urlToken}`, { code });

      expect([elsewhere.status, elsewhere.body]).toEqual([422, expect.not.stringContaining('tulip')]);
      expect([opened.status, opened.body]).toEqual([200, expect.stringContaining('tulip')]);
    });

    it('opens no page when a program has asked for it', async () => {
      const browser = new PageClient(running.url);
      await askOnPage(browser);
      const code = await recipients.codeFor(urlToken, ADA);

      expect((await browser.post(`/p/${urlToken}`, { code })).status).toBe(422);
    });
  });

  describe('that is asked for too often', () => {
    const askFrom = (caller: number, email: string, token = urlToken) =>
      askForCode(running.anonymous.with({ 'X-Forwarded-For': `198.51.100.${caller}` }), token, email);

    it('is mailed to an address five times an hour for one push, without saying so (D7)', async () => {
      const answers = await allAtOnce(20, (caller) => askFrom(caller, ADA));

      expect(tally(answers.map(({ status }) => status))).toEqual({ 202: 20 });
      expect((await recipients.codesOf(ADA)).length).toBe(5);
      await askFrom(1, BOB);
      expect((await recipients.codesOf(BOB)).length).toBe(1);
    });

    it('is mailed to an address 20 times an hour for all pushes (D7)', async () => {
      const tokens = await allAtOnce(6, () => push());
      for (const token of tokens) await allAtOnce(5, (caller) => askFrom(caller, ADA, token));

      expect((await recipients.codesOf(ADA)).length).toBe(20);
    });

    it('is mailed 100 times an hour for one push (D7)', async () => {
      urlToken = await push({ recipients: ['@example.com'] });
      await askFrom(1, 'a@example.com');
      await allSent(running);
      const { manager } = running.dataSource;
      const { id } = await manager.findOneByOrFail(Push, { tokenDigest: digestOf(urlToken) });
      const { affected } = await manager.update(MailCount, digestOf(`codes for ${id}`), { mails: 96 });
      await allAtOnce(10, (caller) => askFrom(caller, `a${caller}@example.com`));
      await allSent(running);

      expect([affected, server.received.length]).toEqual([1, 5]);
    });

    it('counts when it is mailed: pushes that do not name an address use up none of its codes (N3)', async () => {
      const others = await allAtOnce(6, () => push({ recipients: [BOB] }));
      for (const token of others) await allAtOnce(6, (caller) => askFrom(caller, ADA, token));
      await allSent(running);

      expect((await askFrom(1, ADA)).status).toBe(202);
      expect((await recipients.codesOf(ADA)).length).toBe(1);
    });

    it('counts when it is mailed: addresses that are not named use up no codes of a push (N3)', async () => {
      await allAtOnce(110, (caller) => askFrom(caller, `a${caller}@example.net`));
      await allSent(running);

      expect((await askFrom(1, ADA)).status).toBe(202);
      expect((await recipients.codesOf(ADA)).length).toBe(1);
    });

    it('leaves codes for the pushes of others to an address that somebody names in their own (N3)', async () => {
      const { client } = await running.newUser();
      for (let made = 0; made < 5; made++) {
        const { url_token } = await client.push({ payload: 'tulip', recipients: [ADA] });
        await allAtOnce(5, (caller) => askFrom(caller, ADA, url_token));
      }
      expect((await recipients.codesOf(ADA)).length).toBe(20);

      await askFrom(1, ADA);
      expect((await recipients.codesOf(ADA)).length).toBe(21);
    });

    it('is counted once when its mail is written again, and not when it is refused', async () => {
      const written: Delivery[] = [];
      const mails = running.app.get(MailsService);
      const compose = mails.compose.bind(mails);
      const spy = jest.spyOn(mails, 'compose').mockImplementation(async (delivery) => {
        written.push(delivery);
        await compose(delivery); // as before a delivery that fails
        return compose(delivery);
      });
      await allAtOnce(5, (caller) => askFrom(caller, ADA));
      const codes = await recipients.codesOf(ADA);
      await askFrom(9, ADA);
      await allSent(running);
      spy.mockRestore();
      const counts = await running.dataSource.manager.find(MailCount);

      expect([codes.length, (await recipients.codesOf(ADA)).length, written.length]).toEqual([5, 5, 6]);
      expect(counts.map(({ mails: count }) => count).filter((count) => count > 1)).toEqual(Array(5).fill(5));
      expect((await recipients.open(urlToken, ADA, codes.at(-1) ?? '')).body.payload).toBe('tulip');
      expect(await compose(written[4] as Delivery)).toBeUndefined(); // it was used
    });

    describe('at more pushes than an hour has codes for', () => {
      let max: number;
      beforeEach(() => {
        const settings = running.app.get(Settings);
        max = settings.CODE_MAILS_PER_HOUR;
        settings.CODE_MAILS_PER_HOUR = 3;
      });
      afterEach(() => {
        running.app.get(Settings).CODE_MAILS_PER_HOUR = max;
      });
      const askAt = async (tokens: string[]) => {
        const answers = await allAtOnce(tokens.length, (caller) =>
          askFrom(caller, `a${caller}@example.com`, tokens[caller]),
        );
        await allSent(running);
        return tally(answers.map(({ status }) => status));
      };
      const named = { payload: 'tulip', recipients: ['@example.com'] };

      it('is mailed so often for the pushes of one account, and not less for those of others (N3)', async () => {
        const tokens = await allAtOnce(5, () => push(named));
        expect([await askAt(tokens), server.received.length]).toEqual([{ 202: 5 }, 3]);

        const { client } = await running.newUser();
        const { url_token } = await client.push(named);
        await askFrom(1, 'b@example.com', url_token);
        await allSent(running);
        expect(server.received.length).toBe(4);
      });

      it('is mailed so often for all pushes without an account together (N2)', async () => {
        const tokens = await allAtOnce(5, async () => (await running.anonymous.push(named)).url_token);
        expect([await askAt(tokens), server.received.length]).toEqual([{ 202: 5 }, 3]);

        await askFrom(1, ADA);
        expect((await recipients.codesOf(ADA)).length).toBe(1);
      });

      it('is mailed as often as other limits allow when the number is 0', async () => {
        running.app.get(Settings).CODE_MAILS_PER_HOUR = 0;
        const tokens = await allAtOnce(5, async () => (await running.anonymous.push(named)).url_token);

        expect([await askAt(tokens), server.received.length]).toEqual([{ 202: 5 }, 5]);
      });
    });

    it('is refused to a network after 60 in an hour (D7, I9)', async () => {
      const answers = await allAtOnce(65, (caller) => askFrom(1, `a${caller}@example.net`));
      const refused = answers.find(({ status }) => status === 429);

      expect(tally(answers.map(({ status }) => status))).toEqual({ 202: 60, 429: 5 });
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(server.received).toHaveLength(0);
      expect((await askFrom(2, ADA)).status).toBe(202);
    });
  });

  it('is removed when it is not valid any more', async () => {
    const codes = async (minutes: number) => {
      await running.app.get(Jobs).run('opening codes', after(new Date(), minutes * MINUTE_MS));
      return running.dataSource.manager.count(OpenCode);
    };
    await running.dataSource.manager.deleteAll(OpenCode);
    await recipients.codeFor(urlToken, ADA);

    expect([await codes(9), await codes(11)]).toEqual([1, 0]);
  });
});

import { randomUUID } from 'node:crypto';
import type { SMTPServerOptions } from 'smtp-server';
import { AccountRemovalService } from '../../src/pushes/account-removal/account-removal.service.js';
import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { MailerService } from '../../src/platform/mail/mailer.service.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { LinkMail } from '../../src/pushes/link-mails/link-mail.entity.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { Client } from '../support/client.js';
import { forAllTests } from '../support/for-tests.js';
import type { MailServer } from '../support/mail-server.js';
import { startMailServer } from '../support/mail-server.js';
import { PageClient, PASSWORD } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const HOSTILE = `<script>alert(1)</script>\u202e${'x'.repeat(10_000)}`;

/** Refuses and defers recipients by what their addresses begin with. */
const PICKY: SMTPServerOptions = {
  onRcptTo: ({ address }, _session, done) => {
    const [, responseCode] = /^code-(\d+)/.exec(address) ?? [];
    done(
      responseCode === undefined
        ? null
        : Object.assign(new Error(HOSTILE), { responseCode: Number(responseCode) }),
    );
  },
};

describe('What becomes of a mail with the link of a push', () => {
  let server: MailServer;
  beforeAll(async () => (server = await startMailServer(PICKY)));
  afterAll(() => server.stop());
  const running = forAllTests(() => startApp(server.env));
  let id: string;
  let email: string;
  let owner: Client;
  let pages: PageClient;
  let germanPages: PageClient;

  beforeAll(() => {
    jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue(); // the tests choose when
  });
  beforeEach(async () => {
    email = `${randomUUID()}@example.org`;
    const { user, token } = await running.app.get(UsersService).createWithToken(email, PASSWORD, 'test');
    id = user.id;
    owner = new Client(running.url, { Authorization: `Bearer ${token}` });
    pages = new PageClient(running.url);
    germanPages = new PageClient(running.url, { 'Accept-Language': 'de' });
    await pages.signIn(email);
    await germanPages.signIn(email);
    await running.dataSource.manager.deleteAll(OutboxMessage); // also of the mail about the second browser
    server.received.length = 0;
  });

  /** Creates a push with these recipients. */
  const mailTo = async (named: string | string[], locale?: string): Promise<string> => {
    const fields = { payload: 'tulip', notify_emails_to: named, notify_emails_to_locale: locale };
    return (await owner.push(fields)).url_token;
  };
  /** Attempts what is due after this time. */
  const sendDue = (after = 0) =>
    running.app.get(OutboxSender).sendDue(undefined, () => new Date(Date.now() + after));
  const sendFor = async (duration: number) => {
    for (let after = 0; after <= duration; after += 16 * 60_000) await sendDue(after);
  };
  const logs = async (urlToken: string) =>
    (await owner.get(`/api/v2/pushes/${urlToken}/audit`)).body.logs as Record<string, unknown>[];
  const status = async (urlToken: string) => (await logs(urlToken))[1]?.notify_by_email;
  const page = async (urlToken: string, client = pages) => (await client.get(`/p/${urlToken}/audit`)).body;
  const rows = () => running.dataSource.manager.find(LinkMail, { order: { id: 'ASC' } });

  it('is pending at first', async () => {
    const urlToken = await mailTo(' ada@example.org,bob@example.org ', 'de-AT');

    expect((await logs(urlToken))[1]).toEqual({
      ip: expect.any(String),
      user_agent: expect.any(String),
      referrer: '',
      kind: 'creation_email_send',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      notify_by_email: {
        recipients: ' ada@example.org,bob@example.org ',
        locale: 'de-AT',
        status: 'pending',
        successful_sends: null,
        proceed_at: null,
      },
    });
    expect(await page(urlToken)).toMatch(/ada@example.org<\/bdi><\/strong> waiting</);
  });

  it('is completed when the mail server has accepted all', async () => {
    const urlToken = await mailTo(['ada@example.org', 'bob@example.org']);
    await sendDue();

    expect(await status(urlToken)).toEqual({
      recipients: 'ada@example.org,bob@example.org',
      locale: null,
      status: 'completed',
      successful_sends: 'ada@example.org,bob@example.org',
      proceed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    });
    expect(await page(urlToken)).toMatch(/bob@example.org<\/bdi><\/strong> sent/);
  });

  it('is partially failed when it has refused one for good, whatever it says about it (E10)', async () => {
    const urlToken = await mailTo('ada@example.org,code-550@example.org');
    await sendDue();
    const shown = [await page(urlToken), await page(urlToken, germanPages)];

    expect(await status(urlToken)).toMatchObject({
      status: 'partially_failed',
      successful_sends: 'ada@example.org',
      error_message: 'Not sent to code-550@example.org: the mail server did not accept it (SMTP 550).',
    });
    expect(shown[0]).toMatch(
      /code-550@example.org<\/bdi><\/strong> (<span[^>]*>)+not sent: the mail server did not accept it \(SMTP 550\)/,
    );
    expect(shown[1]).toMatch(/nicht gesendet: Der Mailserver hat die E-Mail nicht angenommen \(SMTP 550\)/);
    expect(shown.join()).not.toMatch(/alert\(1\)|xxxx|\u202e/);
    expect(JSON.stringify(await rows())).not.toContain('xxxx');
  });

  it('is failed when it has refused all', async () => {
    const urlToken = await mailTo('code-550@example.org,code-553@example.org');
    await sendDue();

    expect(await status(urlToken)).toMatchObject({
      status: 'failed',
      successful_sends: null,
      error_message: expect.stringMatching(/550.*553/),
    });
  });

  it('is processing while one is deferred, and then what became of it', async () => {
    const urlToken = await mailTo('ada@example.org,code-451@example.org');
    await sendDue();
    const before = await status(urlToken);
    const shown = await page(urlToken);
    await sendFor(DAY_MS + HOUR_MS);

    expect(before).toMatchObject({
      status: 'processing',
      successful_sends: 'ada@example.org',
      error_message:
        'Not sent to code-451@example.org yet: the mail server did not accept it (SMTP 451). It is tried again.',
    });
    expect(shown).toMatch(/code-451@example.org<\/bdi><\/strong> not sent yet, we keep trying for a day/);
    expect(await status(urlToken)).toMatchObject({
      status: 'partially_failed',
      error_message: 'Not sent to code-451@example.org: the mail server did not accept it (SMTP 451).',
    });
  });

  it('is processing while the mail server is down, and completed when it is back', async () => {
    const urlToken = await mailTo('ada@example.org');
    const port = Number(new URL(server.env.MAIL_URL).port);
    await server.stop();
    await sendDue();
    const before = await status(urlToken);
    server = await startMailServer(PICKY, port);
    await sendFor(HOUR_MS);

    expect(before).toMatchObject({
      status: 'processing',
      error_message:
        'Not sent to ada@example.org yet: the mail server could not be reached. It is tried again.',
      proceed_at: expect.any(String),
    });
    expect(await status(urlToken)).toMatchObject({ status: 'completed' });
    expect(await status(urlToken)).not.toHaveProperty('error_message');
  });

  it('is processing while the first attempt goes on', async () => {
    const urlToken = await mailTo('ada@example.org');
    let during: unknown;
    jest.spyOn(running.app.get(MailerService), 'deliver').mockImplementationOnce(async () => {
      during = await status(urlToken);
    });
    await sendDue();

    expect(during).toMatchObject({ status: 'processing', successful_sends: null });
  });

  it.each<[string, (urlToken: string) => Promise<unknown>, string]>([
    [
      'the push was deleted before',
      (urlToken) => owner.delete(`/api/v2/pushes/${urlToken}`),
      'the secret had ended before',
    ],
    [
      'the account was disabled before',
      async () => {
        const administration = running.app.get(AccountAdministration);
        await administration.disable(await administration.findById(id));
        await sendDue();
        await administration.enable(await administration.findById(id));
      },
      'the account was not allowed to send mails any more',
    ],
  ])('is failed when %s', async (_when, act, reason) => {
    const urlToken = await mailTo('ada@example.org');
    await act(urlToken);
    await sendDue();

    expect(await status(urlToken)).toMatchObject({
      status: 'failed',
      error_message: `Not sent to ada@example.org: ${reason}.`,
    });
    expect(server.received.flatMap(({ recipients }) => recipients)).not.toContain('ada@example.org');
  });

  it('is told for each request by itself', async () => {
    const urlToken = await mailTo('ada@example.org');
    await sendDue();
    await owner.post(`/api/v2/pushes/${urlToken}/notify_emails`, {
      notify_emails_to: 'code-550@example.org',
    });
    await sendDue();

    expect((await logs(urlToken)).map(({ notify_by_email }) => notify_by_email)).toEqual([
      undefined,
      expect.objectContaining({ recipients: 'ada@example.org', status: 'completed' }),
      expect.objectContaining({ recipients: 'code-550@example.org', status: 'failed' }),
    ]);
  });

  it('is not in the audit log of version 1, which has the entry', async () => {
    const urlToken = await mailTo('ada@example.org');
    const { body } = await owner.get(`/p/${urlToken}/audit.json`);

    expect(body.views[1]).toMatchObject({ kind: 'creation_email_send' });
    expect(JSON.stringify(body)).not.toMatch(/notify_by_email|ada@/);
  });

  it('is recorded in the transaction of the delivery, or neither is', async () => {
    const urlToken = await mailTo('ada@example.org');
    await running.dataSource.query('ALTER TABLE link_mails RENAME TO gone');
    await sendDue();
    const messages = await running.dataSource.manager.find(OutboxMessage);
    await running.dataSource.query('ALTER TABLE gone RENAME TO link_mails');

    expect(messages).toMatchObject([{ attempts: 0, outcome: null }]);
    await sendFor(HOUR_MS);
    expect(await status(urlToken)).toMatchObject({ status: 'completed' });
  });

  it('is stored without an address, also after the message has been removed (H2)', async () => {
    const urlToken = await mailTo('ada@example.org');
    await sendDue();
    await running.app.get(Jobs).run('ended messages', new Date(Date.now() + 40 * DAY_MS));

    expect(await running.dataSource.manager.count(OutboxMessage)).toBe(0);
    expect((await rows()).map(({ sealed }) => sealed.includes('example'))).not.toContain(true);
    expect(await status(urlToken)).toMatchObject({
      status: 'completed',
      successful_sends: 'ada@example.org',
    });
  });

  it('names a recipient whose row is damaged as unreadable, on the page in its language (M8)', async () => {
    const urlToken = await mailTo('ada@example.org,bob@example.org');
    const bob = (await rows()).at(-1);
    await running.dataSource.manager.update(LinkMail, { id: bob?.id }, { sealed: Buffer.alloc(40) });

    expect(await status(urlToken)).toMatchObject({ recipients: 'ada@example.org,unreadable' });
    expect(await page(urlToken)).toContain('<strong>Unreadable</strong>');
  });

  it('is deleted with the push, and with the account', async () => {
    const before = await running.dataSource.manager.count(LinkMail);
    const urlToken = await mailTo('ada@example.org');
    await mailTo('bob@example.org');
    await running.query('DELETE FROM pushes WHERE id = ?', [(await rows()).at(-1)?.pushId]);
    expect(await running.dataSource.manager.count(LinkMail)).toBe(before + 1);
    await running.app.get(AccountRemovalService).remove({ id, email });

    expect(await running.dataSource.manager.count(LinkMail)).toBe(before);
    expect((await owner.get(`/api/v2/pushes/${urlToken}/audit`)).status).toBe(401);
  });
});

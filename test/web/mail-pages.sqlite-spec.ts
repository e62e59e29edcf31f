import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import type { SignedInUser } from '../support/page-client.js';
import { asData, newSignedInUser } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const FIELDS = { 'push[payload]': 'tulip', 'push[kind]': 'text' };

describe('The pages of an installation that sends mails', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp({ ...server.env, MAILS_PER_DAY: '6' }));
  let member: SignedInUser;

  beforeEach(async () => {
    await running.dataSource.manager.deleteAll(OutboxMessage);
    member = await newVerifiedMember();
  });

  const newVerifiedMember = async () => {
    const created = await newSignedInUser(running);
    await running.query('UPDATE users SET email_unverified = 0 WHERE id = ?', [created.id]);
    return created;
  };
  const mails = () => running.dataSource.manager.countBy(OutboxMessage, { userId: member.id });
  const create = (fields = {}, headers = {}) =>
    member.pageClient.post('/', { ...FIELDS, ...fields }, headers);
  const newLink = async () => /\/p\/([\w-]{43})/.exec((await create()).body)?.[1] ?? '';

  it('offer to send the link of a new push, and say to how many it goes', async () => {
    const form = await member.pageClient.get('/');
    const { status, body } = await create({ 'push[notify_emails_to]': 'ada@example.org, bob@example.org' });

    expect(form.body).toContain('name="push[notify_emails_to]"');
    expect(status).toBe(201);
    expect(body).toContain('The link is being sent by email to 2 recipients.');
    expect(await mails()).toBe(2);
  });

  it('do not offer it to visitors without an account', async () => {
    const { body } = await running.anonymous.get('/');

    expect(body).not.toContain('notify_emails_to');
  });

  it('send nothing twice when a form is sent again', async () => {
    const once = { 'Idempotency-Key': '"0123456789abcdef0123456789abcdef"' };
    const fields = { 'push[notify_emails_to]': 'ada@example.org' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(fields, once)));
    answers.push(await create(fields, once));

    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(await mails()).toBe(1);
    expect(await running.dataSource.manager.countBy(Push, { userId: member.id })).toBe(1);
  });

  it('show the form again with what is wrong with the addresses', async () => {
    const { status, body } = await create({ 'push[notify_emails_to]': 'ada@<b>example.org' });

    expect(status).toBe(422);
    expect(body).toContain('“ada@&lt;b>example.org” is not an email address.');
    expect(body).toContain('value="ada@&lt;b>example.org"');
    expect(await mails()).toBe(0);
  });

  it('lead a script to a page that says it', async () => {
    const fields = { 'push[notify_emails_to]': 'ada@example.org' };
    const { body } = await create(fields, { Accept: 'application/json' });
    const { path } = body as unknown as { path: string };

    expect(path).toMatch(/^p\/[\w-]{43}\/preview\?done=mailed&count=1$/);
    expect((await member.pageClient.get(`/${path}`)).body).toContain('sent by email to one recipient');
    expect((await running.anonymous.get(`/${path}`)).body).not.toContain('sent by email');
  });

  it.each(['0', '100', '-1', '<b>', '1&count=2'])(
    'say nothing for count=%s in their address',
    async (count) => {
      const { body } = await member.pageClient.get(
        `/p/${await newLink()}/preview?done=mailed&count=${count}`,
      );

      expect(body).not.toContain('sent by email to');
    },
  );

  it('send the link of an existing push', async () => {
    const urlToken = await newLink();
    const audit = await member.pageClient.get(`/p/${urlToken}/audit`);
    const { status, headers } = await member.pageClient.post(`/p/${urlToken}/notify_emails`, {
      notify_emails_to: 'ada@example.org',
      notify_emails_to_locale: 'de',
    });
    const after = await member.pageClient.get(headers.get('location') ?? '');

    expect(audit.body).toContain(`action="/p/${urlToken}/notify_emails"`);
    expect(status).toBe(303);
    expect(after.body).toContain('The link is being sent by email to one recipient.');
    expect(after.body).toContain('You asked for the link to be emailed:');
    expect(after.body).toContain(`<strong>${asData('ada@example.org')}</strong> `);
    expect(await mails()).toBe(1);
  });

  it('show the page of the push again with what is wrong', async () => {
    const urlToken = await newLink();
    const send = (notify_emails_to: string) =>
      member.pageClient.post(`/p/${urlToken}/notify_emails`, { notify_emails_to });
    const { status, body } = await send('<i>');

    expect(status).toBe(422);
    expect(body).toContain('“&lt;i>” is not an email address.');
    expect(body).toContain('value="&lt;i>"');
    await send('a@example.org,b@example.org,c@example.org,d@example.org');
    const refused = await send('a@example.org,b@example.org,c@example.org,d@example.org');
    expect(refused.status).toBe(422);
    expect(refused.body).toContain('Your account has sent as many emails today as it may.');
    expect(await mails()).toBe(4);
  });

  it('send no link of another account', async () => {
    const urlToken = await newLink();
    const other = await newVerifiedMember();
    const answer = await other.pageClient.post(`/p/${urlToken}/notify_emails`, {
      notify_emails_to: 'ada@example.org',
    });

    expect(answer.status).toBe(403);
    expect(await mails()).toBe(0);
  });

  it('let people choose what they get mails about', async () => {
    const before = await member.pageClient.get('/users/notices');
    const { headers } = await member.pageClient.post('/users/notices', {
      first_view: 'on',
      named: 'on',
      unknown: 'on',
    });
    const after = await member.pageClient.get(headers.get('location') ?? '');
    const urlToken = await newLink();
    await running.anonymous.retrieve(urlToken);

    const chosen = ({ body }: { body: string }) =>
      [...body.matchAll(/id="(\w+)"[^>]* checked/g)].map(([, name]) => name);
    expect(chosen(before)).toEqual(['named']);
    expect(after.body).toContain('Saved.');
    expect(chosen(after)).toEqual(['first_view', 'named']);
    expect(await mails()).toBe(1);
    await member.pageClient.post('/users/notices');
    expect(chosen(await member.pageClient.get('/users/notices'))).toEqual([]);
  });

  it('offer no mails to an account whose address is not verified', async () => {
    member = await newSignedInUser(running);
    const urlToken = await newLink();
    const { body } = await member.pageClient.get('/users/notices');

    expect(body).toContain('This account gets no emails until its email address is confirmed.');
    expect(body).not.toContain('action="/users/notices"');
    for (const path of ['/', `/p/${urlToken}/audit`])
      expect((await member.pageClient.get(path)).body).not.toContain('notify_emails_to');
  });

  it('send no link for an account whose address is not verified', async () => {
    member = await newSignedInUser(running);
    const named = { notify_emails_to: 'ada@example.org' };
    const sent = await member.pageClient.post(`/p/${await newLink()}/notify_emails`, named);
    const created = await create({ 'push[notify_emails_to]': 'ada@example.org' });

    for (const { status, body } of [sent, created]) {
      expect(status).toBe(422);
      expect(body).toContain('Confirm the email address of your account first.');
    }
    expect(await mails()).toBe(0);
  });
});

describe('The pages of an installation that sends no mails', () => {
  it('offer none', async () => {
    const running = await forThisTest(startApp());
    const { pageClient } = await newSignedInUser(running);
    const urlToken = /\/p\/([\w-]{43})/.exec((await pageClient.post('/', FIELDS)).body)?.[1] ?? '';
    for (const path of ['/', '/users/edit', `/p/${urlToken}/audit`]) {
      const { status, body } = await pageClient.get(path);
      expect(status).toBe(200);
      expect(body).not.toMatch(/notify_emails|users\/notices/);
    }
    expect(
      (await pageClient.post(`/p/${urlToken}/notify_emails`, { notify_emails_to: 'a@b.example' })).status,
    ).toBe(404);
  });
});

import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { noticeEvents } from '../../src/pushes/push/notice-events.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { clientEncryptedPush } from '../support/age-files.js';
import type { ClientResponse } from '../support/client.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PageClient, tokenIn } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const JSON_ANSWER = { Accept: 'application/json' };
const EVENTS = ['first_view', 'each_view', 'failed_passphrase', 'ended_unseen'];
const HEADING = 'Emails to you';

type Fields = [name: string, value: string][];

/** As a browser sends the form: with the hidden field, and the ticked boxes. */
const boxes = (...events: string[]): Fields => ['', ...events].map((event) => ['notify_on][', event]);
const multipart = (fields: Fields) => {
  const form = new FormData();
  form.append('push[payload]', 'tulip');
  for (const [name, value] of fields) form.append(`push[${name}]`, value);
  return form;
};
const isOffered = (body: string) => body.includes('name="push[notify_on][]"');
const isOn = (body: string) => /id="with-notices"[^>]* checked/.test(body);
/** None if the option is off. */
const tickedIn = (body: string) =>
  EVENTS.filter(
    (event) =>
      isOn(body) &&
      new RegExp(`type="checkbox" id="${event}" name="push\\[notify_on\\]\\[\\]"[^>]* checked`).test(body),
  );
/** Undefined when there is no such field; an empty value is written without quotes. */
const hiddenIn = (body: string, name: string) => {
  const field = new RegExp(`type="hidden" name="push\\[${name}\\]" value(?:="([^"]*)")?`).exec(body);
  return field ? (field[1] ?? '') : undefined;
};

describe('The form that creates a push, where mails are sent,', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp(server.env));
  let member: SignedInUser;

  beforeEach(async () => {
    await running.dataSource.manager.deleteAll(OutboxMessage);
    member = await newSignedInUser(running);
    await setEmailUnverified(0);
  });

  const setEmailUnverified = (value: number) =>
    running.query(`UPDATE users SET email_unverified = ${value} WHERE id = ?`, [member.id]);
  const setStandard = (...events: string[]) =>
    member.pageClient.post('/users/notices', Object.fromEntries(events.map((event) => [event, 'on'])));
  const send = (fields: Fields, headers = {}, client = member.pageClient): Promise<ClientResponse<string>> =>
    client.post('/', multipart(fields), headers);
  const stored = async (userId: string | null = member.id) =>
    (await running.dataSource.manager.findBy(Push, { userId: userId as string })).map(({ notifyOn }) =>
      noticeEvents(notifyOn),
    );
  const mails = () => running.dataSource.manager.countBy(OutboxMessage, { userId: member.id });
  const count = () => running.dataSource.manager.count(Push);

  it('offers its owner mails, preset as the account has chosen', async () => {
    expect(tickedIn((await member.pageClient.get('/')).body)).toEqual([]);
    await setStandard('first_view', 'ended_unseen');
    const { body } = await member.pageClient.get('/');

    expect(tickedIn(body)).toEqual(['first_view', 'ended_unseen']);
    expect(body).toMatch(/id="notify_on-label">Email me when</);
    expect(body).toContain('It is opened for the first time</label>');
  });

  it.each([[['each_view']], [['failed_passphrase', 'ended_unseen']], [EVENTS], [[]]])(
    'creates a push with %j, whatever the account has chosen',
    async (events) => {
      await setStandard('first_view');
      const { status, body } = await send(boxes(...events));
      await running.anonymous.retrieve(tokenIn(body));
      const [left] = await stored();

      expect(status).toBe(201);
      expect(left).toEqual(events.filter((event) => !['first_view', 'ended_unseen'].includes(event)));
      expect(await mails()).toBe(events.includes('each_view') ? 1 : 0);
    },
  );

  it('creates a push with what the account has chosen when it comes without the boxes', async () => {
    await setStandard('each_view');
    await send([]);

    expect(await stored()).toEqual([['each_view']]);
  });

  it('is also accepted in the other encoding of forms', async () => {
    const fields = { 'push[payload]': 'tulip', 'push[notify_on][]': 'each_view' };
    await setStandard('first_view');
    await member.pageClient.post('/', fields);
    await member.pageClient.post('/', { ...fields, 'push[notify_on][]': '' });

    expect((await stored()).sort()).toEqual([[], ['each_view']]);
  });

  it.each([[['each_view']], [[]], [EVENTS], [['first_view']]])(
    'keeps %j after an error, where that is not what the account has chosen in view',
    async (events) => {
      await setStandard('first_view');
      const others: Fields = [
        ['retrieval_step', 'on'],
        ['expire_after_views', '1000'],
      ];
      const { status, body } = await send([...boxes(...events), ...others]);

      expect(status).toBe(422);
      expect(tickedIn(body)).toEqual(events);
      expect(isOn(body)).toBe(events.length > 0);
      expect(await stored()).toEqual([]);
    },
  );

  it.each<[string, Fields]>([
    ['an unknown event', boxes('first_view', 'views')],
    ['names of prototypes', boxes('constructor', '__proto__', 'toString')],
    ['markup', boxes('"><script>alert(1)</script>')],
    ['an object', [['notify_on][first_view', 'on']]],
    ['the name of a prototype as a key', [['notify_on][constructor', 'first_view']]],
    ['a list in a list', [['notify_on][0][', 'first_view']]],
    ['a text of unknown events', [['notify_on', 'first_view,x']]],
    ['a long text', [['notify_on', 'first_view,'.repeat(200)]]],
  ])('is rejected with %s', async (_name, fields) => {
    const page = await send(fields);
    const script = await send(fields, JSON_ANSWER);

    expect(page.status).toBe(422);
    expect(page.body).toMatch(/id="notify_on-error">.*?<span>[A-Z]/);
    expect(isOn(page.body)).toBe(true);
    expect(page.body).not.toMatch(/"><script>alert|must be a list/);
    expect(script).toMatchObject({ status: 422, body: { errors: { notify_on: expect.any(String) } } });
    expect(await stored()).toEqual([]);
  });

  it.each<[string, Fields]>([
    ['an event that is repeated', boxes(...Array<string>(90).fill('each_view'))],
    ['a text', [['notify_on', 'each_view']]],
    [
      'a repeated text',
      [
        ['notify_on', ''],
        ['notify_on', 'each_view'],
      ],
    ],
  ])('is accepted with %s', async (_name, fields) => {
    expect((await send(fields)).status).toBe(201);
    expect(await stored()).toEqual([['each_view']]);
  });

  it('is accepted for a secret that the browser has encrypted', async () => {
    const { payload, passphrase } = clientEncryptedPush();
    const encrypted = { client_encrypted: 'true', payload, passphrase };
    const form = multipart(boxes('each_view'));
    for (const [name, value] of Object.entries(encrypted)) form.set(`push[${name}]`, value);
    const { status, body } = await member.pageClient.post('/', form);
    await running.anonymous.retrieve(tokenIn(body), passphrase);

    expect(status).toBe(201);
    expect(await mails()).toBe(1);
  });

  it('creates nothing twice when it is only sent again, and another push with other notices', async () => {
    const key = hiddenIn((await member.pageClient.get('/')).body, 'idempotency_key') ?? '';
    const submit = async (...events: string[]) =>
      tokenIn((await send([['idempotency_key', key], ...boxes(...events)])).body);
    const tokens = [await submit('each_view'), await submit('each_view'), await submit()];

    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
    expect((await stored()).sort()).toEqual([[], ['each_view']]);
  });

  describe('when the session has ended', () => {
    const someone = () => new PageClient(running.url);
    const shownAgain = async (events: string[], client = someone()) => {
      const account = hiddenIn((await member.pageClient.get('/')).body, 'account') ?? '';
      return send([['account', account], ...boxes(...events)], {}, client);
    };
    const kept = (body: string): Fields =>
      ['account', 'account_before', 'notify_on', 'name', 'note'].flatMap((name): Fields => {
        const value = hiddenIn(body, name);
        return value === undefined ? [] : [[name, value]];
      });

    it.each([[['each_view']], [[]]])('keeps %j for the same account', async (events) => {
      await setStandard('first_view');
      const { status, body } = await shownAgain(events);
      const again = await send(kept(body));

      expect(status).toBe(409);
      expect(isOffered(body)).toBe(false);
      expect(again.status).toBe(201);
      expect(await stored()).toEqual([events]);
    });

    it('keeps them where only accounts may create pushes', async () => {
      const settings = running.app.get(Settings);
      settings.ALLOW_ANONYMOUS = false;
      try {
        const { status, body } = await shownAgain(['each_view']);

        expect(status).toBe(401);
        expect(hiddenIn(body, 'notify_on')).toBe('each_view');
        expect((await send(kept(body))).status).toBe(201);
        expect(await stored()).toEqual([['each_view']]);
      } finally {
        settings.ALLOW_ANONYMOUS = true;
      }
    });

    it('says that mails need an account, and creates the push without both afterwards', async () => {
      const { body } = await shownAgain(['each_view']);
      const client = someone();
      const before = await count();
      const refused = await send(kept(body), {}, client);
      expect(refused.status).toBe(422);
      expect(refused.body).toContain('Sign in to have emails sent, or create the link without them.');
      expect(await count()).toBe(before);

      const { status } = await send(kept(refused.body), {}, client);
      expect(status).toBe(201);
      expect(await stored()).toEqual([]);
      expect(await count()).toBe(before + 1);
    });
  });

  it('is rejected with notices for visitors without an account, to whom it offers none', async () => {
    const client = new PageClient(running.url);
    const before = await count();
    const page = await send(boxes('each_view'), { 'Accept-Language': 'de' }, client);
    const script = await send(boxes('each_view'), JSON_ANSWER, client);

    expect(isOffered((await client.get('/')).body)).toBe(false);
    expect(page.status).toBe(422);
    expect(page.body).toContain(
      'Melden Sie sich an, damit E-Mails gesendet werden, oder erstellen Sie den Link ohne sie.',
    );
    expect(hiddenIn(page.body, 'notify_on')).toBeUndefined();
    expect(script).toMatchObject({
      status: 422,
      body: { errors: { form: 'Sign in to have emails sent, or create the link without them.' } },
    });
    expect(await count()).toBe(before);
    expect((await send(boxes(), {}, client)).status).toBe(201);
  });

  it('is rejected with notices for an account that gets no mails, to which it offers none', async () => {
    await setEmailUnverified(1);
    const page = await send(boxes('each_view'));
    const script = await send(boxes('each_view'), JSON_ANSWER);
    const error = 'Confirm the email address of your account first.';

    expect(isOffered((await member.pageClient.get('/')).body)).toBe(false);
    expect(page.status).toBe(422);
    expect(page.body).toMatch(new RegExp(`id="notify_on-error">.*<span>${error}</span>`));
    expect(isOffered(page.body)).toBe(false);
    expect(script).toMatchObject({ status: 422, body: { errors: { notify_on: error } } });
    expect(await stored()).toEqual([]);
    expect((await send(boxes())).status).toBe(201);
  });

  it('leads to pages that tell the owner, and nobody else, which mails may still come', async () => {
    const { body: created } = await send(boxes('first_view', 'failed_passphrase'));
    const path = `/p/${tokenIn(created)}`;
    const pages = async () => {
      const { body: preview } = await member.pageClient.get(`${path}/preview`);
      return [preview, (await member.pageClient.get(`${path}/audit`)).body];
    };

    for (const body of [created, ...(await pages())]) {
      expect(body).toContain(HEADING);
      for (const event of ['First opening', 'Wrong passphrases']) expect(body).toContain(event);
      expect(body).not.toContain('Each opening');
    }
    expect((await running.anonymous.get(`${path}/preview`)).body).not.toContain(HEADING);
    await running.anonymous.retrieve(tokenIn(created));
    for (const body of await pages()) {
      expect(body).not.toContain('First opening');
      expect(body).toContain('Wrong passphrases');
    }
  });

  it('leads to pages that tell of no mails where none are asked for, or the push has ended', async () => {
    const { body: without } = await send(boxes());
    const { body: created } = await send([...boxes('each_view'), ['expire_after_views', '1']]);
    await running.anonymous.retrieve(tokenIn(created));
    const { body: ended } = await member.pageClient.get(`/p/${tokenIn(created)}/audit`);

    expect(without).not.toContain(HEADING);
    expect((await member.pageClient.get(`/p/${tokenIn(without)}/audit`)).body).not.toContain(HEADING);
    expect(ended).not.toContain(HEADING);
  });
});

describe('The form that creates a push, where no mails are sent,', () => {
  it('offers none, and is rejected with notices', async () => {
    const running = await forThisTest(startApp());
    const { pageClient, id } = await newSignedInUser(running);
    await running.query('UPDATE users SET email_unverified = 0, notify_on = 3 WHERE id = ?', [id]);
    const { body: form } = await pageClient.get('/');
    const clients = [pageClient, new PageClient(running.url)];

    expect(isOffered(form)).toBe(false);
    expect(form).toContain('id="with-name"');
    for (const client of clients) {
      const { status, body } = await client.post('/', multipart(boxes('each_view')));
      expect(status).toBe(422);
      expect(body).toContain('No emails can be sent for this secret.');
      expect((await client.post('/', multipart(boxes()))).status).toBe(201);
    }
  });
});

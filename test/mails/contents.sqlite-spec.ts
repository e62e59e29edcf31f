import { randomUUID } from 'node:crypto';
import { MailCount } from '../../src/auth/entities/mail-count.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { MailRequestsService } from '../../src/auth/by-mail/mail-requests.service.js';
import type { AccountNotice } from '../../src/auth/notices/account-mail-kinds.js';
import { AccountNotices } from '../../src/auth/notices/account-notices.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Contributions } from '../../src/platform/contributions/contributions.js';
import { MailComposer, MailsService } from '../../src/platform/mail/mails.service.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { noticeBits } from '../../src/pushes/push/notice-events.js';
import { newAdministrator } from '../support/administrator.js';
import { forAllTests } from '../support/for-tests.js';
import type { ReceivedMail } from '../support/mail-server.js';
import { startMailServer } from '../support/mail-server.js';
import { allSent } from '../support/mailbox.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';
import { askForCode } from '../support/recipients.js';
import { ask, respond } from '../support/requests.js';
import type { TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const OURS = 'https://push.example.org';
const SITE = 'Example Ltd';
/** In all that strangers and account holders enter; no mail of ours has such words. */
const WORDS = 'tulipevil';
const HOSTILE = `${WORDS}" <a href="https://evil.example">call +1 555 0100</a> www.evil.example {site} %0d%0aBcc: x@evil.example`;
const HEADERS = {
  'User-Agent': `evil.example/1.0 ${WORDS} https://evil.example`,
  Referer: `https://evil.example/${WORDS}`,
  'Accept-Language': `en;q=0.1, ${WORDS};q=1`,
  'X-Forwarded-Host': 'evil.example',
  Forwarded: 'host=evil.example;proto=http',
  Origin: 'https://evil.example',
};
/** Of an account, of whoever asks, and of who is mailed: anyone may have one. */
const newHostileAddress = () => `visit.evil.example+${WORDS}-${randomUUID().slice(0, 8)}@example.org`;

const ALLOWED_HEADERS = [
  ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
];
const ALLOWED_TAGS = [
  'a',
  'body',
  'head',
  'html',
  'meta',
  'p',
  'style',
  'table',
  'tbody',
  'td',
  'title',
  'tr',
];
const BROWSER = 'Unknown program';

/** All of these, so that a new notice needs a line here: what it has besides the address of the account. */
const NOTICES: Record<AccountNotice, { name: string; allowed: string[] } | undefined> = {
  token: undefined,
  token_ends: { name: HOSTILE, allowed: [HOSTILE] }, // as its owner has named it
  new_browser: { name: BROWSER, allowed: [] },
  password: undefined,
  email: undefined,
  second_factor_added: undefined,
  second_factor_removed: undefined,
  recovery_code_used: undefined,
  recovery_codes_created: undefined,
  wrong_codes: undefined,
  identity_joined: undefined,
  administrator: undefined,
  disabled: undefined,
};

/** What causes mails of a kind, and what of its input they may contain. */
interface Occasion {
  /** Returns the words of an account holder that the mails may have. */
  cause: () => Promise<string[]>;
  mails: number;
}

describe('What a mail contains', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() =>
    startApp({
      ...server.env,
      ...{ ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0', OPERATOR_NAME: SITE, LANGUAGES: 'en' },
    }),
  );
  let owner: TestUser;
  let member: SignedInUser;
  let composed: Set<string>;

  beforeEach(async () => {
    await allSent(running);
    await running.dataSource.manager.deleteAll(MailCount);
    owner = await hostile(await running.newUser());
    member = await hostile(await newSignedInUser(running));
    await allSent(running);
    server.received.length = 0;
    composed = new Set();
    const mails = running.app.get(MailsService);
    const compose = mails.compose.bind(mails);
    jest.spyOn(mails, 'compose').mockImplementation((delivery) => {
      composed.add(delivery.kind);
      return compose(delivery);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  /** The same account with a verified address of hostile words. */
  const hostile = async <Account extends { id: string; email: string }>(
    account: Account,
  ): Promise<Account> => {
    const email = newHostileAddress();
    await running.dataSource.manager.update(User, { id: account.id }, { email, emailUnverified: false });
    return Object.assign(account, { email });
  };
  const stranger = () => running.anonymous.with(HEADERS);
  const visitor = () => {
    const { Origin: _, ...headers } = HEADERS; // the page would refuse its form
    return new PageClient(running.url, headers);
  };
  const notices = (events: string[]) => ({
    ...{ payload: HOSTILE, note: HOSTILE, passphrase: WORDS, expire_after_views: 10 },
    notify_on: events,
  });
  const endedUnseen = async () => {
    const ended = someNewPush({ notifyOn: noticeBits(['ended_unseen']), name: HOSTILE, payload: HOSTILE });
    const long = after(new Date(), -8 * DAY_MS);
    await running.app.get(CreationsService).create(ended, someVisitor({ userId: owner.id }), long);
    await running.app.get(ExpiryService).expireOverdue();
  };
  const send = (notice: AccountNotice, name?: string) =>
    running.app.get(UnitOfWork).run((manager) =>
      running.app
        .get(AccountNotices)
        .addWithin(manager, { ...owner, emailUnverified: false }, notice, 'en', new Date(), {
          ...{ name: name ?? HOSTILE, time: Date.now() },
        }),
    );

  const OCCASIONS: Record<string, Occasion> = {
    'account.sign_up': {
      mails: 2, // also to somebody who has an account
      cause: async () => {
        const next = `https://evil.example/${WORDS}`;
        for (const email of [newHostileAddress(), member.email])
          await visitor().post('/users/sign_up_link', { email, next, name: HOSTILE });
        return [];
      },
    },
    'account.new_password': {
      mails: 1,
      cause: async () => {
        await visitor().post('/users/password', { email: member.email, next: `//evil.example/${WORDS}` });
        return [];
      },
    },
    'account.password_link': {
      mails: 2, // an invitation, and a new password
      cause: async () => {
        const { pageClient } = await newAdministrator(running);
        await pageClient.post('/admin/accounts', { email: newHostileAddress(), name: HOSTILE });
        await pageClient.post(`/admin/accounts/${member.id}/send_password_link`, { password: PASSWORD });
        return [];
      },
    },
    'account.email': {
      mails: 2, // also to somebody who has an account
      cause: async () => {
        for (const email of [newHostileAddress(), owner.email])
          await member.pageClient.post('/users/edit/email', { email, password: PASSWORD });
        return [];
      },
    },
    'account.join': {
      mails: 1,
      cause: async () => {
        const user = await running.dataSource.manager.findOneByOrFail(User, { id: member.id });
        const requester = { ip: '127.0.0.1', language: 'en' } as const;
        await running.app.get(MailRequestsService).join(user, requester, '/pushes');
        return [];
      },
    },
    'account.notice': {
      mails: Object.keys(NOTICES).length + 1,
      cause: async () => {
        for (const [notice, about] of Object.entries(NOTICES))
          await send(notice as AccountNotice, about?.name);
        await visitor().signIn(member.email);
        return Object.values(NOTICES).flatMap((about) => about?.allowed ?? []);
      },
    },
    'push.code': {
      mails: 2,
      cause: async () => {
        const named = { payload: HOSTILE, recipients: ['@example.org'] };
        const pushes = [
          await owner.client.push({ ...named, name: HOSTILE, note: HOSTILE, passphrase: WORDS }),
          await stranger().push(named),
        ];
        for (const { url_token } of pushes)
          await askForCode(stranger(), url_token as string, newHostileAddress());
        return [];
      },
    },
    'push.link': {
      mails: 2,
      cause: async () => {
        const to = { notify_emails_to: newHostileAddress(), notify_emails_to_locale: 'en' };
        const push = { payload: HOSTILE, name: HOSTILE, note: HOSTILE, passphrase: WORDS, ...to };
        await owner.client.with(HEADERS).push(push);
        const fields = Object.entries({ ...push, names_sender: 'on', notify_emails_to: newHostileAddress() });
        await member.pageClient.post(
          '/',
          Object.fromEntries(fields.map(([name, value]) => [`push[${name}]`, value])),
        );
        return [member.email]; // who asks on a page is named, with the address of the account
      },
    },
    'push.notice': {
      mails: 3,
      cause: async () => {
        const events = ['each_view', 'failed_passphrase'];
        const { url_token } = await owner.client.push({ ...notices(events), name: HOSTILE });
        for (const passphrase of [HOSTILE, WORDS]) await stranger().retrieve(url_token as string, passphrase);
        await endedUnseen();
        return [HOSTILE]; // the name of the push, to its owner
      },
    },
    'request.link': {
      mails: 1,
      cause: async () => {
        const to = { notify_emails_to: newHostileAddress(), notify_emails_to_locale: 'en' };
        await ask(owner.client.with(HEADERS), { request: HOSTILE, name: HOSTILE, note: HOSTILE, ...to });
        return [];
      },
    },
    'request.answered': {
      mails: 1,
      cause: async () => {
        const { url_token } = await ask(owner.client, { request: HOSTILE, name: HOSTILE, note: HOSTILE });
        await respond(stranger(), url_token, HOSTILE);
        return [HOSTILE]; // the name of the request, to its owner
      },
    },
  };

  /** What nobody but this service has written. */
  const withoutAllowed = (text: string, allowed: string[]) =>
    allowed.reduce((rest, part) => rest.replaceAll(part, ''), text);
  const unescaped = (html: string) =>
    html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const linksIn = (text: string) => text.match(/\w+:\/\/\S+/g) ?? [];

  const expectOnlyAllowed = (
    { headers, text = '', html = '', subject = '', ...mail }: ReceivedMail,
    words: string[],
  ) => {
    const [to = ''] = mail.recipients;
    const allowed = [...words, to, SITE].toSorted((one, other) => other.length - one.length);
    const keys = headers.map(({ key }) => key).sort();
    expect(keys).toEqual(ALLOWED_HEADERS);
    expect([mail.from, mail.to]).toMatchObject([
      { address: 'push@example.org', name: 'Sealpush' },
      [{ address: to, name: '' }],
    ]);

    const tags = [...new Set([...html.matchAll(/<\/?(\w+)/g)].map(([, tag]) => tag ?? ''))];
    expect(tags.filter((tag) => !ALLOWED_TAGS.includes(tag))).toEqual([]);
    const hrefs = [...html.matchAll(/\s(?:href|src|action|style|on\w+)="([^"]*)"/g)].map(
      ([, value = '']) => value,
    );
    expect(hrefs.filter((href) => !href.startsWith(`${OURS}/`) && !/^[\w\s:;.,#'-]+$/.test(href))).toEqual(
      [],
    );

    const shown = unescaped(html.replace(/<style>.*?<\/style>|<[^>]*>/gs, ' '));
    for (const part of [subject, text, shown]) {
      const rest = withoutAllowed(part, allowed);
      for (const link of linksIn(rest)) expect(link).toMatch(/^https:\/\/push\.example\.org(?:[/.]|$)/);
      const plain = rest.replaceAll(/https:\/\/push\.example\.org\S*/g, '');
      expect(plain).not.toMatch(/tulip|evil|555|@|:\/\/|www\.|<|[\p{L}\d]\.\p{L}/iu);
      expect(plain).not.toMatch(/[\p{Cf}\p{Co}]/u);
    }
  };

  it.each(Object.keys(OCCASIONS))(
    'of kind %s is ours, but for what its table says, whatever strangers and users enter (N2, E10)',
    async (kind) => {
      const occasion = OCCASIONS[kind] as Occasion;
      const words = await occasion.cause();
      await allSent(running);

      expect([...composed]).toEqual([kind]);
      expect(server.received).toHaveLength(occasion.mails);
      for (const mail of server.received) expectOnlyAllowed(mail, words);
    },
  );

  it('is known of every kind of mail', () => {
    const kinds = running.app
      .get(Contributions)
      .methods(MailComposer)
      .map(({ argument: kind }) => kind);
    expect(Object.keys(OCCASIONS).sort()).toEqual(kinds.sort());
  });
});

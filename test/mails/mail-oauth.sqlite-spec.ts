import type { SMTPServerOptions } from 'smtp-server';
import { OverviewService } from '../../src/features/admin/overview/overview.service.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Log } from '../../src/platform/logging/log.js';
import type { Mail } from '../../src/platform/mail/mail.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';
import { command } from '../support/command.js';
import { forThisTest } from '../support/for-tests.js';
import type { MailServer } from '../support/mail-server.js';
import { startMailServer } from '../support/mail-server.js';
import { testMails } from '../support/contributions.js';
import { startApp } from '../support/start-app.js';
import type { TokenEndpoint } from '../support/token-endpoint.js';
import { CLIENT_SECRET, startTokenEndpoint } from '../support/token-endpoint.js';

const MAIL: Mail = { to: 'ada@example.org', language: 'en', subject: 'tulip', parts: ['tulip'] };

/** How a server refuses a token: as Google, with a challenge first, or as Microsoft, at once. */
type Refusal = 'with a challenge' | 'at once';

describe('Mail to a server that takes only access tokens', () => {
  let server: MailServer;
  let endpoint: TokenEndpoint;
  /** Who has signed in, or tried to, with which token. */
  let signIns: [username: string | undefined, token: string | undefined][];
  /** What the server no longer accepts. */
  let ended: Set<string>;

  beforeEach(() => {
    signIns = [];
    ended = new Set();
  });
  afterEach(() => endpoint.stop());

  const start = async (refusal: Refusal = 'at once', env: Record<string, string> = {}) => {
    endpoint = await startTokenEndpoint({ expiresIn: 3600 });
    const onAuth: SMTPServerOptions['onAuth'] = ({ method, username, accessToken = '' }, _session, done) => {
      signIns.push([username, accessToken]);
      if (method === 'XOAUTH2' && endpoint.given.includes(accessToken) && !ended.has(accessToken))
        done(null, { user: username });
      else if (refusal === 'with a challenge') done(null, { data: { status: '401', schemes: 'bearer' } });
      else
        done(
          Object.assign(new Error(`5.7.3 Authentication unsuccessful for ${username}: ${accessToken}`), {
            responseCode: 535,
          }),
        );
    };
    const options = { authOptional: false, authMethods: ['XOAUTH2'], allowInsecureAuth: true, onAuth };
    server = await forThisTest(startMailServer(options));
    return { ...server.env, ...endpoint.env, ...env };
  };
  const startService = async (...args: Parameters<typeof start>) => {
    const app = await forThisTest(startApp(await start(...args), { extensions: [testMails] }));
    jest.spyOn(app.app.get(OutboxSchedule), 'sendSoon').mockReturnValue(); // the tests choose when
    const log = [jest.spyOn(app.app.get(Log), 'warning'), jest.spyOn(app.app.get(Log), 'event')];
    return {
      add: () =>
        app.app.get(UnitOfWork).write((tx) => {
          app.app.get(MailsService).add(tx, { kind: 'test', userId: null, values: MAIL }, new Date());
        }),
      sendDue: (after = 0) =>
        app.app.get(OutboxSender).sendDue(undefined, () => new Date(Date.now() + after)),
      lines: () => log.flatMap(({ mock }) => mock.calls).filter(([, facts]) => 'channel' in facts),
      rows: () => app.dataSource.manager.find(OutboxMessage),
      overview: () => app.app.get(OverviewService).describe(),
    };
  };

  it('is sent with one token for several mails, as the user of MAIL_FROM', async () => {
    const { add, sendDue } = await startService();
    for (const mail of ['first', 'second']) {
      await add();
      await sendDue();
      expect([mail, server.received.length]).toEqual([mail, mail === 'first' ? 1 : 2]);
    }

    expect(endpoint.requests).toHaveLength(1);
    expect(signIns).toEqual([
      ['push@example.org', endpoint.given[0]],
      ['push@example.org', endpoint.given[0]],
    ]);
  });

  it('is sent as the user of MAIL_OAUTH_USER', async () => {
    const { add, sendDue } = await startService('at once', { MAIL_OAUTH_USER: 'shared@example.org' });
    await add();
    await sendDue();

    expect(signIns).toEqual([['shared@example.org', endpoint.given[0]]]);
  });

  it.each<Refusal>(['with a challenge', 'at once'])(
    'is sent with a new token when the server refuses the one that was kept %s',
    async (refusal) => {
      const { add, sendDue, lines } = await startService(refusal);
      await add();
      await sendDue();
      ended.add(endpoint.given[0] ?? '');
      await add();
      await sendDue();

      expect(server.received).toHaveLength(2);
      expect(endpoint.given).toHaveLength(2);
      expect(lines()).toEqual([]);
    },
  );

  it.each<[Refusal, number]>([
    ['with a challenge', 2],
    ['at once', 1],
  ])(
    'is not tried for ever when the server refuses new tokens %s, and the reason is told (H1)',
    async (refusal, tries) => {
      const { add, sendDue, lines, rows, overview } = await startService(refusal);
      jest.spyOn(endpoint.given, 'includes').mockReturnValue(false);
      await add();
      await sendDue();
      const told = JSON.stringify([lines(), await rows(), (await overview()).mailError]);

      expect(signIns).toHaveLength(tries);
      expect(lines()).toEqual([
        [
          'Delivery to a destination failed; its messages are sent later',
          {
            channel: 'mail',
            destination: 'smtp',
            code: 'SMTP 535',
            reason: expect.stringMatching(/^535[ -]/),
          },
        ],
      ]);
      expect(told).not.toMatch(/geheim|token-|push@example/);
    },
  );

  it('waits while there is no token for it, without a connection to the mail server, and says why once (H1)', async () => {
    const { add, sendDue, lines, rows, overview } = await startService('at once', {
      MAIL_OAUTH_CLIENT_SECRET: 'geheim-and-wrong',
    });
    await add();
    for (const after of [0, HOUR_MS]) await sendDue(after);
    const reason = expect.stringMatching(
      /^The token URL refuses: invalid_client: AADSTS7000215: Invalid client secret provided\. Not \*\*\*/,
    );

    expect(lines()).toEqual([
      [
        'Delivery to a destination failed; its messages are sent later',
        { channel: 'mail', destination: 'smtp', code: 'OAUTH_REFUSED', reason },
      ],
    ]);
    expect(await overview()).toMatchObject({ mailError: { error: 'OAUTH_REFUSED', reason } });
    expect(JSON.stringify([lines(), await rows()])).not.toContain('geheim');
    expect(server.connections()).toBe(0);
  });

  it('waits while the token URL cannot be reached, and arrives when it can', async () => {
    const { add, sendDue, lines } = await startService();
    const url = new URL(endpoint.url);
    await endpoint.stop();
    await add();
    await sendDue();
    const failed = lines();
    const port = Number(url.port);
    endpoint = await startTokenEndpoint({ expiresIn: 3600, port });
    await sendDue(HOUR_MS);

    expect(failed).toMatchObject([
      [
        expect.any(String),
        { code: 'OAUTH_UNAVAILABLE', reason: 'The token URL cannot be used: ECONNREFUSED' },
      ],
    ]);
    expect(server.received).toHaveLength(1);
  });

  it('is tried by mail:test, which says what is wrong (H1)', async () => {
    const good = { env: await start() };
    const test = (env: Record<string, string>) => command({ env }, ['mail:test', 'ada@example.org']);
    const sent = await test(good.env);
    const failed = await test({ ...good.env, MAIL_OAUTH_CLIENT_SECRET: 'geheim-and-wrong' });

    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([0, { accepted: true }]);
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([
      1,
      {
        accepted: false,
        server: expect.stringMatching(/^The token URL refuses: invalid_client: AADSTS7000215/),
      },
    ]);
    for (const { stdout, stderr } of [sent, failed])
      expect(stdout + stderr).not.toMatch(new RegExp(`geheim|${CLIENT_SECRET.slice(0, 6)}|token-1`));
  });
});

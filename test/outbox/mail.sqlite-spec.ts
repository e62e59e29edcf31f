import { once } from 'node:events';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { DataSource } from 'typeorm';
import { OverviewService } from '../../src/features/admin/overview/overview.service.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Log } from '../../src/platform/logging/log.js';
import type { Mail } from '../../src/platform/mail/mail.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';
import { makeCertificate } from '../support/certificate.js';
import { makeFolder } from '../support/folder.js';
import { forThisTest } from '../support/for-tests.js';
import type { MailServer } from '../support/mail-server.js';
import { testMails } from '../support/contributions.js';
import { startMailServer } from '../support/mail-server.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const MAIL: Mail = {
  to: 'ada@example.org',
  language: 'en',
  subject: 'Grüße',
  parts: ['A <b>tulip</b>\nfor you', { url: 'https://push.example.org/p/1?a=1&b=2', label: 'Open it' }],
};

describe('Mail', () => {
  let server: MailServer;
  let running: RunningApp;

  const start = async (options: SMTPServerOptions = {}, env: Record<string, string> = {}) => {
    server = await startMailServer(options);
    running = await forThisTest(startApp({ ...server.env, ...env }, { extensions: [testMails] }));
    jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue(); // the tests choose when
  };
  afterEach(() => server.stop());

  const add = (...mails: Partial<Mail>[]) =>
    running.app.get(UnitOfWork).write((tx) => {
      for (const mail of mails) {
        const values = { ...MAIL, ...mail };
        running.app.get(MailsService).add(tx, { kind: 'test', userId: null, values }, new Date());
      }
    });
  const sendDue = (after = 0) =>
    running.app.get(OutboxSender).sendDue(undefined, () => new Date(Date.now() + after));
  const rows = () =>
    running.app
      .get(DataSource)
      .getRepository(OutboxMessage)
      .find({ order: { id: 'ASC' } });
  const stopServer = async () => {
    await server.stop();
    return Number(new URL(server.env.MAIL_URL).port);
  };
  const restartServer = async () => (server = await startMailServer({}, await stopServer()));
  const sendOne = async (mail: Partial<Mail> = {}) => {
    await add(mail);
    await sendDue();
    return server.received[0];
  };

  it('arrives as text and as HTML that loads nothing', async () => {
    await start();
    const mail = await sendOne();
    const [row] = await rows();

    expect(mail).toMatchObject({
      recipients: ['ada@example.org'],
      from: { name: 'Sealpush', address: 'push@example.org' },
      to: [{ address: 'ada@example.org' }],
      subject: 'Grüße',
      messageId: `<${row?.id}@push.example.org>`,
    });
    expect(mail?.text).toContain(
      'A <b>tulip</b>\nfor you\n\nOpen it\nhttps://push.example.org/p/1?a=1&b=2\n',
    );
    expect(mail?.html).toContain('A &lt;b>tulip&lt;/b>');
    expect(mail?.html).toContain('href="https://push.example.org/p/1?a=1&amp;b=2"');
    expect(mail?.html).not.toMatch(/<img|<link|<script|src=|url\(/);
    expect(mail?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
  });

  it.each([
    { to: 'ada@example.org\r\nBcc: eve@example.org' },
    { to: 'ada@example.org, eve@example.org' },
    { to: 'ada@example.org>\r\nRCPT TO:<eve@example.org' },
    { subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nEve' },
    { parts: ['\r\n.\r\nMAIL FROM:<eve@example.org>\r\nRCPT TO:<eve@example.org>\r\n'] },
  ])('has no other header, recipient or command than its own: %j', async (mail) => {
    await start();
    await sendOne(mail);

    for (const { headers, recipients, from } of server.received) {
      expect(headers.map(({ key }) => key)).not.toContain('bcc');
      expect(recipients).not.toContain('eve@example.org');
      expect(from?.address).toBe('push@example.org');
    }
    expect(server.received.length).toBeLessThan(2);
  });

  it('is encrypted where the server offers it, also on this machine', async () => {
    const isEncrypted: boolean[] = [];
    await start({
      ...(await offeringTls()),
      onMailFrom: (_address, { secure }, done) => {
        isEncrypted.push(secure);
        done();
      },
    });
    await sendOne();

    expect(isEncrypted).toEqual([true]);
  });

  it.each<[string, Record<string, string>]>([
    ['push.example.org', {}],
    ['relay-client.example.net', { MAIL_EHLO_NAME: 'relay-client.example.net' }],
    ['[192.0.2.1]', { PUBLIC_URL: 'http://192.0.2.1:5100' }],
  ])('begins with the greeting of %s, which strict servers accept', async (name, env) => {
    const names: string[] = [];
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, { hostNameAppearsAs }, done) => {
      names.push(hostNameAppearsAs);
      done();
    };
    await start({ onMailFrom }, env);
    await sendOne();

    expect(names).toEqual([name]);
  });

  it('is sent only by TLS with a valid certificate where MAIL_TLS requires it, and the reason is told', async () => {
    await start({}, { MAIL_TLS: 'required' });
    const warnings = jest.spyOn(running.app.get(Log), 'warning');
    await sendOne();

    expect(server.received).toEqual([]);
    expect(await rows()).toMatchObject([
      { outcome: null, reason: expect.stringMatching(/^STARTTLS is refused: 5/) },
    ]);
    expect(warnings.mock.calls[0]?.[1]).toMatchObject({
      reason: expect.stringMatching(/^STARTTLS is refused: 5/),
    });
  });

  it('is not sent to a server whose certificate is not valid where MAIL_TLS requires it (G2)', async () => {
    await start(await offeringTls(), { MAIL_TLS: 'required' });
    await sendOne();

    expect(server.received).toEqual([]);
    expect(await rows()).toMatchObject([
      { error: 'ESOCKET', reason: expect.stringContaining('certificate') },
    ]);
  });

  it('is not encrypted where MAIL_TLS is off, whatever the server offers', async () => {
    const isEncrypted: boolean[] = [];
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, { secure }, done) => {
      isEncrypted.push(secure);
      done();
    };
    await start({ ...(await offeringTls()), onMailFrom }, { MAIL_TLS: 'off' });
    await sendOne();

    expect(isEncrypted).toEqual([false]);
  });

  describe('that a server refuses', () => {
    const REFUSAL =
      '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.';
    const refusing: SMTPServerOptions = {
      authOptional: false,
      authMethods: ['PLAIN'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => {
        done(refusal(`${REFUSAL}\r\nNot ${password}\u001b[31m`, 535));
      },
    };

    it('is told in its words, once for an outage, in the log and to administrators (H1)', async () => {
      server = await startMailServer(refusing);
      const { MAIL_URL } = server.env;
      const env = { ...server.env, MAIL_URL: MAIL_URL.replace('//', '//robin:geheim@') };
      running = await startApp(env, { extensions: [testMails] });
      jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue();
      const log = [jest.spyOn(running.app.get(Log), 'warning'), jest.spyOn(running.app.get(Log), 'event')];
      await add({}, {});
      for (const after of [0, HOUR_MS, 2 * HOUR_MS]) await sendDue(after);
      const lines = log.flatMap(({ mock }) => mock.calls).filter(([, facts]) => 'channel' in facts);
      const overview = await running.app.get(OverviewService).describe();

      const words = expect.stringMatching(
        /^535[ -]5\.7\.139 Authentication unsuccessful, .* Tenant\..* Not \*\*\*/,
      );
      expect(lines).toEqual([
        [
          'Delivery to a destination failed; its messages are sent later',
          { channel: 'mail', destination: 'smtp', code: 'SMTP 535', reason: words },
        ],
      ]);
      expect(overview.mailError).toMatchObject({ error: 'SMTP 535', reason: words });
      expect(JSON.stringify([lines, overview.mailError, await rows()])).not.toMatch(/robin|geheim|\\u001b/);
    });

    it('has its words in the list of administrators once it has failed, without its recipient', async () => {
      await start({
        onRcptTo: ({ address }, _session, done) => {
          done(refusal(`5.1.1 <${address}>: no such user`, 550));
        },
      });
      const { id: userId } = await running.newUser();
      await running.app.get(UnitOfWork).write((tx) => {
        running.app.get(MailsService).add(tx, { kind: 'test', userId, values: MAIL }, new Date());
      });
      const log = jest.spyOn(running.app.get(Log), 'event');
      await sendDue();
      const reason = '550 5.1.1 <***>: no such user';

      expect((await running.app.get(OverviewService).describe()).failedMessages).toMatchObject([
        { error: 'SMTP 550', reason },
      ]);
      expect(log.mock.calls.map(([, facts]) => facts)).toContainEqual(expect.objectContaining({ reason }));
    });

    it('says nothing of it any more when it has arrived', async () => {
      await start(refusing);
      await sendOne();
      await restartServer();
      await sendDue(HOUR_MS);
      const overview = await running.app.get(OverviewService).describe();

      expect(await rows()).toMatchObject([{ outcome: 'delivered', error: null, reason: null }]);
      expect(overview.mailError).toBeUndefined();
    });
  });

  it('fails for a recipient that the server refuses, and the others arrive', async () => {
    await start({
      onRcptTo: ({ address }, _session, done) => {
        done(address === 'bob@example.org' ? replyWith(550) : null);
      },
    });
    await add({ to: 'bob@example.org' }, {});
    await sendDue();

    expect(await rows()).toMatchObject([{ outcome: 'failed', error: 'SMTP 550' }, { outcome: 'delivered' }]);
  });

  it.each<[string, SMTPServerOptions, string]>([
    [
      'refuses connections',
      {
        onConnect: (_session, done) => {
          done(replyWith(554));
        },
      },
      'SMTP 554',
    ],
    [
      'refuses the sender',
      {
        onMailFrom: (_address, _session, done) => {
          done(replyWith(553));
        },
      },
      'SMTP 553',
    ],
    [
      'defers recipients',
      {
        onRcptTo: (_address, _session, done) => {
          done(replyWith(451));
        },
      },
      'SMTP 451',
    ],
    ['requires a login', { authOptional: false }, 'SMTP 530'],
  ])('arrives later when the server %s at first', async (_does, options, error) => {
    await start(options);
    await sendOne();
    const [before] = await rows();
    await restartServer();
    await sendDue(HOUR_MS);

    expect(before).toMatchObject({ outcome: null, error });
    expect(server.received).toHaveLength(1);
  });

  it('arrives later when the server disconnects within the message at first', async () => {
    await start();
    const port = await stopServer();
    const cutting = await disconnectAt('DATA', port);
    await sendOne();
    const [before] = await rows();
    cutting.close();
    server = await startMailServer({}, port);
    await sendDue(HOUR_MS);

    expect(before).toMatchObject({ outcome: null, error: 'ECONNECTION' });
    expect(server.received).toHaveLength(1);
  });

  it('is the reason of one warning when no server listens, and arrives later (M16)', async () => {
    await start();
    const { id: userId } = await running.newUser();
    const warnings = jest.spyOn(running.app.get(Log), 'warning');
    const port = await stopServer();
    await running.app.get(UnitOfWork).write((tx) => {
      running.app.get(MailsService).add(tx, { kind: 'test', userId, values: MAIL }, new Date());
    });
    for (const after of [0, HOUR_MS]) await sendDue(after);
    expect(warnings.mock.calls).toEqual([
      [
        'Delivery to a destination failed; its messages are sent later',
        { channel: 'mail', destination: 'smtp', code: 'ECONNREFUSED' },
      ],
    ]);

    server = await startMailServer({}, port);
    await sendDue(2 * HOUR_MS);
    expect(server.received).toHaveLength(1);
  });

  it('waits with the others when no server listens', async () => {
    await start();
    const port = await stopServer();
    await add({}, {});
    await sendDue();
    const attempts = (await rows()).map((row) => row.attempts);
    server = await startMailServer({}, port);
    await sendDue(HOUR_MS);

    expect(attempts).toEqual([1, 0]);
    expect(server.received).toHaveLength(2);
  });
});

function replyWith(responseCode: number): Error {
  return refusal('not bob@example.org', responseCode);
}

function refusal(words: string, responseCode: number): Error {
  return Object.assign(new Error(words), { responseCode });
}

/** With a certificate that nobody has signed. */
async function offeringTls(): Promise<SMTPServerOptions> {
  const { key, cert } = await makeCertificate((await forThisTest(makeFolder())).path, 'mail.internal');
  return { disabledCommands: [], key, cert };
}

/** An SMTP server that accepts every command until this one. */
async function disconnectAt(command: string, port: number): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('220 ready\r\n');
    socket.on('data', (line) => {
      if (line.toString().startsWith(command)) socket.destroy();
      else socket.write('250 ok\r\n');
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

import type { SMTPServerOptions } from 'smtp-server';
import { command } from '../../../test/support/command.js';
import { forThisTest } from '../../../test/support/for-tests.js';
import type { MailServer } from '../../../test/support/mail-server.js';
import { startMailServer } from '../../../test/support/mail-server.js';

const ADA = 'ada@example.org';
/** With a database that does not exist: nothing but the settings is needed. */
const INSTANCE = { env: { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/none', OPERATOR_NAME: 'Example Ltd' } };

describe('mail:test', () => {
  let server: MailServer;

  /** Runs it with a server that behaves like this. */
  const test = async (
    address: string,
    options: SMTPServerOptions = {},
    env: (url: string) => object = (MAIL_URL) => ({ MAIL_URL }),
  ) => {
    server = await forThisTest(startMailServer(options));
    const settings = { ...server.env, ...env(server.env.MAIL_URL) };
    return command(INSTANCE, ['mail:test', address], { env: settings });
  };
  const error = (message: string, responseCode: number) =>
    Object.assign(new Error(message), { responseCode });

  it('sends a mail at once, and prints what the server said', async () => {
    const { code, stdout, stderr } = await test('Ada@example.org');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      ...{ to: ADA, accepted: true },
      server: expect.stringMatching(/^250 /),
    });
    expect(server.received).toMatchObject([
      {
        recipients: [ADA],
        subject: 'Test email from Example Ltd',
        from: { address: 'push@example.org', name: 'Sealpush' },
      },
    ]);
    expect(server.received[0]?.text).toContain('Example Ltd can send emails');
  });

  it('sends it in the default language of the installation', async () => {
    await test(ADA, {}, (MAIL_URL) => ({ MAIL_URL, LANGUAGES: 'de,en' }));

    expect(server.received[0]?.subject).toBe('Test-E-Mail von Example Ltd');
  });

  it('fails with the words of a server that refuses the mail, in one line of limited length', async () => {
    const refusal = `5.7.1 Relaying denied\r\n\u001b[31m\u202e${'x'.repeat(1000)}`;
    const { code, stdout } = await test(ADA, {
      onRcptTo: (_address, _session, done) => {
        done(error(refusal, 550));
      },
    });
    const { server: words, ...rest } = JSON.parse(stdout) as { server: string };

    expect([code, rest]).toEqual([1, { to: ADA, accepted: false }]);
    expect(words).toMatch(/^550[ -]5\.7\.1 Relaying denied/);
    expect(words.length).toBeLessThanOrEqual(300);
    expect(stdout.trimEnd()).toMatch(/^[\x20-\x7e]+$/);
  });

  it('does not show name and password when the server repeats them (H1)', async () => {
    const seen: string[] = [];
    const { code, stdout, stderr } = await test(
      ADA,
      {
        authOptional: false,
        authMethods: ['PLAIN'],
        allowInsecureAuth: true,
        onAuth: (auth, _session, done) => {
          const [username, password] = [auth.username ?? '', auth.password ?? ''];
          seen.push(username, password);
          const base64 = [`\0${username}\0${password}`, password].map((text) =>
            Buffer.from(text).toString('base64'),
          );
          done(error(`No ${username} with ${password} (${base64.join(' ')})`, 535));
        },
      },
      (url) => ({ MAIL_URL: url.replace('smtp://', 'smtp://robin:geheim%2Bwort@') }),
    );

    expect([code, seen]).toEqual([1, ['robin', 'geheim+wort']]);
    expect(JSON.parse(stdout).server).toMatch(/535/);
    expect(stdout + stderr).not.toMatch(/robin|geheim|wort/);
    for (const secret of ['\0robin\0geheim+wort', 'geheim+wort', 'robin'])
      expect(stdout).not.toContain(Buffer.from(secret).toString('base64'));
  });

  it('fails when no server answers, and says so', async () => {
    const { code, stdout } = await test(ADA, {}, () => ({ MAIL_URL: 'smtp://127.0.0.1:1' }));

    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { to: ADA, accepted: false, server: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  it('fails where no mail is sent', async () => {
    expect(await command({ env: {} }, ['mail:test', ADA])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'sealpush: MAIL_URL is not set, so no mails are sent.\n',
    });
  });

  it.each([[], ['ada'], [`${ADA}\r\nBcc: bob@example.org`], [ADA, 'bob@example.org'], ['--to', ADA]])(
    'is wrong usage with the arguments %j %j (E10)',
    async (...args) => {
      const { code, stdout } = await command(INSTANCE, ['mail:test', ...args.filter(Boolean)]);

      expect([code, stdout]).toEqual([2, '']);
    },
  );
});

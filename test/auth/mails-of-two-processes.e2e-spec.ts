import { randomUUID } from 'node:crypto';
import { MAX_TO_EMAIL_PER_HOUR } from '../../src/auth/by-mail/mail-limits.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { startMailServer } from '../support/mail-server.js';
import { linkIn } from '../support/mailbox.js';
import { connectBeside } from '../support/other-connection.js';
import { PageClient, PASSWORD } from '../support/page-client.js';
import { spawnTwo } from '../support/spawn-server.js';

const TABLES = [
  'users',
  'email_links',
  'password_links',
  'mail_counts',
  'outbox_messages',
  'sign_in_attempts',
];

describe('Two server processes that send mail', () => {
  const instance = forAllTests(makeInstance);
  const mailServer = forAllTests(startMailServer);
  const servers = forAllTests(() =>
    spawnTwo(instance, { ...mailServer.env, TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'debug' }),
  );
  const database = forAllTests(() => connectBeside(instance));

  const visitor = (i: number) => new PageClient(servers.of(i).url, { 'X-Forwarded-For': `198.51.100.${i}` });
  const received = (email: string) =>
    mailServer.received.filter(({ recipients }) => recipients.includes(email));

  it('send at most three mails an hour to an address, and leave no token in log or database', async () => {
    const email = `${randomUUID()}@example.org`;
    await allAtOnce(20, (i) => visitor(i).post('/users/sign_up_link', { email }));
    await eventually(() => received(email).length === MAX_TO_EMAIL_PER_HOUR);
    await eventually(async () => {
      const [row] = await database.query(
        'SELECT COUNT(*) AS pending FROM outbox_messages WHERE ended_at IS NULL',
      );
      return Number(row.pending) === 0;
    });
    const links = received(email).map(linkIn);
    const before = await everything();
    const choice = { new_password: PASSWORD, new_password_repeat: PASSWORD };
    const answers = await allAtOnce(6, (i) => visitor(i).post(links[i % 3] ?? '', choice));
    await visitor(1).get(links[1] ?? '');
    const tokens = links.map((link) => link.split('/').at(-1) ?? '');

    expect(received(email)).toHaveLength(MAX_TO_EMAIL_PER_HOUR);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410, 410]);
    expect((await visitor(0).signIn(email)).status).toBe(303);
    const written = [before, await everything(), ...servers.all.map((server) => server.output())].join('\n');
    expect(written).toContain('users/sign_up_link/:token');
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(written).not.toContain(token);
    }
  }, 60_000);

  const everything = async () => {
    const rows = await Promise.all(TABLES.map((table) => database.query(`SELECT * FROM ${table}`)));
    return rows
      .flat()
      .flatMap((row) => Object.values(row as Record<string, unknown>))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join('\n');
  };
});

import { AccountRemovalService } from '../../src/pushes/account-removal/account-removal.service.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { engine } from '../support/engine.js';
import { formOf, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { ask, respond } from '../support/requests.js';
import { logStatements } from '../support/recorded-statements.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { after } from '../support/new-pushes.js';

const FILES = [
  { name: 'a.txt', content: 'tulip' },
  { name: 'b.txt', content: 'rose' },
];

const OF_REQUESTS = ['request_answers', 'request_audit_entries', 'request_passphrase_attempts'];
const OF_PUSHES = ['audit_entries', 'passphrase_attempts', 'idempotency_keys', 'link_mails', 'openings'];

/** The tables whose rows a statement locks. Inserting a row with a foreign key also locks its push, or its account. */
function lockedBy(sql: string): string | undefined {
  const [, table] =
    /^(?:INSERT INTO|UPDATE|DELETE FROM) [`"]?(\w+)/i.exec(sql) ??
    /^SELECT .*? FROM [`"]?(\w+).* (?:FOR UPDATE|FOR KEY SHARE|LOCK IN SHARE MODE)$/is.exec(sql) ??
    [];
  if (table === 'outbox_messages') return 'users';
  if (table && OF_REQUESTS.includes(table)) return 'requests';
  return table && OF_PUSHES.includes(table) ? 'pushes' : table;
}

/** The tables that each transaction of `act` has locked, in order. */
async function locksOf({ app }: RunningApp, act: () => Promise<unknown>): Promise<string[]> {
  const locked: string[] = [];
  const stop = await logStatements(app, (sql) => {
    locked.push((/^(COMMIT|ROLLBACK)$/.test(sql) ? 'end' : lockedBy(sql)) ?? '');
  });
  await act();
  stop();
  return locked.join(' ').split('end');
}

describe('Every transaction', () => {
  const running = forAllTests(() =>
    startApp({
      OWNER_VIEWS_COUNT: 'true',
      ENABLE_REQUESTS_API: 'true',
      ANSWERS_PER_MINUTE: '0',
    }),
  );
  const owner = forAllTests(() => running.newUser());

  const push = (fields: Record<string, string> = {}) => pushFiles(owner.client, FILES, fields);

  it.each<[string, () => Promise<() => Promise<unknown>>]>([
    [
      'creates a push with files',
      () => Promise.resolve(() => owner.client.post('/api/v2/pushes', formOf(FILES))),
    ],
    [
      'answers a request with files',
      async () => {
        const { url_token } = await ask(owner.client);
        const form = formOf(FILES, {}, 'request');
        return () => running.anonymous.post(`/api/v2/requests/${url_token}/respond`, form);
      },
    ],
    [
      'shows a push with files for the last time',
      async () => {
        const { url_token } = await push({ expire_after_views: '1', passphrase: 'right' });
        return () => owner.client.retrieve(url_token as string, 'right');
      },
    ],
    [
      'deletes a push with files',
      async () => {
        const { url_token } = await push();
        return () => owner.client.delete(`/api/v2/pushes/${url_token}`);
      },
    ],
    [
      'records a download',
      async () => {
        const [link = ''] = await linksOf(owner.client, (await push()).url_token as string);
        return () => owner.client.get(new URL(link).pathname);
      },
    ],
    [
      'expires pushes with files by time',
      async () => {
        await push();
        return () => running.app.get(Jobs).run('expiry', after(new Date(), 10 * DAY_MS));
      },
    ],
    [
      'removes an account with files',
      async () => {
        const account = await running.newUser();
        await pushFiles(account.client, FILES);
        return () => running.app.get(AccountRemovalService).remove(account);
      },
    ],
  ])('that %s locks the push before its files', async (_name, prepare) => {
    const transactions = await locksOf(running, await prepare());

    expect(transactions).toContainEqual(expect.stringMatching(/pushes.*files/));
    expect(transactions).not.toContainEqual(expect.stringMatching(/files.*pushes/));
  });
});

if (engine.url !== undefined) {
  describe('Every transaction with a message to the owner of a push', () => {
    const running = forAllTests(() =>
      startApp({
        MAIL_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'push@example.org',
        MAILS_PER_DAY: '0',
        PUBLIC_URL: 'https://push.example.org',
        ENABLE_REQUESTS_API: 'true',
        ANSWERS_PER_MINUTE: '0',
      }),
    );
    let owner: TestUser;

    beforeAll(async () => {
      jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockImplementation(() => undefined);
      owner = await running.newUser();
    });

    it('that answers a request locks the account, then the request, then the push', async () => {
      const { url_token } = await ask(owner.client);
      const transactions = await locksOf(running, () => respond(running.anonymous, url_token, 'tulip'));
      const answering = transactions.filter((locked) => locked.includes('pushes'));

      expect(answering).toEqual([expect.stringMatching(/^ *users +requests.* pushes/)]);
    });

    it('that adds a due mail about answers locks the account before the request', async () => {
      const { url_token } = await ask(owner.client, { answers: 2 });
      for (let i = 0; i < 2; i++) await respond(running.anonymous, url_token, 'tulip');
      const later = after(new Date(), DAY_MS);
      const transactions = await locksOf(running, () => running.app.get(Jobs).run('requests', later));

      expect(transactions.filter((locked) => /users/.test(locked))).toEqual([
        expect.stringMatching(/^ *users +requests/),
      ]);
    });

    it.each<[string, (urlToken: string) => Promise<unknown>]>([
      ['shows its secret', (urlToken) => running.anonymous.retrieve(urlToken, 'right')],
      ['records a wrong passphrase', (urlToken) => running.anonymous.retrieve(urlToken, 'wrong')],
      [
        'mails its link',
        (urlToken) =>
          owner.client.post(`/api/v2/pushes/${urlToken}/notify_emails`, {
            notify_emails_to: 'ada@example.org',
          }),
      ],
    ])('that %s locks the account before the push', async (_name, act) => {
      const { url_token } = await owner.client.push({
        payload: 'tulip',
        passphrase: 'right',
        notify_on: 'each_view,failed_passphrase',
      });
      const transactions = (await locksOf(running, () => act(url_token))).filter(
        (locked) => locked.includes('users') && locked.includes('pushes'),
      );

      expect(transactions).toHaveLength(1);
      expect(transactions).toEqual([expect.stringMatching(/^ *users/)]);
    });
  });
}

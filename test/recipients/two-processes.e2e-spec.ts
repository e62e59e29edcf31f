import { auditKinds, tally } from '../support/audit-kinds.js';
import { newApiClient } from '../support/command.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { startMailServer } from '../support/mail-server.js';
import { askForCode, codeIn, openWith } from '../support/recipients.js';
import { spawnTwo } from '../support/spawn-server.js';

const PEOPLE = 50;

describe('Recipients of a push, at two server processes', () => {
  const instance = forAllTests(makeInstance);
  const mailServer = forAllTests(startMailServer);
  const servers = forAllTests(() =>
    spawnTwo(instance, { ...mailServer.env, TRUSTED_PROXIES: '127.0.0.1', CODE_MAILS_PER_HOUR: '60' }),
  );
  const owner = forAllTests(() => newApiClient(servers.of(0), instance));

  beforeEach(() => {
    mailServer.received.length = 0;
  });

  /** Clients have addresses of their own. */
  const clientOf = (caller: number) =>
    servers.of(caller).anonymous.with({ 'X-Forwarded-For': `198.51.100.${caller}` });
  const email = (caller: number) => `a${caller}@example.com`;
  const push = (fields: object) => owner.push({ payload: 'tulip', recipients: ['@example.com'], ...fields });
  /** The codes of that many people, by their numbers. */
  const codesFor = async (urlToken: string, people: number, mails = people): Promise<string[]> => {
    await allAtOnce(people, (caller) => askForCode(clientOf(caller), urlToken, email(caller)));
    await eventually(() => mailServer.received.length === mails);
    const byEmail = new Map(mailServer.received.map((mail) => [mail.recipients[0], codeIn(mail)]));
    return Array.from({ length: people }, (_, caller) => byEmail.get(email(caller)) ?? '');
  };
  const shown = (answers: { status: number; body: { payload?: string | null } }[]) =>
    answers.filter(({ status, body }) => status === 200 && body.payload === 'tulip').length;

  it('open a push of one view exactly once, when 50 have a right code (A1)', async () => {
    const { url_token } = await push({ expire_after_views: 1 });
    const codes = await codesFor(url_token, PEOPLE);
    const answers = await allAtOnce(PEOPLE, (caller) =>
      openWith(clientOf(caller), url_token, email(caller), codes[caller] ?? ''),
    );

    expect(shown(answers)).toBe(1);
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: PEOPLE });
    expect(tally(await auditKinds(owner, url_token))).toMatchObject({ creation: 1, view: 1 });
  });

  it('get codes for pushes without an account 60 times an hour, as set, together (N2)', async () => {
    const anonymous = clientOf(0);
    const fields = { payload: 'tulip', recipients: ['@example.com'] };
    const [one, other] = [await anonymous.push(fields), await anonymous.push(fields)];
    const answers = await allAtOnce(80, (caller) =>
      askForCode(clientOf(caller), (caller % 3 ? one : other).url_token, email(caller)),
    );
    const { url_token } = await push({}); // of an account: its mail comes after those
    await codesFor(url_token, 1, 61);

    expect(tally(answers.map(({ status }) => status))).toEqual({ 202: 80 });
    expect(mailServer.received).toHaveLength(61);
  });

  it('open it once with one code, and once each where that is chosen (A1)', async () => {
    const { url_token } = await push({ once_per_recipient: true });
    const [code = ''] = await codesFor(url_token, 1);
    const answers = await allAtOnce(5, (caller) => openWith(clientOf(caller), url_token, email(0), code));

    expect(shown(answers)).toBe(1);
    expect((await owner.get('/api/v2/pushes/active')).body[0].views_remaining).toBe(4);
  });
});

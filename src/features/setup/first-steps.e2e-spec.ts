import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newAdministrator } from '../../../test/support/administrator.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { startMailServer } from '../../../test/support/mail-server.js';
import { newSignedInUser, PASSWORD, PageClient } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const PAGE = '/admin/first_steps';
const ADMINISTRATOR = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: PASSWORD };

const doneIn = (body: string) => /<h2>(\d of \d) done<\/h2>/.exec(body)?.[1];

describe('The first steps', () => {
  const server = forAllTests(() =>
    startMailServer({
      onRcptTo: (_address, _session, done) => {
        done(Object.assign(new Error('no such mailbox here'), { responseCode: 550 }));
      },
    }),
  );
  const running = forAllTests(() => startApp({ ...server.env, ...ADMINISTRATOR, MAIL_TLS: 'off' }));

  const ada = async () => {
    const client = new PageClient(running.url);
    await client.signIn(ADMINISTRATOR.ADMIN_EMAIL);
    return client;
  };

  it('begin with the administrator that the settings name, and are linked from the overview until they are hidden', async () => {
    const client = await ada();
    const overview = async () => (await client.get('/admin')).body.includes(`href="${PAGE}"`);

    expect(doneIn((await client.get(PAGE)).body)).toBe('1 of 6');
    expect(await overview()).toBe(true);
    await running.app.get(InstanceAudit).record('database_backed_up');
    expect(doneIn((await client.get(PAGE)).body)).toBe('2 of 6');

    const refused = await client.post(`${PAGE}/mail`);
    expect([refused.status, refused.body]).toEqual([422, expect.stringContaining('no such mailbox here')]);
    expect(doneIn(refused.body)).toBe('2 of 6');

    await client.post(`${PAGE}/hide`);
    expect((await client.get(PAGE)).headers.get('location')).toBe('/admin');
    expect(await overview()).toBe(false);
  });

  it('exist for administrators alone', async () => {
    const { pageClient } = await newSignedInUser(running);
    const answers = [
      await pageClient.get(PAGE),
      ...(await Promise.all(['mail', 'backup', 'hide'].map((form) => pageClient.post(`${PAGE}/${form}`)))),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe('An installation from before', () => {
  const running = forAllTests(startApp);

  it('has no first steps', async () => {
    const { pageClient } = await newAdministrator(running);

    expect((await pageClient.get(PAGE)).headers.get('location')).toBe('/admin');
    expect((await pageClient.get('/admin')).body).not.toContain(PAGE);
  });
});

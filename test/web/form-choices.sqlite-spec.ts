import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { newestPush } from '../support/new-pushes.js';
import { PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';

const chosenIn = (body: string) =>
  [
    ...body.matchAll(/<input type="radio" name="push\[(\w+)\]" value="(\w+)" checked/g),
    ...body.matchAll(/<select[^>]* name="push\[(\w+)\]"(?:(?!<\/select>).)*<option value="(\w+)" selected/gs),
  ].map(([, name = '', value = '']) => `${name}=${value}`);
const isTicked = (body: string, name: string) =>
  new RegExp(`name="push\\[${name}\\]"[^>]* checked`).test(body);

describe('The choices of the form', () => {
  const running = forAllTests(startApp);
  const pageClient = forAllTests(() => new PageClient(running.url));

  async function made(fields: Record<string, string>): Promise<Push> {
    const { status } = await pageClient.post('/', { 'push[payload]': 'correct horse', ...fields });
    expect(status).toBe(201);
    return newestPush(running);
  }

  const hoursOf = ({ createdAt, expiresAt }: Push) => (expiresAt.getTime() - createdAt.getTime()) / HOUR_MS;

  it.each([
    ['0', 0.25],
    ['3', 1],
    ['6', 24],
    ['12', 168],
    ['15', 720],
  ])(
    'send step %s for a push of %d hours, whatever stands in the hidden field of days',
    async (step, hours) => {
      const push = await made({ 'push[expire_after_duration]': step, 'push[expire_after_days]': '90' });

      expect(hoursOf(push)).toBeCloseTo(hours, 2);
    },
  );

  it('use the numbers typed in where "custom" is chosen, and only there', async () => {
    const custom = {
      'push[expire_after_duration]': 'custom',
      'push[expire_after_days]': '3',
      'push[expire_after_views]': 'custom',
      'push[custom_views]': '17',
    };
    const push = await made(custom);
    expect([hoursOf(push), push.expireAfterViews]).toEqual([72, 17]);

    const other = await made({ ...custom, 'push[expire_after_views]': '1' });
    expect(other.expireAfterViews).toBe(1);
  });

  it.each([
    ['expire_after_duration', 'custom', 'Enter a whole number from 1 to 90.'],
    ['expire_after_views', 'custom', 'Enter a whole number from 1 to 100.'],
    ['expire_after_duration', '99', 'Enter a whole number from 0 to 17.'],
    ['expire_after_duration', 'x', 'Enter a whole number from 0 to 17.'],
    ['expire_after_views', '0', 'Enter a whole number from 1 to 100.'],
  ])('reject %s=%s without a number, and make nothing', async (name, value, error) => {
    const before = await running.dataSource.manager.count(Push);
    const { status, body } = await pageClient.post('/', { 'push[payload]': 'x', [`push[${name}]`]: value });

    expect(status).toBe(422);
    expect(body).toContain(error);
    expect(await running.dataSource.manager.count(Push)).toBe(before);
  });

  it('are those of the defaults at first, with a click to open', async () => {
    const { body } = await pageClient.get('/');

    expect(chosenIn(body)).toEqual(['kind=text', 'expire_after_views=5', 'expire_after_duration=12']);
    expect(isTicked(body, 'retrieval_step')).toBe(true);
    expect((await running.anonymous.push({ payload: 'x' })).retrieval_step).toBe(false);
  });

  it.each([
    ['?kind=url&views=1&duration=15m', ['kind=url', 'expire_after_views=1', 'expire_after_duration=0']],
    ['?duration=30d', ['kind=text', 'expire_after_views=5', 'expire_after_duration=15']],
    ['?views=7&duration=3d', ['kind=text', 'expire_after_views=custom', 'expire_after_duration=custom']],
  ])('are proposed by %s', async (query, chosen) => {
    expect(chosenIn((await pageClient.get(`/${query}`)).body)).toEqual(chosen);
  });

  it.each([
    '?kind=files',
    '?kind=%22%3E%3Cscript%3E&views=%22%3E%3Cscript%3E&duration=%22%3E%3Cscript%3Ed',
    '?kind=constructor&duration=__proto__&views=1e1&click=2',
    '?views=101&duration=91d&kind=',
    '?views=1&views=5&kind[]=url&duration[x]=1h',
    '?views=-1&duration=0d&click=on',
    '?payload=battery&passphrase=staple&push[payload]=battery&name=battery&note=staple',
  ])('are not changed by %s', async (query) => {
    const { status, body } = await pageClient.get(`/${query}`);

    expect(status).toBe(200);
    expect(chosenIn(body)).toEqual(['kind=text', 'expire_after_views=5', 'expire_after_duration=12']);
    expect(isTicked(body, 'retrieval_step')).toBe(true);
    expect(body).not.toMatch(/battery|staple|"><script>/);
  });

  it('are not shown again in full when they are far too long (M12)', async () => {
    const long = '9'.repeat(1_000_000);
    const names = [
      'kind',
      'expire_after_days',
      'expire_after_duration',
      'expire_after_views',
      'custom_views',
    ];
    const others = ['name', 'note', 'notify_emails_to', 'idempotency_key', 'deletable_by_viewer', 'account'];
    const fields = [...names, ...others].map((name) => [`push[${name}]`, long]);
    const { status, body } = await pageClient.post('/', Object.fromEntries(fields) as Record<string, string>);

    expect(status).toBe(422);
    expect(body).toContain('999');
    expect(body.length).toBeLessThan(200_000);
  });
});

describe('The choices of the form within other bounds', () => {
  it('are only those that are allowed, with the default even if it is none of them', async () => {
    const running = await forThisTest(
      startApp({
        EXPIRE_AFTER_DAYS_MIN: '2',
        EXPIRE_AFTER_DAYS_MAX: '20',
        EXPIRE_AFTER_DAYS_DEFAULT: '10',
        EXPIRE_AFTER_VIEWS_MIN: '2',
        EXPIRE_AFTER_VIEWS_DEFAULT: '3',
      }),
    );
    const { body } = await new PageClient(running.url).get('/?duration=1h&views=1');

    const offered = [...body.matchAll(/<option value="(\w+)"/g)]
      .map(([, value]) => value)
      .filter((value) => !['characters', 'words'].includes(value ?? ''));
    expect(offered).toEqual(['2', '5', '10', 'custom', '12', 'custom']);
    expect(chosenIn(body)).toEqual([
      'kind=text',
      'expire_after_views=custom',
      'expire_after_duration=custom',
    ]);
    expect(body).toMatch(/name="push\[expire_after_days\]"[^>]* value="10"/);
    expect(body).toMatch(/name="push\[custom_views\]"[^>]* value="3"/);
  });
});

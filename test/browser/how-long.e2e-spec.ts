import { IsNull, Not } from 'typeorm';
import { Push } from '../../src/pushes/push/push.entity.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { newestPush } from '../support/new-pushes.js';
import { startSite } from './support/site.js';
import type { Person } from './support/person.js';

const OPENS_AT = 'Not before';
const YEAR = new Date().getUTCFullYear() + 1;

describe('The limits of a secret', () => {
  const { running, person, meet, signIn } = startSite({
    settings: { EXPIRE_AFTER_DAYS_MAX: '800', EXPIRE_AFTER_DAYS_DEFAULT: '800' },
    browser: { locale: 'en-GB', timezoneId: 'Europe/Berlin' },
  });

  /** Whatever time all pushes open that do so later. */
  const openAt = (opensAt: Date) =>
    running.dataSource.manager.update(Push, { opensAt: Not(IsNull()) }, { opensAt });
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  it.each([
    [`${YEAR}-01-15T10:00`, `${YEAR}-01-15T09:00:00.000Z`],
    [`${YEAR}-07-15T10:00`, `${YEAR}-07-15T08:00:00.000Z`],
  ])('have a time in the zone of the browser: %s there is %s', async (local, utc) => {
    await person.visit('/');
    await person.fill({ Secret: 'tulip', [OPENS_AT]: local });

    expect(await person.page.locator('#opens_at-hint').textContent()).toBe(
      'In your time zone, Europe/Berlin.',
    );
    await person.createLink();
    expect((await newestPush(running)).opensAt?.toISOString()).toBe(utc);
  });

  it('have a time in UTC where no scripts run', async () => {
    const plain = await meet({ javaScriptEnabled: false });
    await plain.visit('/');
    await plain.fill({ Secret: 'tulip', [OPENS_AT]: `${YEAR}-07-15T10:00` });

    expect(await plain.page.locator('#opens_at-hint').textContent()).toBe('In UTC.');
    await plain.createLink();
    expect((await newestPush(running)).opensAt?.toISOString()).toBe(`${YEAR}-07-15T10:00:00.000Z`);
  });

  it('keep a time and its zone when the language changes', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'tulip', [OPENS_AT]: `${YEAR}-07-15T10:00` });
    await person.chooseLanguage('Deutsch');
    await person.waitForHeading('Geheimnis teilen');

    expect(await person.page.locator('#opens_at-hint').textContent()).toBe(
      'In Ihrer Zeitzone, Europe/Berlin.',
    );
    await person.press('Link erstellen');
    await person.waitForHeading('Ihr Link ist fertig');
    expect((await newestPush(running)).opensAt?.toISOString()).toBe(`${YEAR}-07-15T08:00:00.000Z`);
  });

  it('are remembered, except for the time', async () => {
    await person.visit('/');
    await (await person.box('Remember these options in this browser')).check();
    await person.fill({
      'Hours left after the first opening': '4',
      [OPENS_AT]: `${YEAR}-07-15T10:00`,
      'Only from these networks': '192.0.2.0/24',
    });
    await person.page.locator('#allowed_networks').blur();
    await person.visit('/');

    const value = (name: string) => person.page.locator(`#${name}`).inputValue();
    expect(await value('expire_after_first_view')).toBe('4');
    expect(await value('allowed_networks')).toBe('192.0.2.0/24');
    expect(await value('opens_at')).toBe('');
    expect(await person.page.getByLabel('More', { exact: true }).isChecked()).toBe(true);
  });

  it('let a link that opens later be opened then, with the key that is in it', async () => {
    const secret = { text: 'tulip' };
    const opens_at = inAnHour().toISOString();
    const { link } = await pushEndToEnd(running.anonymous, secret, { opens_at, expire_after_views: '1' });
    await person.visit(link);
    await person.waitForHeading('This secret cannot be opened yet');
    await openAt(new Date(Date.now() - 1));
    await person.page.reload();
    await person.press('Open');

    await person.page.getByText('tulip').waitFor();
  });

  it('use nothing up when a page that was open before is refused', async () => {
    const { url_token } = await running.anonymous.push({
      ...{ payload: 'tulip', expire_after_views: 1, retrieval_step: true },
      opens_at: inAnHour(),
    });
    await openAt(new Date(Date.now() - 1));
    await person.visit(`/p/${url_token}`);
    await openAt(inAnHour());
    await person.press('Open');
    await person.waitForHeading('This secret cannot be opened yet');
    await openAt(new Date(Date.now() - 1));
    await person.page.reload();
    await person.showSecret();
  });

  it('can be lowered by their owner, at a time in the zone of the browser', async () => {
    const { client } = await signIn();
    const { url_token } = await client.push({ payload: 'tulip' });
    await person.visit(`/p/${url_token}/audit`);
    await person.page.locator('summary', { hasText: 'Shorten…' }).click();
    await person.fill({
      'Views in all': '2',
      'Expires (leave empty for no change)': `${YEAR}-01-15T10:00`,
    });
    await person.press('Shorten');
    await person.page.getByText('Changed by you').waitFor();

    expect(await newestPush(running)).toMatchObject({
      expireAfterViews: 2,
      expiresAt: new Date(`${YEAR}-01-15T09:00:00.000Z`),
    });
  });
});

const NOON = new Date('2026-11-27T12:00:00Z');

describe('How long a secret lasts', () => {
  const { running, meet } = startSite({ settings: { END_TO_END: 'off' } });

  async function lastPush(person: Person): Promise<Record<string, unknown>> {
    await person.waitForHeading('Your link is ready');
    const [, token = ''] = /\/p\/([\w-]+)/.exec(await person.page.locator('#link').inputValue()) ?? [];
    return (await running.anonymous.retrieve(token)).body;
  }

  it.each([
    ['en-GB', 'tomorrow at 14:00 at the latest'],
    ['en-US', 'tomorrow at 2:00 PM at the latest'],
    ['de-DE', 'längstens bis morgen um 14:00'],
  ])(
    'is said in a few words, in the time zone and the language of a reader in %s',
    async (locale, sentence) => {
      const person = await meet({ locale, timezoneId: 'Africa/Johannesburg' });
      await person.page.clock.setFixedTime(NOON);
      await person.visit('/?views=1&duration=1d');

      const said = (await person.page.locator('[data-ends]').textContent()) ?? '';
      expect(said.replaceAll(/\s/g, ' ')).toBe(sentence);
    },
  );

  it('is said anew with each choice, with each number typed in, and as time passes', async () => {
    const person = await meet({ locale: 'en-GB', timezoneId: 'UTC' });
    await person.page.clock.install({ time: NOON });
    await person.visit('/');
    const said = () => person.page.locator('[data-ends]').textContent();

    await person.choose('Expires after', '15 minutes');
    expect(await said()).toBe('today at 12:15 at the latest');
    await person.page.clock.runFor(61_000);
    expect(await said()).toContain('12:16');
    await person.choose('Expires after', 'Other…');
    await person.fill({ 'Number of days': '50' });
    expect(await said()).toBe('16 January 2027 at the latest');
    await person.choose('Views', 'Other…');
    await person.fill({ 'Number of views': '1000' });
    expect(await said()).toBe('');
    await person.fill({ 'Number of views': '1' });
    expect(await said()).toBe('16 January 2027 at the latest');
  });

  it.each([true, false])(
    'is what was chosen by keyboard alone, with %s for scripts',
    async (javaScriptEnabled) => {
      const person = await meet({ javaScriptEnabled });
      await person.visit('/');
      const { keyboard } = person.page;
      await person.page.locator('#payload').focus();
      await keyboard.type('correct horse');
      const focused = () => person.page.locator(':focus').getAttribute('name');
      const tabTo = async (name: string) => {
        for (let i = 0; i < 10 && (await focused()) !== name; i++) await keyboard.press('Tab');
      };
      await tabTo('push[expire_after_views]');
      await keyboard.press('End');
      await keyboard.press('Tab');
      await keyboard.press('Control+a');
      await keyboard.type('7');
      await tabTo('push[expire_after_duration]');
      await keyboard.press('ArrowUp');
      await keyboard.press('ArrowUp');
      await tabTo('push[with_passphrase]');
      await keyboard.press('Enter');

      expect(await lastPush(person)).toMatchObject({
        expire_after_views: 7,
        expire_after_days: 1,
        retrieval_step: true,
      });
      const push = await newestPush(running);
      expect(push.expiresAt.getTime() - push.createdAt.getTime()).toBe(3_600_000);
    },
  );
});

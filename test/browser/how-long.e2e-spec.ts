import { IsNull, Not } from 'typeorm';
import { Push } from '../../src/pushes/push/push.entity.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { startSite } from './support/site.js';
import type { Person } from './support/person.js';

const OPENS_AT = 'Cannot be opened before (optional)';
const YEAR = new Date().getUTCFullYear() + 1;

describe('The limits of a secret', () => {
  const { running, person, meet, signIn } = startSite({
    settings: { EXPIRE_AFTER_DAYS_MAX: '800', EXPIRE_AFTER_DAYS_DEFAULT: '800' },
    browser: { locale: 'en-GB', timezoneId: 'Europe/Berlin' },
  });

  const lastPush = async () => {
    const [push] = await running.dataSource.manager.find(Push, { order: { id: 'DESC' }, take: 1 });
    return push;
  };
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
    expect(await person.page.locator('[data-set]').textContent()).toBe('opens later');
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');
    expect((await lastPush())?.opensAt?.toISOString()).toBe(utc);
  });

  it('have a time in UTC where no scripts run', async () => {
    const plain = await meet({ javaScriptEnabled: false });
    await plain.visit('/');
    await plain.fill({ Secret: 'tulip', [OPENS_AT]: `${YEAR}-07-15T10:00` });

    expect(await plain.page.locator('#opens_at-hint').textContent()).toBe('In UTC.');
    await plain.press('Create link');
    await plain.waitForHeading('Your link is ready');
    expect((await lastPush())?.opensAt?.toISOString()).toBe(`${YEAR}-07-15T10:00:00.000Z`);
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
    expect((await lastPush())?.opensAt?.toISOString()).toBe(`${YEAR}-07-15T08:00:00.000Z`);
  });

  it('are remembered, except for the time', async () => {
    await person.visit('/');
    await (await person.box('Remember these settings in this browser')).check();
    await person.fill({
      'Expires this many hours after it is first opened (optional)': '4',
      [OPENS_AT]: `${YEAR}-07-15T10:00`,
      'Opens only from these networks (optional)': '192.0.2.0/24',
    });
    await person.page.locator('#allowed_networks').blur();
    await person.visit('/');

    const value = (name: string) => person.page.locator(`#${name}`).inputValue();
    expect(await value('expire_after_first_view')).toBe('4');
    expect(await value('allowed_networks')).toBe('192.0.2.0/24');
    expect(await value('opens_at')).toBe('');
    expect(await person.page.locator('[data-set]').textContent()).toBe(
      'expires after it is opened, only from some networks',
    );
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
    await person.press('Open');

    await person.waitForHeading('Here is the secret');
  });

  it('can be lowered by their owner, at a time in the zone of the browser', async () => {
    const { client } = await signIn();
    const { url_token } = await client.push({ payload: 'tulip' });
    await person.visit(`/p/${url_token}/audit`);
    await person.page.locator('summary', { hasText: 'Fewer views or less time' }).click();
    await person.fill({
      'Views in all': '2',
      'Expires (leave empty for no change)': `${YEAR}-01-15T10:00`,
    });
    await person.press('Shorten');
    await person.page.getByText('Changed by you').waitFor();

    expect(await lastPush()).toMatchObject({
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
    ['en-GB', 'Gone after 1 view, or on Saturday 28 November at 14:00, whichever comes first.'],
    ['en-US', 'Gone after 1 view, or on Saturday, November 28 at 2:00 PM, whichever comes first.'],
    ['de-DE', 'Verfügbar für 1 Aufruf, längstens bis Samstag, 28. November um 14:00.'],
  ])(
    'is said in one sentence, in the time zone and the words of a reader in %s',
    async (locale, sentence) => {
      const person = await meet({ locale, timezoneId: 'Africa/Johannesburg' });
      await person.page.clock.setFixedTime(NOON);
      await person.visit('/?views=1&duration=1d');

      const said = (await person.page.locator('[data-ends]').textContent()) ?? '';
      expect(said.replaceAll(/\s/g, ' ').replace('28 November, 14:00', '28 November at 14:00')).toBe(
        sentence,
      );
    },
  );

  it('is said anew with each choice, with each number typed in, and as time passes', async () => {
    const person = await meet({ locale: 'en-GB', timezoneId: 'UTC' });
    await person.page.clock.install({ time: NOON });
    await person.visit('/');
    const said = () => person.page.locator('[data-ends]').textContent();

    await person.choose('Expires after', '15 minutes');
    expect(await said()).toContain('Gone after 5 views, or on Friday');
    expect(await said()).toContain('12:15');
    await person.page.clock.runFor(61_000);
    expect(await said()).toContain('12:16');
    await person.choose('Expires after', 'Custom');
    await person.fill({ 'Number of days': '50' });
    expect(await said()).toContain('16 January 2027');
    await person.choose('Views', 'Custom');
    await person.fill({ 'Number of views': '1000' });
    expect(await said()).toBe('');
    expect(await person.page.locator('[data-terms]').textContent()).toBe('Choose how long the link works.');
    await person.fill({ 'Number of views': '1' });
    expect(await said()).toContain('Gone after 1 view,');
    expect(await person.page.locator('[data-terms]').textContent()).toBe(
      '1 view or 50 days, whichever is first.',
    );
  });

  it.each([true, false])(
    'is what was chosen by keyboard alone, with %s for scripts',
    async (javaScriptEnabled) => {
      const person = await meet({ javaScriptEnabled });
      await person.visit('/');
      const { keyboard } = person.page;
      await person.page.locator('#payload').focus();
      await keyboard.type('correct horse');
      while ((await person.page.locator('summary:focus', { hasText: 'Change' }).count()) === 0)
        await keyboard.press('Tab');
      await keyboard.press('Enter');
      const focused = () => person.page.locator(':focus').getAttribute('name');
      const tabTo = async (name: string) => {
        for (let i = 0; i < 10 && (await focused()) !== name; i++) await keyboard.press('Tab');
      };
      await tabTo('push[expire_after_views]');
      await keyboard.press('ArrowRight');
      await keyboard.press('Tab');
      await keyboard.press('Control+a');
      await keyboard.type('7');
      await tabTo('push[expire_after_duration]');
      await keyboard.press('ArrowLeft');
      await keyboard.press('ArrowLeft');
      await keyboard.press('Enter');

      expect(await lastPush(person)).toMatchObject({
        expire_after_views: 7,
        expire_after_days: 1,
        retrieval_step: true,
      });
      const push = await running.dataSource.manager.findOneOrFail(Push, { where: {}, order: { id: 'DESC' } });
      expect(push.expiresAt.getTime() - push.createdAt.getTime()).toBe(3_600_000);
    },
  );
});

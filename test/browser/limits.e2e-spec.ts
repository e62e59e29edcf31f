import { Push } from '../../src/pushes/push/push.entity.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

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

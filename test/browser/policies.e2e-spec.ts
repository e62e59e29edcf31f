import { Push } from '../../src/pushes/push/push.entity.js';
import { newestPush } from '../support/new-pushes.js';
import { startSite } from './support/site.js';

describe('The form of an instance that requires a passphrase and a click', () => {
  const { running, person } = startSite({
    settings: { REQUIRE_PASSPHRASE: 'pages', REQUIRE_CLICK: 'pages' },
  });

  it.each(['browser', 'server'])('creates nothing without them, encrypted by the %s', async (by) => {
    const { page } = person;
    const count = await running.dataSource.manager.count(Push);
    await person.visit('/');
    if (by === 'server') {
      await page.locator('details[data-encryption] summary').click();
      await page.getByLabel(/^Encrypt on the server/).check();
    }
    expect(await page.locator('#passphrase').isVisible()).toBe(true);
    expect(await page.locator('#retrieval_step').count()).toBe(0);
    await page.locator('#payload').fill('tulip');
    await person.press('Create link');
    await page.locator('#passphrase-error').waitFor();
    expect(await running.dataSource.manager.count(Push)).toBe(count);

    await page.locator('#passphrase').fill('correct horse');
    await person.createLink();
    expect((await newestPush(running)).clientEncrypted).toBe(by === 'browser');
  });
});

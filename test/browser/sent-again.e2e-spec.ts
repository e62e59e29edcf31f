import { Push } from '../../src/pushes/push/push.entity.js';
import { startCuttingProxy } from '../support/cutting-proxy.js';
import { startSite } from './support/site.js';
import { forAllTests } from '../support/for-tests.js';

describe('The script of the form, when a response is lost', () => {
  const { running, person } = startSite({
    settings: { END_TO_END: 'off' },
    url: () => proxy.url,
    expected: /^Failed to load resource/,
  });

  const proxy = forAllTests(() => startCuttingProxy(running.url));
  beforeEach(async () => {
    await running.dataSource.manager.deleteAll(Push);
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
  });

  const count = () => running.dataSource.manager.count(Push);

  it('sends the form again and creates one push', async () => {
    const before = proxy.posts();
    proxy.cutResponses(1);
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');

    expect(proxy.posts() - before).toBe(2);
    expect(await count()).toBe(1);
    const link = await person.page.locator('#link').inputValue();
    const [, urlToken = ''] = /\/p\/([\w-]+)/.exec(link) ?? [];
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('correct horse');
  });

  it('creates one push when the user has to send the form again', async () => {
    proxy.cutResponses(2);
    await person.press('Create link');
    await person.page.getByRole('alert').waitFor();
    expect(await person.page.locator('#payload').inputValue()).toBe('correct horse');
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');

    expect(await count()).toBe(1);
  });

  it('creates another push from a form that was changed', async () => {
    proxy.cutResponses(2);
    await person.press('Create link');
    await person.page.getByRole('alert').waitFor();
    await person.fill({ Secret: 'battery staple' });
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');

    expect(await count()).toBe(2);
  });
});
